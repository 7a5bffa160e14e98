package io.distributedid.spi;

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
}
