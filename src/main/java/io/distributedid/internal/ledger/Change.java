package io.distributedid.internal.ledger;

import io.distributedid.internal.process.Platform;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A change of one row of a {@link Ledger}.
 *
 * @param expected the version that the row must have; empty if it must be missing
 * @param next the row afterwards; its number may be larger, see {@code lowers}
 * @param lowers whether the row gets exactly the number of {@code next}. Otherwise its number does not fall: draws
 *     raise the number of a counter without a new version, so a change that wrote back what it has read would forget
 *     them. Only an owner that hands back its lease lowers it
 */
public record Change(Optional<Version> expected, Row next, boolean lowers) {

    public Change {
        boolean isNext = next.version().count() > expected.map(Version::count).orElse(0L);
        if (!isNext || (lowers && expected.isEmpty())) {
            throw new IllegalArgumentException("A change raises the count of the version, and only a row that is there"
                    + " can be lowered: expected=" + expected + " next=" + next + " lowers=" + lowers);
        }
    }

    /** Creates a row, unless there is one of this name. */
    public static Change create(String name, String token, long number, Row.State state, Fields text) {
        return new Change(Optional.empty(), new Row(name, Version.first(token), number, state, text), false);
    }

    /** Marks the place of a ledger as just created, see {@link Ledger#STORE}. */
    static Change created() {
        return create(Ledger.STORE, Platform.JVM.token(), 0, Row.State.NEW, Fields.NONE);
    }

    /** Replaces a row that was read. The number does not fall. */
    public static Change replace(Row read, String token, long number, Row.State state, Fields text) {
        return new Change(
                Optional.of(read.version()),
                new Row(read.name(), read.version().next(token), number, state, text),
                false);
    }

    /** As {@link #replace}, and the number may fall. */
    public static Change lower(Row read, String token, long number, Row.State state, Fields text) {
        return new Change(Optional.of(read.version()), replace(read, token, number, state, text).next, true);
    }

    public String name() {
        return next.name();
    }

    /** Whether the row bears the version of this change. */
    boolean isDone(@Nullable Row row) {
        return row != null && row.version().equals(next.version());
    }

    /** In the order of their names, in which rows are locked. */
    static SortedMap<String, Change> byName(List<Change> changes) {
        SortedMap<String, Change> byName = new TreeMap<>();
        for (Change change : changes) {
            if (byName.put(change.name(), change) != null) {
                throw new IllegalArgumentException("A list holds one change of a row: row=" + change.name());
            }
        }
        return byName;
    }
}
