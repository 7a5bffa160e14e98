package io.distributedid.spi;

import java.time.Duration;

/** Gives the ids of one sequence. Thread-safe. */
@FunctionalInterface
public interface IdSource {

    /**
     * Returns the next id.
     *
     * @return positive, at most {@link Sequence#maxValue()}, never returned before in the sequence's id space
     * @throws io.distributedid.IdUnavailableException if no id can be issued now
     * @throws io.distributedid.IdsExhaustedException if the sequence has no ids left
     */
    long next();

    /**
     * Returns the next id if that takes no waiting. A caller that must not wait then calls {@link #next()} elsewhere.
     *
     * @return as {@link #next()}; 0 if no id is in memory
     */
    default long tryNext() {
        return 0;
    }

    /**
     * Takes ids at once, for a caller that hands them out itself.
     *
     * @param count how many at most, at least 1
     * @return at least one id, waited for as by {@link #next()}
     */
    default ReservedBlock nextBlock(long count) {
        return new ReservedBlock(new Block(next(), 1, 1), Duration.ZERO);
    }
}
