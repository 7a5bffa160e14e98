package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Draw}.
 *
 * @param outcome what came of it
 * @param block the ids; null unless there are any
 */
public record Drawn(Outcome outcome, @Nullable Block block) {

    /** What comes of a draw. */
    public enum Outcome {
        GIVEN,
        /** Look first: the row has changed, or is missing, or the counter has lost ids. */
        REFUSED,
        /** Another transaction holds the counter. */
        LOCKED,
        /** The counter is at the end of its column. */
        EXHAUSTED
    }

    public static final Drawn REFUSED = new Drawn(Outcome.REFUSED, null);

    public static final Drawn LOCKED = new Drawn(Outcome.LOCKED, null);

    public static final Drawn EXHAUSTED = new Drawn(Outcome.EXHAUSTED, null);

    public static Drawn of(Block block) {
        return new Drawn(Outcome.GIVEN, block);
    }
}
