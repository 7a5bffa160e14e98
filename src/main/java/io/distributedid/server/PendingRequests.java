package io.distributedid.server;

import io.distributedid.internal.process.Pending;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for numbers without a thread for each. So however many wait for one database, those for
 * another one go on. They count among {@link WaitingRequests}. Thread-safe.
 */
final class PendingRequests {

    /** Of all sequences. */
    private final AtomicInteger waiting;

    private final int mostWaiting;

    PendingRequests(AtomicInteger waiting, int mostWaiting) {
        this.waiting = waiting;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Lets a request wait, unless it is answered at once. Called on its event loop.
     *
     * @param timeout after which the wait ends with an error
     * @param begin asks for the numbers
     * @param then given the answer or the failure on the request's event loop; at once if it is there
     * @throws Problem if too many requests wait already
     */
    void add(
            Exchange exchange,
            Duration timeout,
            Supplier<Pending<Long>> begin,
            BiConsumer<@Nullable Long, @Nullable Throwable> then) {
        Pending<Long> pending = begin.get();
        CompletableFuture<Long> last = pending.answer();
        if (last.isDone()) {
            CompletableFuture<?> unused =
                    last.whenComplete((number, failure) -> exchange.attempt(() -> then.accept(number, failure)));
            return;
        }
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            pending.end().run();
            throw Workers.tooMany(mostWaiting);
        }
        Runnable answered = exchange.after(timeout, pending.end());
        CompletableFuture<?> unused = last.whenComplete((number, failure) -> {
            waiting.decrementAndGet();
            answered.run();
            exchange.later(() -> then.accept(number, failure));
        });
    }
}
