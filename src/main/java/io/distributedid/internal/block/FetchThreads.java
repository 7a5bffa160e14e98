package io.distributedid.internal.block;

import io.distributedid.internal.process.LibraryThread;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * Runs fetches on {@link LibraryThread}s, so that they take no part in a transaction of the application. A timer thread
 * starts tasks that are due, and never blocks. Up to {@value #MOST} worker threads run tasks that may block; idle
 * workers end.
 */
public final class FetchThreads implements Scheduler, AutoCloseable {

    private static final Logger LOG = System.getLogger(FetchThreads.class.getName());

    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int MOST = 8;

    private static final long IDLE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor timer;

    private final PeriodicTasks periodic;

    private final ThreadPoolExecutor workers;

    /** Starts no thread yet. */
    public FetchThreads() {
        this(LibraryThread::named);
    }

    /** @param threads makes a thread from a name and a task */
    public FetchThreads(BiFunction<String, Runnable, Thread> threads) {
        timer = new ScheduledThreadPoolExecutor(1, named("distributedid-timer", threads));
        timer.setRemoveOnCancelPolicy(true);
        periodic = new PeriodicTasks(timer);
        workers = new ThreadPoolExecutor(
                MOST,
                MOST,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                named("distributedid-fetch", threads));
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
            Future<?> unused = timer.schedule(() -> executeOrRetry(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Runs on the timer thread. If no worker can be started, the task is retried: it must not be lost. */
    private void executeOrRetry(Runnable task) {
        try {
            execute(task);
        } catch (Throwable e) {
            // Such as "unable to create native thread", an Error.
            warn("No thread can be started for a fetch; retrying in " + PAUSE.toMillis() + " ms", e);
            executeAfter(PAUSE, task);
        }
    }

    /** Never fails. */
    static void warn(String what, Throwable e) {
        try {
            LOG.log(Level.WARNING, what, e);
        } catch (Throwable again) {
            // Perhaps out of memory, so that nothing can be logged.
            e.addSuppressed(again);
        }
    }

    @Override
    public void every(Duration period, Runnable task) {
        periodic.add(period, task);
    }

    @Override
    public void end(Runnable task) {
        periodic.remove(task);
    }

    /** Interrupts running tasks and starts no more. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }

    /** After {@link #close}: waits for running tasks, and returns whether all have ended. */
    public boolean awaitEnd(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            return timer.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    && workers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ThreadFactory named(String name, BiFunction<String, Runnable, Thread> threads) {
        AtomicInteger number = new AtomicInteger();
        return task -> threads.apply(name + "-" + number.incrementAndGet(), task);
    }
}
