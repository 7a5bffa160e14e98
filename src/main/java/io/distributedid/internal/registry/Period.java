package io.distributedid.internal.registry;

import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceListener;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockBuffers;
import io.distributedid.internal.block.FetchThreads;
import io.distributedid.internal.keyed.KeyedBackend;
import io.distributedid.internal.keyed.KeyedBackendProvider;
import io.distributedid.internal.process.Ending;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds all resources from the start (or a resume) to the next suspend or the close: backends with their connections
 * and worker numbers, buffers with their blocks, threads. The next period uses none of them; it takes over only what
 * the abandoned backends know about their servers.
 *
 * <p>A backend opens one sequence at a time, and may wait meanwhile. Other backends do not wait for it.
 *
 * <p>A period ends within {@value #SECONDS} s, however many servers hang. First, all waits are stopped. Then each
 * backend ends on its own thread, as soon as it opens no sequence: its buffers end, then the backend gives its
 * resources back. After {@value #QUIET_SECONDS} s the connections of the other backends are aborted, and they give
 * nothing back. A thread that still runs after {@value #SECONDS} s, in a driver or in a backend of a third party, is
 * left alone with a warning. A failure is thrown when all has ended. Thread-safe.
 */
final class Period {

    private static final Logger LOG = System.getLogger(Period.class.getName());

    private static final int SECONDS = 5;

    private static final int QUIET_SECONDS = 3;

    /** @param opening the lock that is held while the backend opens a sequence */
    record Running(Backend backend, ReentrantLock opening, List<BlockBuffer> buffers) {

        /** Runs work while the backend opens no sequence. */
        <T> T alone(Supplier<T> work) {
            opening.lock();
            try {
                return work.get();
            } finally {
                opening.unlock();
            }
        }
    }

    private final InstalledBackends installed;

    private final InstantSource clock;

    private final Optional<ConnectionAccess> applicationDatabase;

    private final SequenceListener listener;

    private final boolean isResumed;

    private final FetchThreads threads = new FetchThreads();

    private final ReentrantLock lock = new ReentrantLock();

    // The lock guards the fields from here on.

    private final Map<BackendProvider, Running> backends = new HashMap<>();

    /** The abandoned backends of former periods that this period has not replaced yet. */
    private final Map<BackendProvider, Backend> former = new HashMap<>();

    private boolean over;

    /**
     * @param listener of waits and fetches
     * @param before the abandoned period; null at the start
     */
    Period(
            InstalledBackends installed,
            InstantSource clock,
            Optional<ConnectionAccess> applicationDatabase,
            SequenceListener listener,
            @Nullable Period before) {
        this.installed = installed;
        this.clock = clock;
        this.applicationDatabase = applicationDatabase;
        this.listener = listener;
        isResumed = before != null;
        if (before != null) {
            former.putAll(before.former);
            before.backends.forEach((provider, running) -> former.put(provider, running.backend));
        }
    }

    InstantSource clock() {
        return clock;
    }

    /** Creates the backend at the first call. Throws {@link IdUnavailableException} if the period is over. */
    Running running(Sequence sequence) {
        return running(installed.named(sequence.settings(), sequence.usedBy()), sequence);
    }

    /** The connections of numbers per key. Throws {@link IdUnavailableException} if the period is over. */
    KeyedBackend keyed(Sequence sequence) {
        return (KeyedBackend) running(KeyedBackendProvider.INSTANCE, sequence).backend();
    }

    private Running running(BackendProvider provider, Sequence sequence) {
        lock.lock();
        try {
            if (over) {
                throw Periods.closed(sequence.toString());
            }
            Running known = backends.get(provider);
            if (known == null) {
                Context context = new Context(Optional.ofNullable(former.remove(provider)));
                known = new Running(provider.create(context), new ReentrantLock(), context.buffers);
                context.former = Optional.empty();
                backends.put(provider, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Closes a buffer, and removes it. */
    void close(BlockBuffer buffer) {
        lock.lock();
        try {
            backends.values().forEach(running -> running.buffers.remove(buffer));
        } finally {
            lock.unlock();
        }
        buffer.close();
    }

    /** Ends the period, and gives worker numbers back. */
    void close() {
        end(BlockBuffers::close, Backend::close);
    }

    /** Ends the period, and gives nothing back: a copy of this process may use the same numbers. */
    void abandon() {
        end(buffers -> buffers.forEach(BlockBuffer::stop), Backend::abandon);
    }

    /** Called once. An interrupt does not stop it. */
    private void end(Consumer<List<BlockBuffer>> endBuffers, Consumer<Backend> endBackend) {
        long began = System.nanoTime();
        boolean wasInterrupted = Thread.interrupted();
        Ending ending = new Ending();
        List<Running> all = leave();
        all.forEach(each -> ending.run(each.backend::stopWaiting));
        List<Thread> enders = all.stream()
                .map(each -> LibraryThread.named("distributedid-close", () -> {
                    // The next thread that gets the lock finds that the period is over.
                    Backend quiet = each.alone(each::backend);
                    ending.run(() -> endBuffers.accept(List.copyOf(each.buffers)));
                    ending.run(() -> endBackend.accept(quiet));
                }))
                .toList();
        enders.forEach(Thread::start);
        wasInterrupted |= await(enders, began, QUIET_SECONDS);
        if (enders.stream().anyMatch(Thread::isAlive)) {
            all.forEach(each -> ending.run(each.backend::cut));
            wasInterrupted |= await(enders, began, SECONDS);
        }
        threads.close();
        boolean haveEnded = threads.awaitEnd(Duration.ofNanos(left(began, SECONDS)));
        if (!haveEnded || enders.stream().anyMatch(Thread::isAlive)) {
            LOG.log(
                    Level.WARNING,
                    "Everything is closed, but a thread still waits for a server after {0} s. It ends when the driver"
                            + " gives up",
                    SECONDS);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        ending.throwFirst();
    }

    private List<Running> leave() {
        lock.lock();
        try {
            over = true;
            return List.copyOf(backends.values());
        } finally {
            lock.unlock();
        }
    }

    /** Waits for threads, and returns whether it was interrupted. */
    private static boolean await(List<Thread> enders, long began, int seconds) {
        boolean isInterrupted = false;
        for (Thread each : enders) {
            while (each.isAlive() && left(began, seconds) > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(each, left(began, seconds));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        return isInterrupted;
    }

    private static long left(long began, int seconds) {
        return TimeUnit.SECONDS.toNanos(seconds) - (System.nanoTime() - began);
    }

    private final class Context implements BackendContext {

        private final List<BlockBuffer> buffers = new CopyOnWriteArrayList<>();

        private final BlockBuffers made = new BlockBuffers(threads, listener, Platform.JVM);

        /** Set only while the backend is created: otherwise each period would keep all former ones in memory. */
        private Optional<Backend> former;

        Context(Optional<Backend> former) {
            this.former = former;
        }

        @Override
        public InstantSource clock() {
            return clock;
        }

        @Override
        public Optional<ConnectionAccess> applicationDatabase() {
            return applicationDatabase;
        }

        @Override
        public boolean isResumed() {
            return isResumed;
        }

        @Override
        public Optional<Backend> former() {
            return former;
        }

        @Override
        public IdSource buffer(Sequence sequence, BlockSource source) {
            BlockBuffer buffer = made.buffer(sequence, source);
            buffers.add(buffer);
            return buffer;
        }

        @Override
        public void waited(String sequence, Duration time) {
            listener.waited(sequence, time);
        }
    }
}
