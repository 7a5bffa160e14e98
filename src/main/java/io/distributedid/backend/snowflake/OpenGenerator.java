package io.distributedid.backend.snowflake;

import io.distributedid.SequenceStatistics;

/** What the backend needs of a generator, in strict order or not, besides its ids. */
interface OpenGenerator {

    /** Starts above all ids of {@code tick}. */
    void startAbove(long tick);

    /** Does not disturb callers who take ids. */
    SequenceStatistics statistics();
}
