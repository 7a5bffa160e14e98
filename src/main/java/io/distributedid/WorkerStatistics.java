package io.distributedid;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A worker number, and how long it may be used.
 *
 * @param number goes into ids
 * @param clock the local one when this was read
 * @param until the end of the window of time that is reserved; empty for numbers that are ours for good
 * @param clockOffset how far the local clock is ahead of the lease store's, negative if behind, as it was last seen,
 *     give or take half of the time that the answer took; empty where no store is asked
 * @param failure why the window can't be prolonged; empty if it can
 */
public record WorkerStatistics(
        long number, Instant clock, Optional<Instant> until, Optional<Duration> clockOffset, Optional<String> failure) {

    /**
     * How long ids can be made if the store is away.
     *
     * @return negative if the window is over; empty if it has no end
     */
    public Optional<Duration> left() {
        return until.map(end -> Duration.between(clock, end));
    }
}
