package io.distributedid.internal.registry;

import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.FetchThreads;
import io.distributedid.internal.process.Ending;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.Backend;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends a {@link Period} within {@value #SECONDS} s, however many servers hang.
 *
 * <p>First, all waits are stopped. Then each backend ends on its own thread, as soon as it opens no sequence: its
 * buffers end, then the backend gives its resources back. After {@value #QUIET_SECONDS} s the connections of the other
 * backends are aborted, and they give nothing back. A thread that still runs after {@value #SECONDS} s, in a driver or
 * in a backend of a third party, is left alone with a warning. A failure is thrown when all has ended.
 */
final class Shutdown {

    private static final Logger LOG = System.getLogger(Shutdown.class.getName());

    private static final int SECONDS = 5;

    private static final int QUIET_SECONDS = 3;

    private final List<Period.Running> backends;

    private final FetchThreads threads;

    private final Consumer<List<BlockBuffer>> endBuffers;

    private final Consumer<Backend> endBackend;

    private final CountDownLatch ended;

    private final Ending ending = new Ending();

    private final long began = System.nanoTime();

    private boolean isInterrupted;

    Shutdown(
            List<Period.Running> backends,
            FetchThreads threads,
            Consumer<List<BlockBuffer>> endBuffers,
            Consumer<Backend> endBackend) {
        this.backends = backends;
        this.threads = threads;
        this.endBuffers = endBuffers;
        this.endBackend = endBackend;
        ended = new CountDownLatch(backends.size());
    }

    /** Call it only once. An interrupt does not stop it. */
    void run() {
        boolean wasInterrupted = Thread.interrupted();
        endAll(Backend::stopWaiting);
        List<Thread> enders = backends.stream()
                .map(running -> LibraryThread.named("distributedid-close", () -> end(running)))
                .toList();
        enders.forEach(Thread::start);
        if (!awaitBackends(QUIET_SECONDS)) {
            endAll(Backend::cut);
        }
        awaitBackends(SECONDS);
        threads.close();
        if (!awaitThreads(enders)) {
            LOG.log(
                    Level.WARNING,
                    "All is closed, but a thread still waits for a server after {0} s. It ends when the driver gives"
                            + " up",
                    SECONDS);
        }
        if (wasInterrupted || isInterrupted) {
            Thread.currentThread().interrupt();
        }
        ending.throwFirst();
    }

    private void endAll(Consumer<Backend> step) {
        backends.forEach(running -> ending.run(() -> step.accept(running.backend())));
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

    private void end(Period.Running running) {
        Backend backend = quiet(running);
        ending.run(() -> endBuffers.accept(List.copyOf(running.buffers())));
        ending.run(() -> endBackend.accept(backend));
        ended.countDown();
    }

    /** Waits until the backend opens no sequence. The next thread that gets the lock finds that the period is over. */
    private static Backend quiet(Period.Running running) {
        running.opening().lock();
        try {
            return running.backend();
        } finally {
            running.opening().unlock();
        }
    }
}
