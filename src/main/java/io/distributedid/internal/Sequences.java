package io.distributedid.internal;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The open sequences of one SessionFactory or {@link io.distributedid.DistributedIds}, their backends and threads. Thread-safe.
 *
 * <p>A backend opens one sequence at a time, and may wait while it does; the others don't wait for it. Closing ends such a wait, and
 * closes the backends when no sequence is being opened any more. It alone holds the lock of all while it waits for those of backends.
 */
public final class Sequences implements AutoCloseable {

    private static final Set<String> SHARED_SETTINGS = Set.of(
            DistributedIdSettings.BACKEND,
            DistributedIdSettings.EXISTING_IDS,
            DistributedIdSettings.SHARD_FROM,
            DistributedIdSettings.SHARD_COUNT,
            DistributedIdSettings.SHARD_PATTERN,
            DistributedIdSettings.SHARD_RESOLVER,
            DistributedIdSettings.BLOCK_MIN,
            DistributedIdSettings.BLOCK_MAX,
            DistributedIdSettings.BLOCK_MAX_AGE,
            DistributedIdSettings.BLOCK_TIMEOUT);

    private record Open(Sequence sequence, Running running, IdSource source) {

        Backend backend() {
            return running.backend;
        }
    }

    /** A sequence that may be open or not. */
    private record Configured(Sequence sequence, Running running) {}

    /** @param opening held while it opens a sequence */
    private record Running(Backend backend, ReentrantLock opening) {}

    private final Settings settings;

    private final BackendProviders providers;

    private final Context context;

    private final Map<String, Open> open = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Map<BackendProvider, Running> backends = new HashMap<>();

    private volatile boolean closed;

    /**
     * Checks the names of the settings, and opens nothing yet.
     *
     * @param all settings of any kind; those of others are left alone
     * @param clock for backends that need one
     * @param ownDatabase the persistence unit's, if there is one
     * @throws IdConfigurationException if a setting is not known
     */
    public Sequences(Map<?, ?> all, InstantSource clock, Optional<ConnectionAccess> ownDatabase) {
        settings = Settings.of(all);
        providers = BackendProviders.installed();
        context = new Context(clock, ownDatabase);
        Set<String> known = new HashSet<>(SHARED_SETTINGS);
        configuredBackends().forEach(name -> known.addAll(name.settings()));
        SettingNames.check(settings, known);
    }

    /**
     * The tables that the configured backends need.
     *
     * @param all settings of any kind
     * @param database whose SQL is wanted
     * @return statements, each once
     */
    public static List<String> ddl(Map<?, ?> all, String database) {
        Settings settings = Settings.of(all);
        BackendProviders providers = BackendProviders.installed();
        Set<String> statements = new LinkedHashSet<>();
        Stream.concat(Stream.of(settings), settings.sequences().stream().map(settings::forSequence))
                .map(each -> providers.named(each, "DDL").ddl(each, database))
                .forEach(statements::addAll);
        return List.copyOf(statements);
    }

    /**
     * The settings that are read for all sequences, and that the installed backends read.
     *
     * @return full names
     */
    public static Set<String> settingNames() {
        Set<String> names = new TreeSet<>(SHARED_SETTINGS);
        BackendProviders.installed().all().forEach(provider -> names.addAll(provider.settings()));
        return names;
    }

    /**
     * The ids of a sequence, opened at the first call.
     *
     * @param name of the sequence
     * @param maxValue the largest id that the caller can store
     * @param usedBy who asks, for messages
     * @return its ids
     * @throws IdConfigurationException if they would not be unique or would not fit
     */
    public IdSource open(String name, long maxValue, String usedBy) {
        return opened(name, maxValue, usedBy).source;
    }

    /**
     * Takes an id apart. Opens the sequence if that is needed.
     *
     * @param name of its sequence
     * @param id one of its ids
     * @return its fields
     */
    public DecodedId decode(String name, long id) {
        Configured configured = configured(name, Long.MAX_VALUE, "decode");
        Backend backend = configured.running.backend;
        if (backend.time(configured.sequence).isPresent()) {
            return backend.decode(configured.sequence, id);
        }
        Open found = opened(name, Long.MAX_VALUE, "decode");
        return found.backend().decode(found.sequence, id);
    }

    /**
     * Where the time stands in the ids of a sequence. Opens nothing.
     *
     * @param name of the sequence
     * @return epoch, unit, width and place
     * @throws IdConfigurationException if its ids hold no time
     */
    public IdTime time(String name) {
        Configured configured = configured(name, Long.MAX_VALUE, "time");
        return configured
                .running
                .backend
                .time(configured.sequence)
                .orElseThrow(() -> new IdConfigurationException("The ids of a sequence must hold the time: seq=" + name
                        + ", allowed: sequences whose " + DistributedIdSettings.BACKEND + " is snowflake"));
    }

    /**
     * Where the logical shard stands in the ids of a sequence. Opens nothing.
     *
     * @param name of the sequence
     * @return width and place
     * @throws IdConfigurationException if its ids carry none
     */
    public IdShard shard(String name) {
        Configured configured = configured(name, Long.MAX_VALUE, "shard");
        return configured
                .running
                .backend
                .shard(configured.sequence)
                .orElseThrow(() -> new IdConfigurationException("The ids of a sequence must carry a shard: seq=" + name
                        + ", allowed: sequences whose layout has that field ("
                        + DistributedIdSettings.SNOWFLAKE_LAYOUT + "=sharded)"));
    }

    /**
     * What a sequence has done.
     *
     * @param name of an open sequence
     * @return empty if it is not open, or makes its ids without reserving any
     */
    public Optional<SequenceStatistics> statistics(String name) {
        return Optional.ofNullable(open.get(name))
                .map(Open::source)
                .filter(BlockBuffer.class::isInstance)
                .map(source -> ((BlockBuffer) source).statistics());
    }

    /**
     * How far the counters of a sequence have come.
     *
     * @param name of the sequence
     * @return the last id of each server that answers, by its label; empty if ids come from no counter
     */
    public Map<String, Long> counters(String name) {
        Open found = opened(name, Long.MAX_VALUE, "counters");
        return found.backend().counters(found.sequence);
    }

    /**
     * Makes sure that ids from now on lie above an id that exists.
     *
     * @param name of the sequence
     * @param existing the id
     * @param raise whether counters that lie below are raised; else the one that gives such ids is refused
     * @throws IdConfigurationException if it lies below and is not to be raised
     */
    public void requireAbove(String name, long existing, boolean raise) {
        Open found = opened(name, Long.MAX_VALUE, "cut-over");
        found.backend().requireAbove(found.sequence, existing, raise);
        if (raise && found.source instanceof BlockBuffer buffer) {
            buffer.discard();
        }
    }

    /**
     * Makes sure that the ids of a sequence lie above those in a table.
     *
     * @param name of the sequence
     * @param connection to the table's database
     * @param table as in SQL
     * @param column as in SQL, numeric
     * @throws IdConfigurationException if a counter lies below the ids that it gives
     * @throws SQLException if the table's database failed
     */
    public void requireAbove(String name, Connection connection, String table, String column) throws SQLException {
        Open found = opened(name, Long.MAX_VALUE, "cut-over");
        long step = found.backend().step(found.sequence);
        for (long existing : ExistingIds.maxOfEachRemainder(connection, table, column, step)) {
            found.backend().requireAbove(found.sequence, existing, false);
        }
    }

    private Open opened(String name, long maxValue, String usedBy) {
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
                found = new Open(sequence, running, running.backend.open(sequence));
                open.put(sequence.name(), found);
            }
            return found;
        } finally {
            running.opening.unlock();
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

    private Configured configured(String name, long maxValue, String usedBy) {
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

    private void requireNotClosed(Sequence sequence) {
        if (closed) {
            throw new IdUnavailableException("The source of ids is closed: " + sequence);
        }
    }

    private Set<BackendProvider> configuredBackends() {
        Set<BackendProvider> found = new HashSet<>(providers.all());
        settings.asMap().keySet().stream()
                .filter(key -> key.equals(DistributedIdSettings.BACKEND)
                        || (key.startsWith(DistributedIdSettings.SEQUENCE_PREFIX) && key.endsWith(".backend")))
                .map(key -> providers.named(settings, key, "the settings"))
                .forEach(found::add);
        return found;
    }

    /** Closes every sequence, backend and thread. Ids asked for afterwards are refused. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            backends.values().forEach(running -> running.backend.stopWaiting());
            List<Backend> quiet =
                    backends.values().stream().map(Sequences::quiet).toList();
            context.buffers.forEach(BlockBuffer::close);
            context.threads.close();
            quiet.forEach(Backend::close);
        } finally {
            lock.unlock();
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
