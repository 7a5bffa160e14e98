package io.distributedid.internal;

/**
 * What the ids of a counter have to lie above.
 *
 * @param above ids up to this exist, or are not wanted
 * @param raise whether a counter that lies below is raised; else it is refused
 */
public record Floor(long above, boolean raise) {

    /** Every counter lies above it. */
    public static final Floor NONE = new Floor(0, true);

    /**
     * The floor once ids are known to exist.
     *
     * @param existing the largest id that exists
     * @param raiseCounter whether a counter that lies below is raised
     * @return this, or a higher one
     */
    public Floor withExisting(long existing, boolean raiseCounter) {
        return existing >= above ? new Floor(existing, raiseCounter) : this;
    }
}
