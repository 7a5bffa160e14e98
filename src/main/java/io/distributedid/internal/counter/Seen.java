package io.distributedid.internal.counter;

import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one server held of one counter at one moment, as a look reads it in one trip together with those of other
 * counters. Immutable.
 *
 * @param identity of the server and the schema of the table
 * @param numbering what the server numbers by, or would number by in this list
 * @param header of the table; null if there is none
 * @param row of the counter in the ledger; null if there is none
 * @param notes by the offset of another server: how far that was seen, {@link #NOT_CREATED}, {@link CounterRow#note},
 *     or no entry
 * @param counter the last id that was drawn; empty if the counter is missing
 * @param isBlind whether {@code counter} does not tell how far the counter is, as in a ticket table
 * @param largest the largest id that the counter holds
 */
public record Seen(
        String identity,
        Numbering numbering,
        @Nullable Header header,
        @Nullable CounterRow row,
        Map<Long, Long> notes,
        OptionalLong counter,
        boolean isBlind,
        long largest) {

    /** The note that permits to create the counter on that server later. */
    public static final long NOT_CREATED = Long.MIN_VALUE;

    public Seen {
        notes = Map.copyOf(notes);
    }

    /** The last id that was drawn; 0 if there is none, or if the counter does not tell. */
    long position() {
        return isBlind ? 0 : Math.max(0, counter.orElse(0));
    }

    /** Whether it tells that ids were given. */
    boolean isUsed() {
        return (row != null && row.number() > 0) || counter.orElse(0) > 0;
    }

    /** The newest that the header or the row has; 0 if there is neither. */
    long era() {
        return Math.max(header == null ? 0 : header.era(), row == null ? 0 : row.era());
    }

    /** Of a ticket table from which one number was drawn just now: that one is the last id, which ends the doubt. */
    public Seen drawn() {
        return new Seen(identity, numbering, header, row, notes, counter, false, largest);
    }
}
