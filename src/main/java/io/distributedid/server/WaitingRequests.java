package io.distributedid.server;

import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that found no id of a sequence in memory. They wait in a queue and not on threads: a few workers serve
 * them in their order, so a sequence whose store does not answer takes no thread from the others.
 *
 * <p>If the store does not answer, all requests that had come before the failed attempt began get its error: each of
 * them has waited at least as long as one caller waits. Thread-safe.
 */
final class WaitingRequests {

    /** More do not help: the source of a sequence fetches one block at a time. */
    private static final int MOST_WORKERS = 4;

    private static final class Waiting {

        private final Exchange exchange;

        private final Consumer<IdSource> work;

        private final long since = System.nanoTime();

        Waiting(Exchange exchange, Consumer<IdSource> work) {
            this.exchange = exchange;
            this.work = work;
        }

        void fail(Throwable failure) {
            exchange.later(() -> exchange.fail(failure));
        }
    }

    private final Supplier<IdSource> source;

    private final Workers workers;

    /** Of all sequences. */
    private final AtomicInteger waiting;

    private final int mostWaiting;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}. */
    private final Queue<Waiting> queue = new ArrayDeque<>();

    /** Guarded by {@code lock}. */
    private int running;

    /**
     * @param source opens the sequence if necessary
     * @param waiting counts the requests of all sequences
     */
    WaitingRequests(Supplier<IdSource> source, Workers workers, AtomicInteger waiting, int mostWaiting) {
        this.source = source;
        this.workers = workers;
        this.waiting = waiting;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Lets a request wait.
     *
     * @param work takes the ids, on a worker
     * @param then given the result on the request's event loop
     * @throws Problem.Refusal if too many requests wait already
     */
    <T> void add(Exchange exchange, Function<IdSource, T> work, Consumer<T> then) {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            throw Workers.tooMany(mostWaiting);
        }
        Waiting request = new Waiting(exchange, ids -> {
            T result = work.apply(ids);
            exchange.later(() -> then.accept(result));
        });
        boolean isWorkerMissing = false;
        lock.lock();
        try {
            queue.add(request);
            if (running < MOST_WORKERS) {
                running++;
                isWorkerMissing = true;
            }
        } finally {
            lock.unlock();
        }
        if (isWorkerMissing) {
            workers.start(this::serve);
        }
    }

    private void serve() {
        for (Waiting next = poll(); next != null; next = poll()) {
            if (next.exchange.isGone()) {
                next.fail(new IdUnavailableException("The caller did not wait for the answer"));
            } else {
                serve(next);
            }
        }
    }

    private void serve(Waiting request) {
        long began = System.nanoTime();
        try {
            request.work.accept(source.get());
        } catch (IdUnavailableException e) {
            request.fail(e);
            cameBefore(began).forEach(each -> each.fail(e));
        } catch (RuntimeException | Error e) {
            // An error too, such as a class that is missing: the worker goes on, and the caller is answered.
            request.fail(e);
        }
    }

    /** The next request; null if there is none, and the worker ends. */
    private @Nullable Waiting poll() {
        lock.lock();
        try {
            Waiting next = queue.poll();
            if (next == null) {
                running--;
            } else {
                waiting.decrementAndGet();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private List<Waiting> cameBefore(long nanos) {
        List<Waiting> found = new ArrayList<>();
        lock.lock();
        try {
            for (Waiting next = queue.peek(); next != null && next.since - nanos <= 0; next = queue.peek()) {
                found.add(next);
                queue.remove();
                waiting.decrementAndGet();
            }
        } finally {
            lock.unlock();
        }
        return found;
    }
}
