package io.distributedid;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A worker number and the window in which it may be used.
 *
 * @param number the worker number in ids
 * @param clock the local clock when this was read
 * @param until the end of the reserved window; empty if the number has no window
 * @param clockOffset how far the local clock is ahead of the lease store's, negative if behind, at the last answer of
 *     the store. Its error is at most half of the answer's round trip. Empty if there is no store
 * @param failure why the window can't be prolonged; empty if it can
 */
public record WorkerStatistics(
        long number, Instant clock, Optional<Instant> until, Optional<Duration> clockOffset, Optional<String> failure) {

    /**
     * Returns how long ids can be made without the store.
     *
     * @return negative if the window is over; empty if there is no window
     */
    public Optional<Duration> left() {
        return until.map(end -> Duration.between(clock, end));
    }
}
