package io.distributedid.spi;

import io.distributedid.DecodedId;

/**
 * A running source of ids for any number of sequences: holds the connections, workers and threads that they share. One exists
 * for each SessionFactory (or {@link io.distributedid.DistributedIds}) that uses it, and is closed with it.
 */
public interface Backend extends AutoCloseable {

    /**
     * Opens a sequence. Called once for each, at start where possible: checks everything that can be known then.
     *
     * @param sequence its name and settings
     * @return its ids
     * @throws io.distributedid.IdConfigurationException if a setting or a server would not give unique ids that fit
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    IdSource open(Sequence sequence);

    /**
     * Makes sure that ids from now on lie above ids that exist, on every server that answers now, and on the others when they do.
     * A backend whose ids hold the time need do nothing.
     *
     * @param sequence opened before
     * @param existing the largest id that exists
     * @param raise whether a counter that lies below is raised; else it is refused
     * @throws io.distributedid.IdConfigurationException if a counter lies below and is not to be raised
     */
    default void requireAbove(Sequence sequence, long existing, boolean raise) {}

    /**
     * Takes an id of an opened sequence apart.
     *
     * @param sequence the sequence
     * @param id one of its ids
     * @return its fields
     */
    DecodedId decode(Sequence sequence, long id);

    /** Stops threads, closes connections and gives back what is shared. Ids asked for afterwards are refused. */
    @Override
    void close();
}
