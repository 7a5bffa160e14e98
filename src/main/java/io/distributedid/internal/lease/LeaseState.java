package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Row;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of one right. Immutable.
 *
 * @param held the newest right, until its row was found replaced; it may have ended
 * @param sent a request that was not answered by "done": it may have been done all the same, or be done later, or never
 * @param seen the row of another process that this one waits for; null if it holds a right or waits for none
 */
public record LeaseState(
        @Nullable Lease held,
        @Nullable LeaseRequest sent,
        @Nullable Sighting seen) {

    public static final LeaseState EMPTY = new LeaseState(null, null, null);

    /**
     * A row that this process did not write.
     *
     * @param since after the answer that first showed it in this version, by this process's monotonic clock
     */
    public record Sighting(Row row, long since) {}

    /** What to keep before the request is sent. */
    public LeaseState sending(LeaseRequest request) {
        return new LeaseState(held, request, seen);
    }

    /** What to keep of a right whose request is not to be repeated. */
    LeaseState forgetting() {
        return new LeaseState(held, null, seen);
    }
}
