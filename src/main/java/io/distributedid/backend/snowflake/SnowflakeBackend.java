package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.StoreOperator;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The backend for Twitter's Snowflake and its relatives: this process composes ids of any layout. Each sequence has its
 * own {@link SnowflakeGenerator}. Its {@link Worker} keeps the ids of different processes apart.
 *
 * <p>One class, though long: most of it implements the operations of {@link Backend} by one call each.
 */
final class SnowflakeBackend implements Backend, ComposedIds, Maintenance {

    private static final Logger LOG = System.getLogger(SnowflakeBackend.class.getName());

    /** An open sequence, with the token of its worker store. */
    private record Opened(SnowflakeGenerator generator, Optional<String> token) {}

    private final InstantSource clock;

    private final WorkerRegistry workers;

    private final boolean isResumed;

    private final BiConsumer<String, Duration> waited;

    /** By the name of the sequence. */
    private final Map<String, Opened> opened = new ConcurrentHashMap<>();

    private final List<SnowflakeGenerator> running = new ArrayList<>();

    /** By the settings that describe them: most sequences have the same one. */
    private final Map<List<Object>, IdLayout> layouts = new ConcurrentHashMap<>();

    /**
     * @param isResumed whether other copies of this process may run
     * @param waited called with the sequence and the time of each wait
     */
    SnowflakeBackend(
            InstantSource clock, WorkerRegistry workers, boolean isResumed, BiConsumer<String, Duration> waited) {
        this.clock = clock;
        this.workers = workers;
        this.isResumed = isResumed;
        this.waited = waited;
    }

    @Override
    public IdSource open(Sequence sequence) {
        IdLayout layout = layout(sequence);
        Settings settings = sequence.settings();
        FixedFields values = FixedFields.of(settings, layout);
        requireValid(sequence, layout);
        Worker worker = workers.of(sequence, layout, values);
        Pace pace = Pace.of(settings, layout, workers.skew(settings, layout));
        SnowflakeGenerator generator = new SnowflakeGenerator(
                new WaitStatistics(sequence.name(), System::nanoTime, time -> waited.accept(sequence.name(), time)),
                layout,
                worker,
                clock,
                pace.maxAhead(),
                pace.tolerance(),
                bound -> ThreadLocalRandom.current().nextLong(bound));
        if (worker instanceof LeasedWorker each) {
            each.add(generator);
        }
        running.add(generator);
        opened.put(sequence.name(), new Opened(generator, workers.token(settings, layout)));
        long fields = values.all();
        return layout.shard()
                .filter(any -> FixedFields.isSharded(settings))
                .<IdSource>map(shard -> new SnowflakeSource.Sharded(
                        generator, fields, shard.shift(), CoreSettings.shards(settings, shard.count())))
                .orElseGet(() -> new SnowflakeSource(generator, fields));
    }

    /** Checks the settings of a sequence. Takes no worker. */
    private void requireValid(Sequence sequence, IdLayout layout) {
        requireMatching(sequence.settings(), layout);
        layout.requireFit(
                sequence,
                "Map the property to a 64-bit type, or set " + Setting.SEQUENCE_PREFIX + sequence.name()
                        + ".backend to ticket or sequence_table");
        Settings settings = sequence.settings();
        if (isResumed) {
            FixedNumber.requireNotCopied(settings, layout);
        }
        Pace unused = Pace.of(settings, layout, LeaseSettings.terms(settings).skew());
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
                    "nothing with distributedid.snowflake.worker=exclusive, whose store remembers the time that is used"
                            + " up");
        }
        LeaseSettings.requireNothingUnused(settings);
    }

    /** Takes no worker. */
    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        IdLayout layout = layout(sequence);
        FixedFields values = FixedFields.of(sequence.settings(), layout);
        requireValid(sequence, layout);
        List<CheckResult> results = new ArrayList<>();
        results.add(CheckResult.ok("layout", "", layout.toString()));
        results.addAll(workers.check(sequence, layout, values));
        return results;
    }

    /** The token of the worker store. */
    @Override
    public Optional<String> token(Sequence sequence) {
        return Optional.ofNullable(opened.get(sequence.name()))
                .map(Opened::token)
                .orElseGet(() -> workers.token(sequence.settings(), layout(sequence)));
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

    @Override
    public Optional<Instant> init(Sequence sequence) {
        return opens(
                workers.operate(sequence, layout(sequence), false, operator -> init(sequence.settings(), operator)));
    }

    private static long init(Settings settings, StoreOperator operator) {
        return operator.init(LeaseSettings.terms(settings), LeaseSettings.isWindowGiven(settings));
    }

    private static Optional<Instant> opens(long millis) {
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    /** A place of worker numbers has a token, and no counter. */
    @Override
    public long move(List<Sequence> from, Sequence to, CounterMove move) {
        switch (move.kind()) {
            case PLACE -> moveStore(from, to, move);
            case REPAIR ->
                workers.operate(to, layout(to), move.isDryRun(), operator -> {
                    move.confirm().accept(jump(operator));
                    warn(to, operator.repair());
                    return 0;
                });
            case NEW_SPACE ->
                workers.operate(to, layout(to), move.isDryRun(), operator -> {
                    if (operator.token().isEmpty()) {
                        warn(to, init(to.settings(), operator));
                    }
                    remember(move, operator);
                    return 0;
                });
            case END ->
                throw new IdConfigurationException("A store of worker numbers has no counter that could end: seq="
                        + to.name() + ". To continue with counters, stop all processes, and run with the new settings:"
                        + " distributedid move " + to.name()
                        + " --new-space --above <largest id in use> --database URL");
            case LOST ->
                throw new IdConfigurationException("--lost is for counters, not for worker numbers: seq=" + to.name()
                        + ". If the store of leases is lost for good, initialize another, and record it in the"
                        + " databases of the entities: distributedid init "
                        + to.name() + ", and distributedid move "
                        + to.name() + " --new-space --database URL");
        }
        return 0;
    }

    private void moveStore(List<Sequence> from, Sequence to, CounterMove move) {
        if (from.size() > 1) {
            throw new IdConfigurationException("Places of worker numbers can't be merged: seq=" + to.name() + " from="
                    + from.size() + " places. Name one");
        }
        Sequence before = from.get(0);
        try (LeaseStore target = workers.store(to, layout(to), move.isDryRun())) {
            workers.operate(before, layout(before), move.isDryRun(), operator -> {
                Jump jump = jump(operator);
                Set<String> others = new TreeSet<>(move.tokens());
                others.removeAll(jump.tokens());
                StoreOperator there = new StoreOperator(target, operator.platform(), move.isDryRun());
                // An earlier attempt may have told some databases.
                if (!others.isEmpty() && !there.token().map(Set::of).equals(Optional.of(others))) {
                    throw new IdConfigurationException("The databases of the entities remember another place than "
                            + operator.store().label() + ": token=" + others + ". Name the settings of that place:"
                            + " --from");
                }
                move.confirm().accept(jump);
                warn(to, operator.move(target));
                remember(move, there);
                return 0;
            });
        }
    }

    private static Jump jump(StoreOperator operator) {
        return new Jump(Map.of(), operator.token().map(Set::of).orElse(Set.of()), 0);
    }

    private static void remember(CounterMove move, StoreOperator operator) {
        if (!move.isDryRun()) {
            move.remember().accept(operator.token().orElseThrow());
        }
    }

    private static void warn(Sequence sequence, long opens) {
        opens(opens)
                .ifPresent(time -> LOG.log(
                        Level.WARNING,
                        "The store of leases has lost leases, and gives none before " + time + ": seq="
                                + sequence.name()));
    }

    @Override
    public String changeLayout(Sequence sequence, boolean allStopped) {
        return workers.changeLayout(sequence, layout(sequence), allStopped);
    }

    private IdLayout layout(Sequence sequence) {
        Settings settings = sequence.settings();
        return layouts.computeIfAbsent(
                List.of(settings.get(LayoutParser.SNOWFLAKE_LAYOUT), settings.given(LayoutParser.SNOWFLAKE_EPOCH)),
                any -> LayoutParser.of(settings, clock.instant()));
    }

    /** Compares the time in each id with the clock. Takes no id. */
    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        SnowflakeGenerator generator = Objects.requireNonNull(opened.get(sequence.name())).generator;
        existing.stream()
                .filter(id -> id != 0)
                .forEach(id -> existingIds(sequence)
                        .require(id, raise, raise ? generator::raiseAbove : generator::startAbove));
    }

    @Override
    public Optional<CheckResult> checkAbove(Sequence sequence, long existing) {
        return Optional.of(existingIds(sequence).find(existing));
    }

    private ExistingIdCheck existingIds(Sequence sequence) {
        IdLayout layout = layout(sequence);
        return new ExistingIdCheck(sequence, layout, workers.clockWait(), workers.skew(sequence.settings(), layout));
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.ofNullable(opened.get(sequence.name())).map(each -> each.generator.statistics());
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
        workers.stopWaiting();
    }

    @Override
    public void cut() {
        workers.cut();
    }

    @Override
    public void abandon() {
        workers.abandon(closeGenerators());
    }

    @Override
    public void close() {
        workers.release(closeGenerators());
    }

    /** Closes all generators. Returns, for each worker, the first id time that it has not used. */
    private ToLongFunction<Worker> closeGenerators() {
        IdentityHashMap<Worker, Long> unused = new IdentityHashMap<>();
        running.forEach(each -> unused.merge(each.worker(), each.close(), Math::max));
        running.clear();
        return worker -> unused.getOrDefault(worker, worker.window().from());
    }
}
