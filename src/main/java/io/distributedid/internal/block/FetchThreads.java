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
 * The threads on which blocks are fetched: never the application's, so that a fetch takes part in none of its
 * transactions, see {@link LibraryThread}. A timer thread starts what is due and never blocks; up to {@value #MOST}
 * workers do what may block, and end when idle.
 */
public final class FetchThreads implements Scheduler, AutoCloseable {

    private static final Logger LOG = System.getLogger(FetchThreads.class.getName());

    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int MOST = 8;

    private static final long IDLE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor timer;

    private final ThreadPoolExecutor workers;

    /** Starts no thread yet. */
    public FetchThreads() {
        this(LibraryThread::named);
    }

    /** @param threads makes one of a name and a task */
    public FetchThreads(BiFunction<String, Runnable, Thread> threads) {
        timer = new ScheduledThreadPoolExecutor(1, named("distributedid-timer", threads));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
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

    /** On the timer's thread. What is due must not be lost because no worker can be started now. */
    private void executeOrRetry(Runnable task) {
        try {
            execute(task);
        } catch (Throwable e) {
            // Such as "unable to create native thread", an Error.
            warn("No thread can be started for a fetch that is due; it is tried again", e);
            executeAfter(PAUSE, task);
        }
    }

    /** An executor would end a task that throws, and say nothing. */
    private static void survive(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            warn("What is done again and again has failed, and goes on", e);
        }
    }

    private static void warn(String what, Throwable e) {
        try {
            LOG.log(Level.WARNING, what, e);
        } catch (Throwable again) {
            // Perhaps no memory to say it.
            e.addSuppressed(again);
        }
    }

    @Override
    public Future<?> every(Duration period, Runnable task) {
        return timer.scheduleWithFixedDelay(
                () -> survive(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Interrupts what runs and starts nothing more. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }

    /** Waits for the end of what ran when it was closed. Returns whether nothing runs any more. */
    public boolean awaitEnd(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            return timer.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS)
                    && workers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return timer.isTerminated() && workers.isTerminated();
        }
    }

    private static ThreadFactory named(String name, BiFunction<String, Runnable, Thread> threads) {
        AtomicInteger number = new AtomicInteger();
        return task -> threads.apply(name + "-" + number.incrementAndGet(), task);
    }
}
