package io.distributedid.internal.block;

import io.distributedid.internal.process.Platform;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests of one {@link BlockGroup} into batches (as InnoDB and PostgreSQL gather commits).
 *
 * <p>A request says how long it may wait for others: not at all if a caller waits, up to {@link #LONGEST_WAIT} if its
 * buffer is still well filled. When the first of them has waited that long, all that are there form a batch, also those
 * that could wait longer. So a thousand sequences take few round trips, and a lone sequence loses no time.
 *
 * <p>As many batches run at once as the group has servers. A batch that takes longer than {@link #SLOW}, since a server
 * hangs, no longer counts; its requests are also sent to another server, and the first answer counts. So does a batch
 * of one. Thread-safe.
 */
final class BlockQueue {

    /** How long a request may wait for others. */
    static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    /** After this time a server may hang. */
    static final Duration SLOW = Duration.ofMillis(300);

    /** How long a request is sent again while its counter is locked. */
    static final Duration LONGEST_POSTPONED = Duration.ofMillis(400);

    /** Between two attempts if no thread can be started. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Requests in a batch, so that no statement becomes too long. */
    private static final int MOST = 250;

    private static final class Batch {

        private final List<BlockRequest> requests;

        private final long startedAt;

        private volatile boolean over;

        Batch(List<BlockRequest> requests, long startedAt) {
            this.requests = requests;
            this.startedAt = startedAt;
        }

        boolean isSlow(long now) {
            return now - startedAt >= SLOW.toNanos();
        }

        List<BlockRequest> unanswered() {
            return requests.stream().filter(each -> !each.isAnswered()).toList();
        }
    }

    private final BlockGroup group;

    private final Scheduler scheduler;

    private final Platform platform;

    /** Requests that came while another thread held the lock, or come now: their callers don't wait for it. */
    private final Queue<Arrival> arrived = new ConcurrentLinkedQueue<>();

    private final ReentrantLock lock;

    // Guarded by the lock from here on.

    private List<BlockRequest> waiting = new ArrayList<>();

    /** When the next batch begins, unless {@code waiting} is empty. */
    private long due;

    private final List<Batch> running = new ArrayList<>();

    /** When the earliest timer ends; null if none runs. */
    private @Nullable Long timer;

    private record Arrival(BlockRequest request, long due) {}

    BlockQueue(BlockGroup group, Scheduler scheduler, Platform platform) {
        this.group = group;
        this.scheduler = scheduler;
        this.platform = platform;
        this.lock = platform.lock();
    }

    /**
     * Adds a request, which may wait for others up to {@code mayWait} nanoseconds. Does not wait for a thread that
     * starts a batch. Throws, and drops the request, if no thread can be started.
     */
    void add(BlockRequest request, long mayWait) {
        long wait = group.isShared() ? Math.min(mayWait, LONGEST_WAIT.toNanos()) : 0;
        arrived.add(new Arrival(request, platform.nanoTime() + wait));
        admit(request);
    }

    /** A thread that holds the lock calls this after it, so that no request stays behind. */
    private void admit(@Nullable BlockRequest own) {
        while (!arrived.isEmpty() && lock.tryLock()) {
            try {
                arrange(own);
            } catch (RuntimeException | Error e) {
                waiting.remove(own);
                release();
                throw e;
            }
            lock.unlock();
        }
    }

    private void release() {
        lock.unlock();
        admit(null);
    }

    /** A caller waits for this request now. */
    void hurry(BlockRequest request) {
        lock.lock();
        try {
            takeArrived();
            if (waiting.contains(request)) {
                due = platform.nanoTime();
            }
            arrange(null);
        } finally {
            release();
        }
    }

    /** Takes a request back, and returns true, unless it was sent already. */
    boolean cancel(BlockRequest request) {
        lock.lock();
        try {
            takeArrived();
            boolean isCancelled = waiting.remove(request);
            arrange(null);
            return isCancelled;
        } finally {
            release();
        }
    }

    private void takeArrived() {
        for (Arrival each = arrived.poll(); each != null; each = arrived.poll()) {
            if (waiting.isEmpty() || each.due - due < 0) {
                due = each.due;
            }
            waiting.add(each.request);
        }
    }

    /** Starts the batches that are due, or a timer for the next one. Throws if it can't start that of {@code own}. */
    private void arrange(@Nullable BlockRequest own) {
        takeArrived();
        long now = platform.nanoTime();
        while (!waiting.isEmpty()) {
            long wait = Math.max(due - now, waitForSlot(now));
            if (wait > 0) {
                arrangeAfter(wait, now);
                return;
            }
            start(now, own);
        }
    }

    /** Starts a timer, unless one ends earlier. */
    private void arrangeAfter(long wait, long now) {
        if (timer == null || now + wait - timer < 0) {
            Long at = now + wait;
            // A timer may be a little early.
            scheduler.executeAfter(Duration.ofNanos(wait).plusMillis(1), () -> arrangeAt(at));
            timer = at;
        }
    }

    private void arrangeAt(Long at) {
        lock.lock();
        try {
            if (at.equals(timer)) {
                timer = null;
            }
            arrange(null);
        } finally {
            release();
        }
    }

    /** 0 if a batch may begin now; otherwise the time until a running one counts as slow. */
    private long waitForSlot(long now) {
        long wait = Long.MAX_VALUE;
        int quick = 0;
        for (Batch each : running) {
            if (!each.isSlow(now)) {
                quick++;
                wait = Math.min(wait, SLOW.toNanos() - (now - each.startedAt));
            }
        }
        return quick < group.parallel() ? 0 : wait;
    }

    @SuppressWarnings("ReferenceEquality")
    private void start(long now, @Nullable BlockRequest own) {
        int size = Math.min(MOST, waiting.size());
        List<BlockRequest> all = waiting;
        Batch batch = new Batch(List.copyOf(all.subList(0, size)), now);
        waiting = new ArrayList<>(all.subList(size, all.size()));
        running.add(batch);
        try {
            scheduler.execute(() -> run(batch));
        } catch (RuntimeException | Error e) {
            running.remove(batch);
            waiting = all;
            due = now + PAUSE.toNanos();
            if (all.size() == 1 && all.get(0) == own) {
                throw e;
            }
        }
    }

    private void run(Batch batch) {
        long now = platform.nanoTime();
        batch.requests.forEach(each -> each.sent(now));
        Throwable failure = null;
        try {
            askAnotherServerIfSlow(batch);
            group.reserve(batch.requests);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            end(batch);
        }
        for (BlockRequest each : batch.unanswered()) {
            finish(each, failure);
        }
    }

    private void askAnotherServerIfSlow(Batch batch) {
        if (group.parallel() > 1) {
            scheduler.executeAfter(SLOW, () -> {
                List<BlockRequest> late = batch.unanswered();
                if (!batch.over && !late.isEmpty()) {
                    askAgain(late);
                }
            });
        }
    }

    /** What this call does not answer is left to the first one. */
    private void askAgain(List<BlockRequest> late) {
        try {
            group.reserve(late);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Batch batch) {
        lock.lock();
        try {
            batch.over = true;
            running.remove(batch);
            arrange(null);
        } finally {
            release();
        }
    }

    private void finish(BlockRequest request, @Nullable Throwable failure) {
        String reason = request.takePostponed();
        if (failure != null || reason == null) {
            request.fail(failure != null ? failure : new IllegalStateException("No answer: " + group.label()));
        } else if (request.nanosPostponed(platform.nanoTime()) > LONGEST_POSTPONED.toNanos()) {
            request.fail(new SQLTransientException(reason));
        } else {
            Duration pause = Duration.ofMillis(platform.random(3, 12));
            try {
                scheduler.executeAfter(pause, () -> add(request, 0));
            } catch (RuntimeException | Error e) {
                request.fail(e);
            }
        }
    }
}
