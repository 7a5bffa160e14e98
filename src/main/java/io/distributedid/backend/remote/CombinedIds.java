package io.distributedid.backend.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out ids in strict order: each id comes from a request that was sent after its call began, so nothing is
 * reserved ahead. One request is under way at a time. When it has ended, the next one asks for the ids of all calls
 * that wait, and they get them in the order of their calls.
 *
 * <p>After a failure the same calls, and those that came since, go into the next request, after a pause that doubles.
 * Calls wait until {@code block.timeout} has passed since the outage began. The requests go on without calls until one
 * succeeds, so that later calls find the service as it is. Ids without a call are a gap. Thread-safe.
 *
 * <p>It has more than 300 lines because one lock guards calls, requests and outages together.
 */
final class CombinedIds implements IdSource, AutoCloseable {

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    /** Short, since a standby may become active at any time. */
    private static final long LAST_PAUSE = Duration.ofMillis(250).toNanos();

    /** Asks the servers. */
    @FunctionalInterface
    interface Request {

        /**
         * Returns {@code count} ids that ascend, and are larger than those of any call that has ended; fewer, but at
         * least one, if the service gives no more at a time.
         */
        List<Long> ask(int count) throws InterruptedException;
    }

    private record Call(long began, CompletableFuture<Long> id) {}

    private final Sequence sequence;

    private final Request request;

    private final Duration timeout;

    private final Executor executor;

    private final OutageLog outages;

    private final WaitStatistics waits;

    private final LongSupplier nanoTime;

    private final LongAdder issued = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition ended = lock.newCondition();

    // Guarded by the lock from here on.

    private final Deque<Call> waiting = new ArrayDeque<>();

    /** How many ids a request may ask for. */
    private int most;

    private boolean running;

    /** Why the last request failed; null if it did not. */
    private @Nullable DistributedIdException failure;

    /** When the first request of the outage was sent. */
    private long outageSince;

    private boolean closed;

    /**
     * @param most how many ids a request may ask for
     * @param timeout how long a call waits
     * @param executor runs the requests, one at a time; may block
     */
    CombinedIds(
            Sequence sequence,
            Request request,
            int most,
            Duration timeout,
            Executor executor,
            OutageLog outages,
            WaitStatistics waits,
            LongSupplier nanoTime) {
        this.sequence = sequence;
        this.request = request;
        this.most = most;
        this.timeout = timeout;
        this.executor = executor;
        this.outages = outages;
        this.waits = waits;
        this.nanoTime = nanoTime;
    }

    @Override
    public long next() {
        WaitStatistics.Wait wait = waits.ofCall();
        wait.begin();
        Call call = new Call(nanoTime.getAsLong(), new CompletableFuture<>());
        try {
            long id = call.id.get(enqueue(call), TimeUnit.NANOSECONDS);
            issued.increment();
            return id;
        } catch (ExecutionException e) {
            // Nothing else completes it.
            throw (DistributedIdException) e.getCause();
        } catch (TimeoutException e) {
            throw timedOut(call);
        } catch (InterruptedException e) {
            forget(call);
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for an id: " + sequence, e);
        } finally {
            wait.end();
        }
    }

    /** Returns how long the call may wait. */
    private long enqueue(Call call) {
        lock.lock();
        try {
            if (closed) {
                throw closed();
            }
            long since = failure == null ? call.began : outageSince;
            long left = timeout.toNanos() - (call.began - since);
            if (left <= 0) {
                throw timedOut(call);
            }
            waiting.add(call);
            try {
                runUnlessRunning();
            } catch (RuntimeException | Error e) {
                waiting.remove(call);
                throw new IdUnavailableException("No thread can be started to ask for an id: " + sequence, e);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private void runUnlessRunning() {
        if (!running) {
            executor.execute(this::run);
            running = true;
        }
    }

    private void run() {
        long pause = FIRST_PAUSE;
        List<Call> batch = takeBatch();
        while (batch != null) {
            long began = nanoTime.getAsLong();
            try {
                give(batch, request.ask(Math.max(1, batch.size())));
                pause = FIRST_PAUSE;
            } catch (IdUnavailableException e) {
                failed(batch, e, began);
                pause(pause);
                pause = Math.min(2 * pause, LAST_PAUSE);
            } catch (DistributedIdException e) {
                refused(batch, e);
            } catch (InterruptedException | RuntimeException | Error e) {
                refused(batch, new IdUnavailableException("The request for ids has failed: " + sequence, e));
            }
            batch = takeBatch();
        }
    }

    /** The calls that wait; none in an outage perhaps. Null if there is nothing to do. */
    private @Nullable List<Call> takeBatch() {
        lock.lock();
        try {
            if (closed || (waiting.isEmpty() && failure == null)) {
                running = false;
                return null;
            }
            List<Call> batch = new ArrayList<>();
            while (!waiting.isEmpty() && batch.size() < most) {
                batch.add(waiting.poll());
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void give(List<Call> batch, List<Long> ids) {
        int given = Math.min(batch.size(), ids.size());
        List<Call> rest = batch.subList(given, batch.size());
        lock.lock();
        try {
            failure = null;
            if (!rest.isEmpty()) {
                most = given;
                putBack(rest);
            }
        } finally {
            lock.unlock();
        }
        outages.succeeded(this, () -> "Ids are issued again, last by " + sequence);
        for (int i = 0; i < given; i++) {
            batch.get(i).id.complete(ids.get(i));
        }
    }

    /** The caller holds the lock. */
    private void putBack(List<Call> calls) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (closed) {
                calls.get(i).id.completeExceptionally(closed());
            } else if (!calls.get(i).id.isDone()) {
                waiting.addFirst(calls.get(i));
            }
        }
    }

    private void failed(List<Call> batch, IdUnavailableException reason, long began) {
        boolean isClosed;
        lock.lock();
        try {
            if (failure == null) {
                outageSince = began;
            }
            failure = reason;
            isClosed = closed;
            putBack(batch);
        } finally {
            lock.unlock();
        }
        if (!isClosed) {
            outages.failed(this, "No ids can be issued, and it is tried again, noticed first by " + sequence, reason);
        }
    }

    /** A later request would fail the same way: the next call tries. */
    private void refused(List<Call> batch, DistributedIdException reason) {
        lock.lock();
        try {
            failure = null;
        } finally {
            lock.unlock();
        }
        batch.forEach(call -> call.id.completeExceptionally(reason));
    }

    private void pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = ended.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The thread belongs to the library. The next request goes out earlier.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private IdUnavailableException timedOut(Call call) {
        forget(call);
        DistributedIdException reason;
        lock.lock();
        try {
            reason = failure;
        } finally {
            lock.unlock();
        }
        String text = "No id within " + timeout.toMillis() + " ms (distributedid.block.timeout): " + sequence + ": ";
        return reason == null
                ? new IdUnavailableException(text + "the service has not answered")
                : new IdUnavailableException(text + FailureText.of(reason), reason);
    }

    private void forget(Call call) {
        lock.lock();
        try {
            call.id.cancel(false);
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    private IdUnavailableException closed() {
        return new IdUnavailableException("The source of ids is closed: " + sequence);
    }

    /** Without servers and capacity. */
    SequenceStatistics statistics() {
        lock.lock();
        try {
            return new SequenceStatistics(
                    issued.sum(),
                    waits.count(),
                    waits.time(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.ofNullable(failure).map(FailureText::of),
                    Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    /** Ends every call with an error. */
    @Override
    public void close() {
        List<Call> calls;
        lock.lock();
        try {
            closed = true;
            calls = List.copyOf(waiting);
            waiting.clear();
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        calls.forEach(call -> call.id.completeExceptionally(closed()));
    }
}
