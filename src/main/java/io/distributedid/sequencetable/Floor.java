package io.distributedid.sequencetable;

/**
 * What the ids of a sequence have to lie above.
 *
 * @param above ids up to this exist, or are not wanted
 * @param raise whether a counter that lies below is raised; else it is refused
 */
record Floor(long above, boolean raise) {}
