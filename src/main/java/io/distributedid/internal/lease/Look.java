package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;

/**
 * What a store says, which is the one that this process knows.
 *
 * @param header the row whose version confirms claims
 * @param page with the rows that rights hold, have asked for, or may claim
 * @param millis the clock of this process after the answer
 * @param answered its monotonic clock after the answer
 * @param refusal why nothing may be claimed or confirmed now; empty if it may
 */
public record Look(Row header, Page page, long millis, long answered, String refusal) {

    boolean isOpen() {
        return refusal.isEmpty();
    }

    /** The store's, or that of this process's clock if that is earlier. */
    long time() {
        return Math.min(millis, page.time());
    }
}
