package io.distributedid.internal;

import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceListener;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens sequences and their backends, and closes them. Thread-safe.
 *
 * <p>A backend opens one sequence at a time, and may wait while it does; the others don't wait for it. Closing ends such a wait, and
 * closes the backends when no sequence is being opened any more. It alone holds the lock of all while it waits for those of backends.
 */
final class OpenSequences implements AutoCloseable {

    private static final Logger LOG = System.getLogger(OpenSequences.class.getName());

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    record Open(Sequence sequence, Running running, IdSource source) {

        Backend backend() {
            return running.backend;
        }
    }

    /** A sequence that may be open or not. */
    record Configured(Sequence sequence, Running running) {

        Backend backend() {
            return running.backend;
        }
    }

    /** @param opening held while it opens a sequence */
    record Running(Backend backend, ReentrantLock opening) {}

    /** @param nanos when */
    record Failure(String said, long nanos) {

        /** Whether the next call will fail the same way, as far as anybody can tell. */
        boolean isFresh() {
            return System.nanoTime() - nanos < FRESH_NANOS;
        }
    }

    private final Settings settings;

    private final BackendProviders providers;

    private final TokenCheck tokens;

    private final Context context;

    private final Map<String, Open> open = new ConcurrentHashMap<>();

    /** What servers said when a sequence was to be opened, and none answered. */
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Map<BackendProvider, Running> backends = new HashMap<>();

    private final ReentrantLock telling = new ReentrantLock();

    /** Guarded by its own lock. */
    private final List<SequenceListener> listeners = new ArrayList<>();

    private volatile boolean closed;

    OpenSequences(
            Settings settings,
            BackendProviders providers,
            InstantSource clock,
            Optional<ConnectionAccess> ownDatabase,
            TokenCheck tokens) {
        this.settings = settings;
        this.providers = providers;
        this.tokens = tokens;
        context = new Context(clock, ownDatabase);
    }

    /** Those that are open, or could not be opened for want of servers. */
    NavigableSet<String> names() {
        NavigableSet<String> names = new TreeSet<>(open.keySet());
        names.addAll(failures.keySet());
        return names;
    }

    @Nullable
    Open find(String name) {
        return open.get(name);
    }

    /** Why a sequence could not be opened; null if it could, or nobody tried. */
    @Nullable
    Failure failure(String name) {
        return failures.get(name);
    }

    boolean isClosed() {
        return closed;
    }

    /** See {@link Sequences#open}. */
    Open opened(String name, long maxValue, String usedBy) {
        Open found = open.get(name);
        if (found == null) {
            found = openNow(configured(name, maxValue, usedBy));
        }
        if (found.sequence.maxValue() > maxValue) {
            throw new IdConfigurationException(
                    "All users of a sequence must store ids of the same width: " + found.sequence
                            + " stores up to " + found.sequence.maxValue() + ", " + usedBy + " up to " + maxValue
                            + ". Give one of them another sequence, or map both to the same type");
        }
        return found;
    }

    private Open openNow(Configured configured) {
        Sequence sequence = configured.sequence;
        Running running = configured.running;
        running.opening.lock();
        try {
            Open found = open.get(sequence.name());
            if (found == null) {
                requireNotClosed(sequence);
                requireShardIfSaid(sequence, running.backend);
                found = new Open(sequence, running, source(sequence, running.backend));
                tell(found);
            }
            return found;
        } finally {
            running.opening.unlock();
        }
    }

    private IdSource source(Sequence sequence, Backend backend) {
        try {
            IdSource source = backend.open(sequence);
            compareToken(sequence, backend, source);
            failures.remove(sequence.name());
            return source;
        } catch (IdUnavailableException e) {
            failures.put(sequence.name(), new Failure(FetchFailures.said(e), System.nanoTime()));
            throw e;
        }
    }

    private void compareToken(Sequence sequence, Backend backend, IdSource source) {
        boolean isGood = false;
        try {
            tokens.check(sequence, backend);
            isGood = true;
        } finally {
            if (!isGood && source instanceof BlockBuffer buffer) {
                // Each attempt to open the sequence makes one.
                context.buffers.remove(buffer);
                buffer.close();
            }
        }
    }

    private void tell(Open opened) {
        String name = opened.sequence.name();
        telling.lock();
        try {
            open.put(name, opened);
            listeners.forEach(listener -> tell(listener, each -> each.opened(name)));
        } finally {
            telling.unlock();
        }
    }

    /** Who only watches must not keep ids from being given. */
    private static void tell(SequenceListener listener, Consumer<SequenceListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "A listener failed: " + listener.getClass().getName(), e);
        }
    }

    /** Tells it at once of those that are open. */
    void add(SequenceListener listener) {
        telling.lock();
        try {
            if (!closed) {
                new TreeSet<>(open.keySet()).forEach(listener::opened);
                listeners.add(listener);
            }
        } finally {
            telling.unlock();
        }
    }

    /** Ids without a shard would be taken for ids with one. */
    private static void requireShardIfSaid(Sequence sequence, Backend backend) {
        Settings own = sequence.settings();
        Optional<String> from = own.text(DistributedIdSettings.SHARD_FROM);
        if (from.isPresent() && backend.shard(sequence).isEmpty()) {
            throw own.invalid(
                    DistributedIdSettings.SHARD_FROM,
                    from.get(),
                    "nothing, since the ids of " + sequence + " carry no shard: leave "
                            + DistributedIdSettings.SEQUENCE_PREFIX + sequence.name()
                            + ".shard.from empty, or choose a layout with a shard");
        }
    }

    /** Opens nothing, but may start the backend. */
    Configured configured(String name, long maxValue, String usedBy) {
        Open found = open.get(name);
        if (found != null) {
            return new Configured(found.sequence, found.running);
        }
        Sequence sequence = new Sequence(name, maxValue, usedBy, settings.forSequence(name));
        lock.lock();
        try {
            requireNotClosed(sequence);
            BackendProvider provider = providers.named(sequence.settings(), usedBy);
            Running running = backends.computeIfAbsent(
                    provider, chosen -> new Running(chosen.create(context), new ReentrantLock()));
            return new Configured(sequence, running);
        } finally {
            lock.unlock();
        }
    }

    /** What its backend finds; empty if it has no check of its own. */
    List<Finding> check(String name) {
        Configured configured = configured(name, Long.MAX_VALUE, "check");
        configured.running.opening.lock();
        try {
            requireNotClosed(configured.sequence);
            requireShardIfSaid(configured.sequence, configured.backend());
            return configured.backend().check(configured.sequence);
        } finally {
            configured.running.opening.unlock();
        }
    }

    private void requireNotClosed(Sequence sequence) {
        if (closed) {
            throw new IdUnavailableException("The source of ids is closed: " + sequence);
        }
    }

    /** See {@link Sequences#close}. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            backends.values().forEach(running -> running.backend.stopWaiting());
            List<Backend> quiet =
                    backends.values().stream().map(OpenSequences::quiet).toList();
            context.buffers.forEach(BlockBuffer::close);
            context.threads.close();
            quiet.forEach(Backend::close);
        } finally {
            lock.unlock();
        }
        telling.lock();
        try {
            listeners.forEach(listener -> tell(listener, SequenceListener::closed));
            listeners.clear();
        } finally {
            telling.unlock();
        }
    }

    /** A backend that opens nothing any more: whoever gets its lock next finds that all is closed. */
    private static Backend quiet(Running running) {
        running.opening.lock();
        try {
            return running.backend;
        } finally {
            running.opening.unlock();
        }
    }

    private static final class Context implements BackendContext {

        private final InstantSource clock;

        private final Optional<ConnectionAccess> ownDatabase;

        private final FetchThreads threads = new FetchThreads();

        private final List<BlockBuffer> buffers = new CopyOnWriteArrayList<>();

        Context(InstantSource clock, Optional<ConnectionAccess> ownDatabase) {
            this.clock = clock;
            this.ownDatabase = ownDatabase;
        }

        @Override
        public InstantSource clock() {
            return clock;
        }

        @Override
        public Optional<ConnectionAccess> ownDatabase() {
            return ownDatabase;
        }

        @Override
        public IdSource buffer(Sequence sequence, BlockSource source) {
            BlockBuffer buffer =
                    new BlockBuffer(sequence, source, BlockPolicy.of(sequence.settings()), threads, System::nanoTime);
            buffers.add(buffer);
            return buffer;
        }
    }
}
