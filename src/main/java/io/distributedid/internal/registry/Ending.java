package io.distributedid.internal.registry;

import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.FetchThreads;
import io.distributedid.internal.process.OwnThread;
import io.distributedid.spi.Backend;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a {@link Life}, within {@value #SECONDS} s, however many servers hang.
 *
 * <p>All waits are stopped first. Then each backend ends on a thread of its own, once it opens no sequence any more: its buffers hand
 * their ids back, and it what it holds. Whoever has not ended after {@value #QUIET_SECONDS} s is cut off, and hands nothing back. What
 * has still not ended at the end of the time, in a driver or in a backend of others, is left to itself with a warning.
 */
final class Ending {

    private static final Logger LOG = System.getLogger(Ending.class.getName());

    private static final int SECONDS = 5;

    private static final int QUIET_SECONDS = 3;

    private final List<Life.Running> backends;

    private final FetchThreads threads;

    private final Consumer<BlockBuffer> endOfBuffer;

    private final Consumer<Backend> endOfBackend;

    private final CountDownLatch ended;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. One that fails must not keep the others open. */
    private @Nullable RuntimeException failure;

    private final long began = System.nanoTime();

    private boolean isInterrupted;

    Ending(
            List<Life.Running> backends,
            FetchThreads threads,
            Consumer<BlockBuffer> endOfBuffer,
            Consumer<Backend> endOfBackend) {
        this.backends = backends;
        this.threads = threads;
        this.endOfBuffer = endOfBuffer;
        this.endOfBackend = endOfBackend;
        ended = new CountDownLatch(backends.size());
    }

    /** Called once. Goes on to its end if it is interrupted. */
    void run() {
        boolean wasInterrupted = Thread.interrupted();
        backends.forEach(running -> running.backend().stopWaiting());
        List<Thread> enders = backends.stream()
                .map(running -> OwnThread.named("distributedid-close", () -> end(running)))
                .toList();
        enders.forEach(Thread::start);
        if (!awaitBackends(QUIET_SECONDS)) {
            backends.forEach(running -> running.backend().cut());
        }
        awaitBackends(SECONDS);
        threads.close();
        if (!awaitThreads(enders)) {
            LOG.log(
                    Level.WARNING,
                    "All is closed, but a thread still waits for a server after {0} s. It ends when the driver gives up",
                    SECONDS);
        }
        if (wasInterrupted || isInterrupted) {
            Thread.currentThread().interrupt();
        }
        throwFailure();
    }

    private boolean awaitBackends(int seconds) {
        while (true) {
            try {
                return ended.await(left(seconds), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
    }

    private boolean awaitThreads(List<Thread> enders) {
        boolean allEnded = threads.awaitEnd(Duration.ofNanos(left(SECONDS)));
        for (Thread ender : enders) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(ender, left(SECONDS));
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
            allEnded &= !ender.isAlive();
        }
        return allEnded;
    }

    private long left(int seconds) {
        return TimeUnit.SECONDS.toNanos(seconds) - (System.nanoTime() - began);
    }

    private void end(Life.Running running) {
        try {
            Backend backend = quiet(running);
            running.buffers().forEach(BlockBuffer::beginClose);
            running.buffers().forEach(endOfBuffer);
            endOfBackend.accept(backend);
        } catch (RuntimeException e) {
            failed(e);
        } finally {
            ended.countDown();
        }
    }

    /** A backend that opens nothing any more: whoever gets its lock next finds that all is over. */
    private static Backend quiet(Life.Running running) {
        running.opening().lock();
        try {
            return running.backend();
        } finally {
            running.opening().unlock();
        }
    }

    private void failed(RuntimeException e) {
        lock.lock();
        try {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            failure = e;
        } finally {
            lock.unlock();
        }
    }

    private void throwFailure() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }
}
