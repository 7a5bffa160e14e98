package io.distributedid.internal.process;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Work that is done again and again on a thread of our own, until it is closed. Nothing else ends it: not an exception
 * or an {@link Error} of any kind, and no interrupt. A thread that could not be started, or died nevertheless, is
 * started by the next {@link #keepRunning}. Thread-safe.
 */
public final class BackgroundLoop {

    private static final Logger LOG = System.getLogger(BackgroundLoop.class.getName());

    /** So that a round that fails before it waits does not keep a processor busy. */
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    /** What is done again and again. */
    @FunctionalInterface
    public interface Round {

        /**
         * Waits until there is something to do, and does it. Returns at once after {@link #close}.
         *
         * @throws Exception of any kind
         */
        @SuppressWarnings("java:S112")
        void run() throws Exception;
    }

    private final ThreadFactory threads;

    private final Round round;

    private final Consumer<Throwable> failed;

    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Thread thread;

    private volatile boolean closed;

    private volatile boolean wasInterrupted;

    /**
     * Starts no thread yet.
     *
     * @param threads makes the thread, see {@link #threads}
     * @param round what is done
     * @param failed is told what a round threw, an interrupt excepted, and why there was no thread
     */
    public BackgroundLoop(ThreadFactory threads, Round round, Consumer<Throwable> failed) {
        this.threads = threads;
        this.round = round;
        this.failed = failed;
    }

    /**
     * Makes threads of our own.
     *
     * @param name begins with {@code distributedid-}
     * @return daemons that inherit nothing
     */
    public static ThreadFactory threads(String name) {
        return task -> LibraryThread.named(name, task);
    }

    /**
     * Starts the thread unless one runs, or the loop is closed. Throws nothing: if that fails, {@code failed} is told.
     */
    public void keepRunning() {
        if (closed || isRunning()) {
            return;
        }
        lock.lock();
        try {
            if (!closed && !isRunning()) {
                start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        Thread before = thread;
        if (before != null) {
            failed.accept(new IllegalStateException(
                    "The thread has ended, and is started again: thread=" + before.getName()));
        }
        try {
            Thread next = threads.newThread(this::run);
            next.start();
            thread = next;
        } catch (Throwable e) {
            // Such as "unable to create native thread", an Error.
            failed.accept(e);
        }
    }

    private boolean isRunning() {
        Thread seen = thread;
        return seen != null && seen.isAlive();
    }

    private void run() {
        while (!closed) {
            try {
                round.run();
            } catch (Throwable e) {
                survive(e);
            }
        }
    }

    private void survive(Throwable e) {
        try {
            // Of whoever has this thread; a driver may have taken notice of it in another way.
            boolean interrupted = Thread.interrupted() || e instanceof InterruptedException;
            if (closed) {
                return;
            }
            if (interrupted) {
                warnOfInterrupt();
            }
            if (!(e instanceof InterruptedException)) {
                failed.accept(e);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (Throwable again) {
            // Perhaps no memory to tell anybody. The next round may succeed.
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void warnOfInterrupt() {
        if (!wasInterrupted) {
            wasInterrupted = true;
            LOG.log(
                    Level.WARNING,
                    "A thread of this library was interrupted by other code, and goes on: thread={0}. It ends when its"
                            + " sequences are closed",
                    Thread.currentThread().getName());
        }
    }

    /** Ends it after the round that is under way. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the round that is under way. To be called after {@link #close}. */
    public void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /**
     * Waits for the end. To be called after {@link #close}.
     *
     * @param longest how long to wait
     * @return whether nothing runs any more
     * @throws InterruptedException if the caller was interrupted while it waited
     */
    public boolean awaitEnd(Duration longest) throws InterruptedException {
        Thread running = thread;
        if (running != null) {
            running.join(longest.toMillis());
        }
        return !isRunning();
    }
}
