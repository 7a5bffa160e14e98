package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.backend.snowflake.SnowflakeSettings.CountedBy;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The backend for Twitter's Snowflake and its relatives: this process composes ids of any layout. Each sequence has its
 * own {@link SnowflakeGenerator}, or all share one, see {@code distributedid.snowflake.counter}. Its {@link Worker}
 * keeps the ids of different processes apart. With {@code snowflake.worker=exclusive} there is one
 * {@link StrictGenerator} instead, and its {@link ExclusivePlace} keeps them apart.
 *
 * <p>One class, though long: most of it implements the operations of {@link Backend} by one call each.
 */
final class SnowflakeBackend implements Backend {

    /** Stands for the sequence in events of a shared counter. */
    private static final String SHARED = "(shared)";

    private record Running(Worker worker, SnowflakeGenerator generator) {}

    /** What sequences that share a counter must have in common. {@code worker} identifies a worker not yet taken. */
    private record Common(IdLayout layout, long dataCentre, Object worker, Pace pace) {}

    private record First(Common common, String sequence) {}

    private record Shared(First first, Running running) {}

    private record SharedStrict(First first, StrictGenerator generator) {}

    private final InstantSource clock;

    private final WorkerRegistry workers;

    private final ExclusiveRegistry exclusive;

    private final boolean isResumed;

    private final BiConsumer<String, Duration> waited;

    /** The names of the sequences that share one counter. */
    private final Set<String> sharing = ConcurrentHashMap.newKeySet();

    private final List<Running> running = new ArrayList<>();

    private final Map<String, OpenGenerator> generators = new ConcurrentHashMap<>();

    private final Map<String, String> tokens = new ConcurrentHashMap<>();

    /** By the name of the sequence. */
    private final Map<String, IdLayout> layouts = new ConcurrentHashMap<>();

    /** By the settings that describe them: most sequences have the same one. */
    private final Map<List<Object>, IdLayout> parsed = new ConcurrentHashMap<>();

    private final CountDownLatch closing = new CountDownLatch(1);

    private @Nullable Shared shared;

    private @Nullable SharedStrict sharedStrict;

    private @Nullable First firstChecked;

    /**
     * @param isResumed whether other copies of this process may run
     * @param waited called with the sequence and the time of each wait
     */
    SnowflakeBackend(
            InstantSource clock,
            WorkerRegistry workers,
            ExclusiveRegistry exclusive,
            boolean isResumed,
            BiConsumer<String, Duration> waited) {
        this.clock = clock;
        this.workers = workers;
        this.exclusive = exclusive;
        this.isResumed = isResumed;
        this.waited = waited;
    }

    @Override
    public IdSource open(Sequence sequence) {
        IdLayout layout = layout(sequence);
        Settings settings = sequence.settings();
        FixedFields values = FixedFields.of(settings, layout);
        Common common = common(sequence, layout, values);
        CountedBy counter = counter(settings);
        First first = firstShared();
        if (counter == CountedBy.SHARED && first != null) {
            // Before taking a worker that would not be used.
            requireShareable(sequence, common, first);
        }
        if (LeaseSettings.isExclusive(settings)) {
            return openStrict(sequence, common);
        }
        Worker worker = workers.of(settings, layout, values);
        worker.requireLayout(sequence.name(), layout);
        SnowflakeGenerator generator = counter == CountedBy.SHARED
                ? shared(sequence, common, worker).running.generator
                : start(sequence.name(), common, worker, time -> waited.accept(sequence.name(), time)).generator;
        generators.put(sequence.name(), generator);
        worker.storeToken()
                .filter(token -> LeaseSettings.isLeased(settings))
                .ifPresent(token -> tokens.put(sequence.name(), token));
        long fields = values.all();
        if (FixedFields.isSharded(settings)) {
            return sharded(generator, fields, layout, settings);
        }
        return new SnowflakeSource(generator, fields);
    }

    private StrictGenerator openStrict(Sequence sequence, Common common) {
        ExclusivePlace place = exclusive.of(sequence, common.layout);
        StrictGenerator generator = counter(sequence.settings()) == CountedBy.SHARED
                ? sharedStrict(sequence, common, place)
                : startStrict(sequence.name(), common, place, time -> waited.accept(sequence.name(), time));
        generators.put(sequence.name(), generator);
        tokens.put(sequence.name(), place.token());
        return generator;
    }

    private StrictGenerator sharedStrict(Sequence sequence, Common common, ExclusivePlace place) {
        sharing.add(sequence.name());
        SharedStrict known = sharedStrict;
        if (known == null) {
            known = new SharedStrict(
                    new First(common, sequence.name()), startStrict(SHARED, common, place, this::allWaited));
            sharedStrict = known;
        }
        return known.generator;
    }

    private static StrictGenerator startStrict(
            String sequence, Common common, ExclusivePlace place, Consumer<Duration> listener) {
        return place.start(
                new WaitStatistics(sequence, System::nanoTime, listener), common.layout, common.pace.maxAhead());
    }

    private @Nullable First firstShared() {
        if (shared != null) {
            return shared.first;
        }
        return sharedStrict == null ? null : sharedStrict.first;
    }

    private static CountedBy counter(Settings settings) {
        return settings.get(SnowflakeSettings.COUNTER);
    }

    private Common common(Sequence sequence, IdLayout layout, FixedFields values) {
        requireMatching(sequence.settings(), layout);
        layout.requireFit(
                sequence,
                "Map the property to a 64-bit type, or set " + Setting.SEQUENCE_PREFIX + sequence.name()
                        + ".backend to ticket or sequence_table");
        Settings settings = sequence.settings();
        if (isResumed) {
            CopiedNumbers.requireNotCopied(settings, layout);
        }
        return new Common(
                layout, values.dataCentre(), workers.identity(settings, layout, values), Pace.of(settings, layout));
    }

    /** One process at a time, or a field that tells processes apart. */
    private static void requireMatching(Settings settings, IdLayout layout) {
        boolean isExclusive = LeaseSettings.isExclusive(settings);
        if (isExclusive && layout.tellsProcessesApart()) {
            throw settings.invalid(
                    CoreSettings.SNOWFLAKE_WORKER,
                    settings.get(CoreSettings.SNOWFLAKE_WORKER),
                    "only with layouts of time and sequence alone: " + layout + ". For ids in strict order set "
                            + "distributedid.snowflake.layout=strict; for ids of several processes at a"
                            + " time set distributedid.snowflake.worker=lease");
        }
        if (!isExclusive && !layout.tellsProcessesApart()) {
            throw new IdConfigurationException("A layout must have a field that tells processes apart: " + layout
                    + ", allowed: worker, data_centre, business, shard. For ids in strict order, which one process at a"
                    + " time makes, set distributedid.snowflake.worker=exclusive");
        }
        if (isExclusive) {
            settings.requireUnset(
                    SnowflakeSettings.STATE_FILE,
                    "nothing with distributedid.snowflake.worker"
                            + "=exclusive, whose store remembers how far ids have come");
        }
        LeaseSettings.requireNothingUnused(settings);
    }

    /** Takes no worker. */
    @Override
    public List<CheckResult> check(Sequence sequence) {
        IdLayout layout = layout(sequence);
        Settings settings = sequence.settings();
        FixedFields values = FixedFields.of(settings, layout);
        Common common = common(sequence, layout, values);
        if (counter(settings) == CountedBy.SHARED) {
            First open = firstShared();
            First first = open == null ? firstChecked : open;
            if (first == null) {
                firstChecked = new First(common, sequence.name());
            } else {
                requireShareable(sequence, common, first);
            }
        }
        List<CheckResult> results = new ArrayList<>();
        results.add(CheckResult.ok("layout", "", layout.toString()));
        results.addAll(workers.check(sequence, layout, values));
        return results;
    }

    /** The token of the worker store. */
    @Override
    public Optional<String> token(Sequence sequence) {
        Optional<String> open = Optional.ofNullable(tokens.get(sequence.name()));
        return open.isPresent() ? open : workers.token(sequence.settings(), layout(sequence));
    }

    /** Processes whose ids differ in one of these fields may lease from different stores. */
    @Override
    public String idSpace(Sequence sequence) {
        IdLayout layout = layout(sequence);
        DecodedId fields =
                layout.decode(FixedFields.of(sequence.settings(), layout).all() | layout.place(IdField.SEQUENCE, 1));
        return sequence.name()
                + Stream.of(IdField.DATA_CENTRE, IdField.BUSINESS, IdField.SHARD)
                        .filter(layout::has)
                        .filter(field -> field != IdField.SHARD || !FixedFields.isSharded(sequence.settings()))
                        .map(field -> "/" + field.label() + "=" + fields.field(field.label()))
                        .collect(Collectors.joining());
    }

    /** Only tells the databases of the entities that the place counts for itself. */
    @Override
    public long move(List<Sequence> from, Sequence to, CounterMove move) {
        if (move.kind() == CounterMove.Kind.REPAIR) {
            return Backend.super.move(from, to, move);
        }
        if (move.kind() != CounterMove.Kind.NEW_SPACE) {
            throw notEnded(to);
        }
        String token = token(to)
                .orElseThrow(() -> new IdConfigurationException(
                        "Only a sequence that counts, or whose worker numbers are leased, has a place: seq="
                                + to.name()
                                + ". Its worker number is fixed, so it has no worker store"));
        if (!move.isDryRun()) {
            move.remember().accept(token);
        }
        return 0;
    }

    private static IdConfigurationException notEnded(Sequence sequence) {
        return new IdConfigurationException("A place of worker numbers does not end, and has no counter: seq="
                + sequence.name()
                + ". To move it, set distributedid.snowflake.lease.moving_from.* to the old place and run:"
                + " distributedid move-workers " + sequence.name()
                + "; or stop all processes, wait until their windows are over, and run with the new settings:"
                + " distributedid move " + sequence.name() + " --new-space --database URL");
    }

    @Override
    public List<CheckResult> finishMove(Sequence sequence, boolean force) {
        return workers.finishMove(sequence, layout(sequence), force);
    }

    @Override
    public String changeLayout(Sequence sequence, boolean allStopped) {
        Settings settings = sequence.settings();
        IdLayout layout = layout(sequence);
        return workers.changeLayout(settings, sequence.name(), layout, FixedFields.of(settings, layout), allStopped);
    }

    private static ShardedIdSource sharded(
            SnowflakeGenerator generator, long fields, IdLayout layout, Settings settings) {
        long most = layout.max(IdField.SHARD) + 1;
        long count = CoreSettings.shards(settings, most);
        int shift = layout.shard().orElseThrow().shift();
        return new ShardedSnowflakeSource(generator, fields, shift, count);
    }

    private static void requireShareable(Sequence sequence, Common common, First first) {
        if (!first.common.equals(common)) {
            String fields = FixedFields.ofProcess(first.common.layout).stream()
                    .map(IdField::label)
                    .collect(Collectors.joining(", "));
            throw new IdConfigurationException(
                    "Sequences that share a counter must have the same layout, max_ahead, clock_tolerance, "
                            + (fields.isEmpty() ? "" : fields + ", ") + "and lease settings or state_file: "
                            + sequence.name() + " has other ones than "
                            + first.sequence
                            + ". Set them alike, or " + Setting.SEQUENCE_PREFIX + sequence.name()
                            + ".snowflake.counter=sequence");
        }
    }

    private Shared shared(Sequence sequence, Common common, Worker worker) {
        sharing.add(sequence.name());
        Shared known = shared;
        if (known == null) {
            known = new Shared(new First(common, sequence.name()), start(SHARED, common, worker, this::allWaited));
            shared = known;
        } else {
            known.running.generator.startAboveFormerUse();
        }
        return known;
    }

    private void allWaited(Duration time) {
        sharing.forEach(name -> waited.accept(name, time));
    }

    private Running start(String sequence, Common common, Worker worker, Consumer<Duration> listener) {
        Running started = new Running(
                worker,
                new SnowflakeGenerator(
                        new WaitStatistics(sequence, System::nanoTime, listener),
                        common.layout,
                        worker,
                        clock,
                        common.pace.maxAhead(),
                        common.pace.tolerance(),
                        bound -> ThreadLocalRandom.current().nextLong(bound)));
        running.add(started);
        return started;
    }

    private IdLayout layout(Sequence sequence) {
        return layouts.computeIfAbsent(sequence.name(), name -> {
            Settings settings = sequence.settings();
            List<Object> described =
                    List.of(settings.get(LayoutParser.SNOWFLAKE_LAYOUT), settings.given(LayoutParser.SNOWFLAKE_EPOCH));
            return parsed.computeIfAbsent(described, any -> LayoutParser.of(settings, clock.instant()));
        });
    }

    /** Compares the time in each id with the clock. Takes no id. */
    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        existing.forEach(id -> requireAbove(sequence, id.longValue(), raise));
    }

    private void requireAbove(Sequence sequence, long existing, boolean raise) {
        if (existing != 0) {
            OpenGenerator generator = Objects.requireNonNull(generators.get(sequence.name()));
            existingIds(sequence)
                    .require(existing, raise, raise ? generator::raiseAbove : generator::startAbove, closing);
        }
    }

    @Override
    public Optional<CheckResult> checkAbove(Sequence sequence, long existing) {
        return Optional.of(existingIds(sequence).find(existing));
    }

    private ExistingIdCheck existingIds(Sequence sequence) {
        return new ExistingIdCheck(sequence, layout(sequence), clock);
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.ofNullable(generators.get(sequence.name())).map(OpenGenerator::statistics);
    }

    @Override
    public Optional<IdTime> time(Sequence sequence) {
        return Optional.of(layout(sequence).time());
    }

    @Override
    public Optional<IdShard> shard(Sequence sequence) {
        return layout(sequence).shard();
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return layout(sequence).decode(id);
    }

    @Override
    public void stopWaiting() {
        closing.countDown();
        workers.stopWaiting();
    }

    @Override
    public void cut() {
        workers.cut();
    }

    @Override
    public void abandon() {
        exclusive.abandon();
        workers.abandon(closeGenerators());
    }

    @Override
    public void close() {
        exclusive.release();
        workers.release(closeGenerators());
    }

    /** Closes all generators. Returns, for each worker, the first id time that it has not used. */
    private ToLongFunction<Worker> closeGenerators() {
        IdentityHashMap<Worker, Long> unused = new IdentityHashMap<>();
        running.forEach(each -> unused.merge(each.worker, each.generator.close(), Math::max));
        running.clear();
        return worker -> unused.getOrDefault(worker, worker.window().from());
    }
}
