package io.distributedid.spi;

import java.time.Duration;
import java.util.Optional;

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
     * Returns the next id if no wait is necessary, for callers that must not wait, such as event loops. If it returns
     * 0, the caller calls {@link #next} on a thread that may wait, and gets the id or the reason there.
     *
     * @return the id; 0 if a call of {@code next} would wait or fail, and always if a source can't tell
     */
    default long tryNext() {
        return 0;
    }

    /**
     * Takes several ids at once, for callers that hand them out themselves.
     *
     * @param count how many ids are wanted, at least 1
     * @return at least one id, and at most {@code count}; none was returned before
     * @throws IllegalArgumentException if {@code count} is not positive
     * @throws io.distributedid.IdUnavailableException as {@link #next}
     * @throws io.distributedid.IdsExhaustedException as {@link #next}
     */
    default ReservedBlock nextBlock(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("The number of ids must be at least 1: count=" + count);
        }
        return new ReservedBlock(new Block(next(), 1, 1), Duration.ZERO);
    }

    /**
     * Takes several ids at once if no wait is necessary, for callers that must not wait, as {@link #tryNext} does.
     *
     * @param count how many ids are wanted, at least 1
     * @return as {@link #nextBlock}; empty if that call would wait or fail, and always if a source can't tell
     * @throws IllegalArgumentException if {@code count} is not positive
     */
    default Optional<ReservedBlock> tryNextBlock(long count) {
        return Optional.empty();
    }
}
