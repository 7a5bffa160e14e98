package io.distributedid.internal.keyed.source;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.process.Platform;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A call that waits without a thread. The one who made it must end it when its time is over.
 *
 * @param last the last of the numbers that were taken, or of the key. Completed on a thread that must not wait
 * @param end ends the wait with an error that says why there is no number yet. Does nothing after the answer
 */
public record PendingNumber(CompletableFuture<Long> last, Runnable end) {

    /**
     * Waits on this thread.
     *
     * @param nanos the caller's time
     * @param what names the call in messages
     * @throws DistributedIdException with the stack of this caller: several callers may share a failure
     */
    public long await(Platform platform, long nanos, String what) {
        try {
            return within(platform, nanos);
        } catch (InterruptedException e) {
            end.run();
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for a number: " + what, e);
        } catch (ExecutionException e) {
            throw own(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private long within(Platform platform, long nanos) throws InterruptedException, ExecutionException {
        try {
            return platform.await(last, Math.max(0, nanos));
        } catch (TimeoutException e) {
            end.run();
            return last.get();
        }
    }

    private static DistributedIdException own(Throwable shared) {
        String message = String.valueOf(shared.getMessage());
        if (shared instanceof IdConfigurationException) {
            return new IdConfigurationException(message, shared);
        }
        DistributedIdException own = shared instanceof IdsExhaustedException
                ? new IdsExhaustedException(message)
                : shared instanceof IdStandbyException standby
                        ? new IdStandbyException(message, standby.active())
                        : new IdUnavailableException(message, shared);
        if (own.getCause() == null) {
            own.initCause(shared);
        }
        return own;
    }
}
