package io.distributedid.internal.registry;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.LibraryThread;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The callers of one sequence that must not wait and found no id in memory. They wait in a queue and not on threads: a
 * few threads take ids for them in their order, and end when the queue is empty. More threads do not help: the source
 * fetches one block at a time. Takes no lock, so that an event loop never waits here.
 *
 * <p>If the store does not answer, all callers that had come before the failed attempt began get its error: each of
 * them has waited at least as long as one caller waits. Thread-safe.
 */
public final class WaitingCallers {

    private static final int MOST_THREADS = 4;

    /** One who waits; the future is done if the caller has given up, or got the error of another one. */
    private static final class Caller extends CompletableFuture<Long> {

        private final LongSupplier ids;

        private final long since = System.nanoTime();

        Caller(LongSupplier ids) {
            this.ids = ids;
        }
    }

    private final Queue<Caller> queue = new ConcurrentLinkedQueue<>();

    private final AtomicInteger threads = new AtomicInteger();

    /**
     * Lets a caller wait.
     *
     * @param ids takes an id, after opening the sequence if necessary; may wait
     * @return completed on one of the threads; if it is cancelled before, no id is taken
     */
    public CompletableFuture<Long> add(LongSupplier ids) {
        Caller caller = new Caller(ids);
        queue.add(caller);
        if (isThreadMissing()) {
            try {
                LibraryThread.named("distributedid-async", this::serveAll).start();
            } catch (RuntimeException | Error e) {
                threads.decrementAndGet();
                caller.completeExceptionally(e);
            }
        }
        return caller;
    }

    /** Counts the thread that is missing. */
    private boolean isThreadMissing() {
        return threads.getAndUpdate(count -> Math.min(count + 1, MOST_THREADS)) < MOST_THREADS;
    }

    /** Looks again after it is no longer counted: a caller that came before relied on this thread. */
    private void serveAll() {
        do {
            for (Caller next = queue.poll(); next != null; next = queue.poll()) {
                if (!next.isDone()) {
                    serve(next);
                }
            }
            threads.decrementAndGet();
        } while (!queue.isEmpty() && isThreadMissing());
    }

    private void serve(Caller caller) {
        long began = System.nanoTime();
        try {
            caller.complete(caller.ids.getAsLong());
        } catch (IdUnavailableException e) {
            caller.completeExceptionally(e);
            failThoseBefore(began, e);
        } catch (RuntimeException | Error e) {
            // An error too, such as a class that is missing: the thread goes on, and the caller is answered.
            caller.completeExceptionally(e);
        }
    }

    private void failThoseBefore(long nanos, IdUnavailableException failure) {
        for (Caller next : queue) {
            if (next.since - nanos > 0) {
                break;
            }
            next.completeExceptionally(failure);
        }
    }
}
