package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import java.util.concurrent.TimeUnit;

/**
 * The last failed attempt to open a sequence: an outage, which may pass, or a refusal.
 *
 * @param reason what the attempt has thrown
 * @param nanos when it failed
 * @param since when callers began to wait
 * @param awaited the first reason of this outage, which was logged; empty if no caller waits for its end
 */
record OpeningFailure(DistributedIdException reason, long nanos, long since, String awaited) {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    boolean isOutage() {
        return reason instanceof IdUnavailableException;
    }

    OpeningFailure awaiting(String first) {
        return new OpeningFailure(reason, nanos, since, first);
    }

    /** Whether the next call will probably fail the same way. */
    boolean isFresh() {
        return System.nanoTime() - nanos < FRESH_NANOS;
    }
}
