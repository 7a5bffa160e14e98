package io.distributedid.internal;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which blocks are fetched: never the application's, so that a fetch takes part in none of its transactions, see
 * {@link OwnThread}. A timer thread starts what is due and never blocks; up to {@value #MOST} workers do what may block, and
 * end when idle.
 */
final class FetchThreads implements Scheduler, AutoCloseable {

    private static final int MOST = 8;

    private static final long IDLE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor timer;

    private final ThreadPoolExecutor workers;

    /** Starts no thread yet. */
    FetchThreads() {
        timer = new ScheduledThreadPoolExecutor(1, named("distributedid-timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        workers = new ThreadPoolExecutor(
                MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named("distributedid-fetch"));
        workers.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        if (!workers.isShutdown()) {
            workers.execute(task);
        }
    }

    @Override
    public void executeAfter(Duration delay, Runnable task) {
        if (!timer.isShutdown()) {
            Future<?> unused = timer.schedule(() -> execute(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public Future<?> every(Duration period, Runnable task) {
        return timer.scheduleWithFixedDelay(task, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Interrupts what runs and starts nothing more. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }

    /** Waits for the end of what ran when it was closed. Returns whether nothing runs any more. */
    boolean awaitEnd(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            return timer.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS)
                    && workers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return timer.isTerminated() && workers.isTerminated();
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> OwnThread.named(name + "-" + number.incrementAndGet(), task);
    }
}
