package io.distributedid.backend.snowflake;

import io.distributedid.SequenceStatistics;

/** What the backend needs of a generator, in strict order or not, besides its ids. */
interface OpenGenerator {

    /** From now on this process gives no id of {@code tick} or before to a call that begins. */
    void startAbove(long tick);

    /**
     * As {@link #startAbove}, and holds for each process that gives the ids from now on, as far as its clock is right.
     *
     * @throws io.distributedid.IdStandbyException if another process gives them
     * @throws io.distributedid.IdUnavailableException if the store did not note it in time
     */
    default void raiseAbove(long tick) {
        startAbove(tick);
    }

    /** Does not disturb callers who take ids. */
    SequenceStatistics statistics();
}
