package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.FailureText;
import java.util.concurrent.TimeUnit;

/**
 * The last failed attempt to open a sequence: an outage, which may pass, or a refusal.
 *
 * @param reason what the attempt has thrown
 * @param nanos when it failed
 * @param since when callers began to wait
 */
record OpeningFailure(DistributedIdException reason, long nanos, long since) {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    String message() {
        return FailureText.of(reason);
    }

    boolean isOutage() {
        return reason instanceof IdUnavailableException;
    }

    /** The same failure for a caller that makes no attempt. */
    DistributedIdException again() {
        if (isOutage()) {
            return new IdUnavailableException(message());
        }
        return reason instanceof IdsExhaustedException
                ? new IdsExhaustedException(message())
                : new IdConfigurationException(message());
    }

    /** Whether the next call will probably fail the same way. */
    boolean isFresh() {
        return System.nanoTime() - nanos < FRESH_NANOS;
    }
}
