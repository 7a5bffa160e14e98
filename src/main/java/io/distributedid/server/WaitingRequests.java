package io.distributedid.server;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that found no id or number of a sequence in memory. They wait in a queue and not on threads: a few
 * workers serve them in their order, so a sequence whose store does not answer takes no thread from the others.
 *
 * <p>If the store does not answer, or refuses, all requests of the same subject that had come before the failed attempt
 * began get its error: each of them has waited at least as long as one caller waits. Thread-safe.
 *
 * @param <S> what gives ids or numbers
 */
final class WaitingRequests<S> {

    private static final class Waiting<S> {

        private final Exchange exchange;

        private final String subject;

        private final Consumer<S> work;

        private final long since = System.nanoTime();

        Waiting(Exchange exchange, String subject, Consumer<S> work) {
            this.exchange = exchange;
            this.subject = subject;
            this.work = work;
        }

        void fail(Throwable failure) {
            exchange.later(() -> exchange.fail(failure));
        }
    }

    private final Supplier<S> source;

    private final Workers workers;

    private final int mostWorkers;

    /** Of all sequences. */
    private final AtomicInteger waiting;

    private final int mostWaiting;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@code lock}. */
    private final Queue<Waiting<S>> queue = new ArrayDeque<>();

    /** Guarded by {@code lock}. */
    private int running;

    /**
     * @param source opens the sequence if necessary
     * @param mostWorkers how many requests of this sequence are served at a time
     * @param waiting counts the requests of all sequences
     */
    WaitingRequests(Supplier<S> source, Workers workers, int mostWorkers, AtomicInteger waiting, int mostWaiting) {
        this.source = source;
        this.workers = workers;
        this.mostWorkers = mostWorkers;
        this.waiting = waiting;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Lets a request wait.
     *
     * @param subject what fails together, for example the key
     * @param work takes the ids, on a worker
     * @param then given the result on the request's event loop
     * @throws Problem if too many requests wait already
     */
    <T> void add(Exchange exchange, String subject, Function<S, T> work, Consumer<T> then) {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            throw Workers.tooMany(mostWaiting);
        }
        Waiting<S> request = new Waiting<>(exchange, subject, ids -> {
            T result = work.apply(ids);
            exchange.later(() -> then.accept(result));
        });
        boolean isWorkerMissing = false;
        lock.lock();
        try {
            queue.add(request);
            if (running < mostWorkers) {
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
        for (Waiting<S> next = poll(); next != null; next = poll()) {
            if (next.exchange.isGone()) {
                next.fail(new IdUnavailableException("The caller did not wait for the answer"));
            } else {
                serve(next);
            }
        }
    }

    private void serve(Waiting<S> request) {
        long began = System.nanoTime();
        try {
            request.work.accept(source.get());
        } catch (DistributedIdException e) {
            request.fail(e);
            cameBefore(request.subject, began).forEach(each -> each.fail(e));
        } catch (RuntimeException | Error e) {
            // An error too, such as a class that is missing: the worker goes on, and the caller is answered.
            request.fail(e);
        }
    }

    /** The next request; null if there is none, and the worker ends. */
    private @Nullable Waiting<S> poll() {
        lock.lock();
        try {
            Waiting<S> next = queue.poll();
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

    private List<Waiting<S>> cameBefore(String subject, long nanos) {
        List<Waiting<S>> found = new ArrayList<>();
        lock.lock();
        try {
            for (Iterator<Waiting<S>> all = queue.iterator(); all.hasNext(); ) {
                Waiting<S> next = all.next();
                if (next.since - nanos > 0) {
                    break;
                }
                if (next.subject.equals(subject)) {
                    found.add(next);
                    all.remove();
                    waiting.decrementAndGet();
                }
            }
        } finally {
            lock.unlock();
        }
        return found;
    }
}
