package io.distributedid.internal.keyed.remote;

import java.time.Duration;

/**
 * How long a call may wait.
 *
 * @param began when the caller began, by {@link System#nanoTime}
 * @param timeout from then on
 */
record CallTime(long began, Duration timeout) {

    /** In nanoseconds; 0 or less if it is over. */
    long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }
}
