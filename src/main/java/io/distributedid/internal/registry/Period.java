package io.distributedid.internal.registry;

import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceListener;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockBuffers;
import io.distributedid.internal.block.FetchThreads;
import io.distributedid.internal.keyed.KeyedBackend;
import io.distributedid.internal.keyed.KeyedBackendProvider;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds all resources from the start (or a resume) to the next suspend or the close: backends with their connections
 * and worker numbers, buffers with their blocks, threads. The next period uses none of them; it takes over only what
 * the abandoned backends know about their servers.
 *
 * <p>A backend opens one sequence at a time, and may wait meanwhile. Other backends do not wait for it.
 * {@link Shutdown} ends a period. Thread-safe.
 */
final class Period {

    /** @param opening the lock that is held while the backend opens a sequence */
    record Running(Backend backend, ReentrantLock opening, List<BlockBuffer> buffers) {}

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
        shutdown(BlockBuffers::close, Backend::close).run();
    }

    /** Ends the period, and gives nothing back: a copy of this process may use the same numbers. */
    void abandon() {
        shutdown(buffers -> buffers.forEach(BlockBuffer::stop), Backend::abandon)
                .run();
    }

    private Shutdown shutdown(Consumer<List<BlockBuffer>> endBuffers, Consumer<Backend> endBackend) {
        lock.lock();
        try {
            over = true;
            return new Shutdown(List.copyOf(backends.values()), threads, endBuffers, endBackend);
        } finally {
            lock.unlock();
        }
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
