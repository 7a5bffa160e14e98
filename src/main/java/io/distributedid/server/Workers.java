package io.distributedid.server;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.LibraryThread;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what may wait, since an event loop must not. A few of them, which end when they have nothing to do, and a
 * bound on the requests that wait: a store that does not answer must not fill the memory. Thread-safe.
 */
final class Workers {

    private static final long IDLE_SECONDS = 1;

    private final ThreadPoolExecutor threads;

    private final Tally waiting;

    /**
     * @param name of the threads; it must begin with {@code distributedid-}
     * @param waiting counts the requests that wait or are served; others may count there too
     */
    Workers(String name, int most, Tally waiting) {
        this.waiting = waiting;
        threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> LibraryThread.named(name, task));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs a task on a worker. It must not throw. */
    void start(Runnable task) {
        threads.execute(task);
    }

    /**
     * Computes an answer on a worker, unless the caller has gone when it is its turn.
     *
     * @param then given the result on the request's event loop
     * @throws Problem if too many requests wait already
     */
    <T extends @Nullable Object> void call(Exchange exchange, Callable<T> work, Consumer<T> then) {
        waiting.up();
        try {
            start(() -> {
                Runnable answer = answer(exchange, work, then);
                waiting.down();
                exchange.later(answer);
            });
        } catch (RuntimeException | Error e) {
            // Such as "unable to create native thread".
            waiting.down();
            throw e;
        }
    }

    private static <T extends @Nullable Object> Runnable answer(Exchange exchange, Callable<T> work, Consumer<T> then) {
        try {
            if (exchange.isGone()) {
                throw new IdUnavailableException("The caller did not wait for the answer");
            }
            T result = work.call();
            return () -> then.accept(result);
        } catch (Exception | Error e) {
            // An error too, such as a class that is missing: the caller is answered.
            return () -> exchange.fail(e);
        }
    }
}
