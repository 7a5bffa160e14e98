package io.distributedid.server;

import io.distributedid.internal.keyed.source.PendingNumber;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
     * Lets a request wait. Returns false if it can't wait in this way.
     *
     * @param timeout after which the wait ends with an error
     * @param begin asks for the numbers; empty if that needs a thread
     * @param then given the answer or the failure on the request's event loop
     * @throws Problem if too many requests wait already
     */
    boolean add(
            Exchange exchange,
            Duration timeout,
            Supplier<Optional<PendingNumber>> begin,
            BiConsumer<OptionalLong, @Nullable Throwable> then) {
        boolean isBegun = false;
        try {
            if (waiting.incrementAndGet() > mostWaiting) {
                throw Workers.tooMany(mostWaiting);
            }
            Optional<PendingNumber> begun = begin.get();
            isBegun = begun.isPresent();
            begun.ifPresent(pending -> follow(exchange, timeout, pending, then));
            return isBegun;
        } finally {
            if (!isBegun) {
                waiting.decrementAndGet();
            }
        }
    }

    private void follow(
            Exchange exchange,
            Duration timeout,
            PendingNumber pending,
            BiConsumer<OptionalLong, @Nullable Throwable> then) {
        Runnable answered = exchange.after(timeout, pending.end());
        CompletableFuture<OptionalLong> unused = pending.last().whenComplete((last, failure) -> {
            waiting.decrementAndGet();
            answered.run();
            exchange.later(() -> then.accept(last, failure));
        });
    }
}
