package io.distributedid.internal.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process thinks of a {@link Page}, given what it knows. */
public sealed interface Verdict {

    /** The page holds all that is known, or later changes. */
    record Fine() implements Verdict {}

    /** The page lacks something. It may be old: read again, synchronised, before anything follows from it. */
    record Stale(List<Doubt> doubts) implements Verdict {}

    /** Another store answers at this address, or another id space has taken its place. */
    record OtherStore(List<Doubt> doubts) implements Verdict {}

    /** The store has lost changes that this process knows. */
    record Loss(List<Doubt> doubts) implements Verdict {}

    /** What a page lacks: a row as it is known, and as the page shows it. */
    record Doubt(Kind kind, Row known, @Nullable Row found) {}

    /** How a row differs from the one that is known. */
    enum Kind {
        OTHER_TOKEN,
        MISSING,
        /** The count of its version is lower. */
        OLDER,
        /** The count of its version is the same, the random part is not. */
        OTHER_HISTORY,
        /** The number is lower under the same version. */
        LOWER
    }
}
