package io.distributedid.internal.process;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A call that waits without a thread. The one who made it must end it when its time is over.
 *
 * @param answer completed on a thread that must not wait. It fails with a {@link DistributedIdException}, which several
 *     callers may share
 * @param end ends the wait with an error that says why there is no answer yet. Does nothing after the answer
 */
public record Pending<T>(CompletableFuture<T> answer, Runnable end) {

    /**
     * Waits on this thread.
     *
     * @param nanos the caller's time
     * @param what is waited for, with its article, for messages
     * @throws DistributedIdException with the stack of this caller
     */
    public T await(Platform platform, long nanos, String what) {
        try {
            return within(platform, nanos);
        } catch (InterruptedException e) {
            end.run();
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for " + what, e);
        } catch (ExecutionException e) {
            throw own(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private T within(Platform platform, long nanos) throws InterruptedException, ExecutionException {
        try {
            return platform.await(answer, Math.max(0, nanos));
        } catch (TimeoutException e) {
            end.run();
            return answer.get();
        }
    }

    /** The same failure with the stack of this caller: several callers may share it. */
    public static DistributedIdException own(Throwable shared) {
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
