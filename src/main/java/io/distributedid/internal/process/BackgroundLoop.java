package io.distributedid.internal.process;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a round of work on a {@link LibraryThread} until it is closed. No exception, {@link Error} or interrupt ends
 * it. If the thread could not be started or has died, the next {@link #keepRunning} starts one. Thread-safe.
 */
public final class BackgroundLoop {

    private static final Logger LOG = System.getLogger(BackgroundLoop.class.getName());

    /** The pause after a failed round. It avoids a busy loop if each round fails at once. */
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    /** One round of the work. */
    @FunctionalInterface
    public interface Round {

        /** Waits for something to do, and does it. Returns at once after {@link #close}. */
        @SuppressWarnings("java:S112")
        void run() throws Exception;
    }

    private final Platform platform;

    private final String name;

    private final Round round;

    private final Consumer<Throwable> failed;

    private final ReentrantLock lock;

    private final Condition ended;

    /** The last one that was started. */
    private volatile @Nullable Thread thread;

    private volatile boolean isRunning;

    private volatile boolean closed;

    private volatile boolean wasInterrupted;

    /**
     * Starts no thread yet.
     *
     * @param name of the thread; it must begin with {@code distributedid-}
     * @param failed gets what a round threw, except interrupts, and why the thread could not be started or has ended
     */
    public BackgroundLoop(Platform platform, String name, Round round, Consumer<Throwable> failed) {
        this.platform = platform;
        this.name = name;
        this.round = round;
        this.failed = failed;
        lock = platform.lock();
        ended = lock.newCondition();
    }

    /**
     * Starts the thread unless it runs or the loop is closed. Throws nothing: {@code failed} gets any failure. The
     * caller may hold a lock that {@code failed} takes.
     */
    public void keepRunning() {
        if (closed || isRunning) {
            return;
        }
        List<Throwable> failures = new ArrayList<>();
        lock.lock();
        try {
            if (!closed && !isRunning) {
                start(failures);
            }
        } finally {
            lock.unlock();
        }
        // Not under the lock, which callers take while they hold that of the receiver.
        failures.forEach(failed);
    }

    private void start(List<Throwable> failures) {
        Thread before = thread;
        if (before != null) {
            failures.add(new IllegalStateException(
                    "The thread has ended, and is started again: thread=" + before.getName()));
        }
        isRunning = true;
        try {
            thread = platform.start(name, this::run);
        } catch (Throwable e) {
            // Such as "unable to create native thread", an Error.
            isRunning = false;
            failures.add(e);
        }
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    round.run();
                } catch (Throwable e) {
                    survive(e);
                }
            }
        } finally {
            lock.lock();
            try {
                isRunning = false;
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void survive(Throwable e) {
        boolean isInterrupt = e instanceof InterruptedException;
        // Clears the flag. A driver may have turned the interrupt into another exception.
        boolean wasSet = Thread.interrupted();
        if (closed) {
            return;
        }
        try {
            if (wasSet || isInterrupt) {
                warnOfInterrupt();
            }
            if (!isInterrupt) {
                failed.accept(e);
            }
        } catch (Throwable again) {
            // Perhaps out of memory: the failure can't be reported. The next round may succeed.
        }
        if (!isInterrupt) {
            pause();
        }
    }

    private void pause() {
        try {
            platform.pause(PAUSE_NANOS);
        } catch (InterruptedException e) {
            warnOfInterrupt();
        }
    }

    private void warnOfInterrupt() {
        if (!wasInterrupted) {
            wasInterrupted = true;
            LOG.log(
                    Level.WARNING,
                    "Other code has interrupted a thread of this library, which keeps running: thread={0}. It ends when"
                            + " its sequences are closed",
                    Thread.currentThread().getName());
        }
    }

    /** Ends the loop after the current round. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed;
    }

    /** Interrupts the current round. Call it after {@link #close}. */
    public void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Interrupts the current round, and returns whether the thread has ended in time. Call it after {@link #close}. */
    public boolean interruptAndAwaitEnd(Duration timeout) {
        interrupt();
        try {
            return awaitEnd(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits for the thread to end, and returns whether it has ended. Call it after {@link #close}. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (isRunning && left > 0) {
                left = ended.awaitNanos(left);
            }
            return !isRunning;
        } finally {
            lock.unlock();
        }
    }
}
