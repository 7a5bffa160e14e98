package io.distributedid.server;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads for what may wait, since an event loop must not. A few of them, and a bound on the requests that wait for
 * one: a server of ids that does not answer must not fill the memory. Thread-safe.
 */
final class Workers {

    /** Waits have limits of their own, such as {@code block.timeout}. So no task is reported as too long. */
    private static final long LONGEST_DAYS = 1;

    /** Of all sequences of a kind, unless they are more. Threads are made when they are needed. */
    private static final int MOST_OF_SEQUENCES = 256;

    private final WorkerExecutor threads;

    private final AtomicInteger pending = new AtomicInteger();

    private final int mostPending;

    Workers(Vertx vertx, String name, int threads, int mostPending) {
        this.threads = vertx.createSharedWorkerExecutor(name, threads, LONGEST_DAYS, TimeUnit.DAYS);
        this.mostPending = mostPending;
    }

    /** How many threads a sequence has for itself, if there are so many sequences. */
    static int each(int most, int sequences) {
        return Math.max(1, Math.min(most, MOST_OF_SEQUENCES / Math.max(1, sequences)));
    }

    /** Runs a task on a worker. It must not throw. */
    void start(Runnable task) {
        threads.executeBlocking(
                () -> {
                    task.run();
                    return null;
                },
                false);
    }

    /**
     * Computes an answer on a worker.
     *
     * @param then given the result on the request's event loop
     * @throws Problem if too many requests wait already
     */
    <T extends @Nullable Object> void call(Exchange exchange, Callable<T> work, Consumer<T> then) {
        if (pending.incrementAndGet() > mostPending) {
            pending.decrementAndGet();
            throw tooMany(mostPending);
        }
        start(() -> {
            try {
                T result = work.call();
                exchange.later(() -> then.accept(result));
            } catch (Exception | Error e) {
                exchange.later(() -> exchange.fail(e));
            } finally {
                pending.decrementAndGet();
            }
        });
    }

    static Problem tooMany(int most) {
        return new Problem(
                ProblemType.UNAVAILABLE,
                "Too many requests wait already: waiting=" + most + ". Send fewer at once, or ask another server");
    }
}
