package io.distributedid.spi;

/** Where the ids of one sequence come from. Used by any number of threads at once. */
@FunctionalInterface
public interface IdSource {

    /**
     * The next id.
     *
     * @return positive, at most {@link Sequence#maxValue()}, never returned before in the sequence's id space
     * @throws io.distributedid.IdUnavailableException if none can be issued now
     * @throws io.distributedid.IdsExhaustedException if the sequence has none left
     */
    long next();
}
