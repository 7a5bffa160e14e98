package io.distributedid;

/**
 * What a buffered sequence has done in this process since it was opened. Figures are those of one moment, taken together.
 *
 * @param reserved ids reserved
 * @param available ids reserved and not handed out yet
 * @param dropped ids that were reserved and never will be handed out: they came too close to their maximum age, or the counter was
 *     raised above them
 * @param overdue blocks that were used beyond their maximum age because no server answered
 * @param fetches blocks reserved
 * @param failedFetches attempts to reserve a block that failed
 * @param waits calls that found no id and waited for a block
 */
public record SequenceStatistics(
        long reserved, long available, long dropped, long overdue, long fetches, long failedFetches, long waits) {

    /**
     * Ids handed out.
     *
     * @return what was reserved and is neither available nor dropped
     */
    public long used() {
        return reserved - available - dropped;
    }
}
