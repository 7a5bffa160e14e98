package io.distributedid.backend.remote;

import io.distributedid.internal.failover.ServerPause;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request to one server, from when it is sent to its end. Its end changes what is known of the server, also after
 * its caller has stopped waiting.
 *
 * @param <T> the answer
 */
final class Attempt<T> {

    private static final int UNDER_WAY = 0;

    private static final int LATE = 1;

    private static final int OVER = 2;

    private final RemoteSequence sequence;

    private final RemoteServer server;

    private final boolean isForIds;

    private final @Nullable ServerPause trial;

    private final AtomicInteger state = new AtomicInteger();

    Attempt(RemoteSequence sequence, RemoteServer server, boolean isForIds, @Nullable ServerPause trial) {
        this.sequence = sequence;
        this.server = server;
        this.isForIds = isForIds;
        this.trial = trial;
    }

    RemoteServer server() {
        return server;
    }

    /** Sends it. Its end is added to the results, perhaps before this call returns. */
    void begin(Function<RemoteServer, CompletableFuture<T>> question, BlockingQueue<RemoteServers.Ended<T>> results) {
        CompletableFuture<T> asked;
        try {
            asked = question.apply(server);
        } catch (RuntimeException | Error e) {
            asked = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> unused = asked.whenComplete((answer, failure) -> {
            Exception reason = failure == null ? null : Failures.of(failure, server.label());
            try {
                end(reason);
            } finally {
                if (trial != null) {
                    trial.endTrial();
                }
                results.add(new RemoteServers.Ended<>(server, answer, reason));
            }
        });
    }

    /** It has waited for so long that the server may hang. */
    void late() {
        if (state.compareAndSet(UNDER_WAY, LATE)) {
            server.beginSlow();
        }
    }

    private void end(@Nullable Exception reason) {
        if (state.getAndSet(OVER) == LATE) {
            server.endSlow();
        }
        if (reason == null && isForIds) {
            sequence.succeeded(server);
        } else if (reason == null || reason instanceof StandbyException) {
            sequence.answered(server);
        } else {
            sequence.failed(server, reason, trial);
        }
    }
}
