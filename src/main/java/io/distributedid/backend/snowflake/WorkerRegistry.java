package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.LedgerLeaseStore;
import io.distributedid.internal.lease.NoFreeNumberException;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreCheck;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.lease.StoreOperator;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.process.Holdings;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The workers of one backend, leased or fixed by {@code distributedid.snowflake.worker}. Sequences with the same
 * settings share a worker; those with the same store share what renews it. For one thread at a time, except
 * {@link #stopWaiting} and {@link #cut}.
 */
final class WorkerRegistry {

    private static final Logger LOG = System.getLogger(WorkerRegistry.class.getName());

    private record Taken(Worker worker, FixedNumber number) {}

    private static final Duration LONGEST_RUN_AHEAD = Duration.ofSeconds(5);

    /** So that a successor of a killed process starts within a second. */
    private static final StoreHeader.Terms FILE_TERMS = new StoreHeader.Terms(900, 1_000);

    /** The window of a predecessor, and a margin for a clock that NTP has set back. */
    private static final Duration FILE_START_WAIT = Duration.ofSeconds(2);

    private static final Duration FILE_PATIENCE = Duration.ofSeconds(10);

    /** Of a state file, beside the lease. */
    private static final String OWNER = "of";

    private final InstantSource clock;

    private final ClockWait clockWait;

    /**
     * The fixed numbers in use in this JVM, across class loaders. A number that was given back keeps the first id time
     * that was not used; its next holder in this JVM starts there. Another process may have used the number since.
     */
    private final Supplier<Holdings> numbers;

    private final Supplier<String> hostName;

    /** Holds the leases unless the settings name another store. */
    private final Optional<ConnectionAccess> applicationDatabase;

    private final Map<String, Taken> fixed = new HashMap<>();

    /** By what identifies the store: the place of the settings, or the path of a state file. */
    private final Map<Object, LeaseRunner> runners = new ConcurrentHashMap<>();

    /** The first sequence in strict order of each store: one process makes the ids of all. */
    private final Map<LeaseRunner, Sequence> strict = new HashMap<>();

    /** Those of stores and state files, by {@link #identity}. */
    private final Map<Object, Worker> leased = new HashMap<>();

    WorkerRegistry(
            InstantSource clock,
            Supplier<Holdings> numbers,
            Supplier<String> hostName,
            Optional<ConnectionAccess> applicationDatabase) {
        this.clock = clock;
        clockWait = new ClockWait(clock);
        this.numbers = numbers;
        this.hostName = hostName;
        this.applicationDatabase = applicationDatabase;
    }

    /**
     * The worker of a sequence. The first call takes it.
     *
     * @throws IdConfigurationException if the number is missing, out of range or taken, or the store has recorded
     *     another layout
     * @throws IdUnavailableException if nothing can be leased
     */
    Worker of(Sequence sequence, IdLayout layout, FixedFields values) {
        Settings settings = sequence.settings();
        if (!LeaseSettings.isLeased(settings, layout)) {
            return fixed(sequence, layout, FixedNumber.of(settings, layout, values, hostName));
        }
        requireNoStateFile(settings);
        LeaseRunner runner = runner(settings);
        if (LeaseSettings.isExclusive(settings)) {
            requireSameLease(sequence, strict.computeIfAbsent(runner, any -> sequence));
        }
        LayoutChange.require(runner, sequence.name(), layout);
        StoreHeader header = runner.header().orElseThrow();
        LeaseSettings.requireTerms(sequence, header, runner.label());
        Worker worker = leased.computeIfAbsent(identity(settings, layout), any -> lease(settings, layout, runner));
        if (worker instanceof LeasedWorker each) {
            each.lease(LeaseSettings.startWait(settings, header));
            Duration patience = settings.get(CoreSettings.BLOCK_TIMEOUT);
            if (!each.isStrict()) {
                awaitClock(each.window().from(), patience);
            }
            each.allowWait(patience);
            if (LeaseSettings.isFixed(settings, layout)) {
                each.take(FixedNumber.of(settings, layout, values, hostName).fields(), 0, clock.millis());
            }
        }
        return worker;
    }

    /** With two leases of one row, this process would stand by for itself. */
    private static void requireSameLease(Sequence sequence, Sequence first) {
        LeaseSettings.difference(sequence.settings(), first.settings()).ifPresent(setting -> {
            throw new IdConfigurationException(
                    "Sequences that share the store of the active process must have the same lease settings: "
                            + sequence.name() + " has another " + setting + " than " + first.name()
                            + ". Set the same value for both");
        });
    }

    private LeaseRunner runner(Settings settings) {
        return runners.computeIfAbsent(
                LeaseSettings.place(settings).identity(),
                any -> runner(LeaseSettings.place(settings).open(applicationDatabase), LeaseSettings.terms(settings)));
    }

    /**
     * How far the clocks of processes that lease may be apart, in milliseconds: as the store says, once it was read.
     */
    long skew(Settings settings, IdLayout layout) {
        return Optional.of(settings)
                .filter(each -> LeaseSettings.isLeased(each, layout))
                .map(each -> runners.get(LeaseSettings.place(each).identity()))
                .flatMap(LeaseRunner::header)
                .map(StoreHeader::skew)
                .orElseGet(() -> LeaseSettings.terms(settings).skew());
    }

    private LeaseRunner runner(LeaseStore store, StoreHeader.Terms begins) {
        return new LeaseRunner(store, begins, clock, Platform.JVM);
    }

    private Worker lease(Settings settings, IdLayout layout, LeaseRunner runner) {
        Duration patience = settings.get(CoreSettings.BLOCK_TIMEOUT);
        if (LeaseSettings.isExclusive(settings)) {
            return LeasedWorker.strict(runner, LeaseSettings.lease(settings), LeaseSettings.owner(settings), patience);
        }
        Right.Numbers wanted = wanted(settings, layout);
        if (LeaseSettings.isSingleUse(settings)) {
            return FixedWorker.neverUsed(runner.takeForSingleUse(wanted), clock.millis());
        }
        return LeasedWorker.ofNumber(runner, wanted, patience);
    }

    private static void requireNoStateFile(Settings settings) {
        settings.requireUnset(
                SnowflakeSettings.STATE_FILE,
                "nothing beside a leased worker number: its store remembers the time that is used up");
    }

    private Worker fixed(Sequence sequence, IdLayout layout, FixedNumber wanted) {
        Taken known = fixed.get(wanted.fields());
        if (known == null) {
            known = new Taken(take(wanted), wanted);
            fixed.put(wanted.fields(), known);
        }
        if (!known.number.file().equals(wanted.file())) {
            throw new IdConfigurationException("Sequences with the same worker number must have the same state file: "
                    + wanted.settings() + " has " + known.number.fileText() + ", asked for with " + wanted.fileText()
                    + ". Set distributedid.snowflake.state_file for all sequences");
        }
        if (known.worker instanceof LeasedWorker each) {
            LayoutChange.require(each.runner(), sequence.name(), layout);
        }
        return known.worker;
    }

    /**
     * Checks whether a worker could be taken. Takes none.
     *
     * @throws IdConfigurationException if the number is missing or out of range
     */
    List<CheckResult> check(Sequence sequence, IdLayout layout, FixedFields values) {
        Settings settings = sequence.settings();
        if (LeaseSettings.isLeased(settings, layout)) {
            requireNoStateFile(settings);
            Optional<Right.Numbers> wanted =
                    LeaseSettings.isExclusive(settings) ? Optional.empty() : Optional.of(wanted(settings, layout));
            try (LeaseStore store =
                    LeaseSettings.place(settings).withoutCreating().open(applicationDatabase)) {
                return new StoreCheck(
                                store,
                                clock,
                                wanted,
                                header -> LeaseSettings.requireTerms(sequence, header, store.label()))
                        .run(sequence.name(), LayoutChange.LAYOUT, layout.text());
            }
        }
        FixedNumber wanted = FixedNumber.of(settings, layout, values, hostName);
        return List.of(
                CheckResult.ok("worker", "", wanted.fields() + ", " + wanted.fileText()),
                CheckResult.unknown("other workers", "", "can't tell whether another process has the same number"));
    }

    /**
     * Identifies a leased worker: equal for sequences that share one. Takes none.
     *
     * @throws IdConfigurationException if the number is missing or out of range
     */
    private Object identity(Settings settings, IdLayout layout) {
        List<Object> identity = new ArrayList<>();
        identity.add(LeaseSettings.isExclusive(settings) ? LeaseSettings.lease(settings) : wanted(settings, layout));
        identity.add(settings.find(CoreSettings.SNOWFLAKE_WORKER));
        LeaseSettings.ALL.forEach(each -> identity.add(settings.given(each)));
        return identity;
    }

    /** The numbers of which one is leased. */
    private Right.Numbers wanted(Settings settings, IdLayout layout) {
        long max = layout.max(IdField.WORKER);
        Optional<Right.Numbers> range = LeaseSettings.numbers(settings, max);
        if (!LeaseSettings.isFixed(settings, layout)) {
            return range.orElse(new Right.Numbers(0, max));
        }
        range.ifPresent(each -> {
            throw settings.invalid(
                    LeaseSettings.NUMBERS,
                    each.first() + "-" + each.last(),
                    "nothing beside a fixed number; lease takes one of the range: "
                            + "distributedid.snowflake.worker=lease");
        });
        long number = FixedNumber.number(settings, layout, hostName);
        return new Right.Numbers(number, number);
    }

    /** No two backends of this JVM may have one number, even with different layouts, since ids of two may be equal. */
    private Worker take(FixedNumber wanted) {
        String left = numbers.get()
                .take(wanted.fields())
                .orElseThrow(() -> new IdConfigurationException(
                        "Two generators in one process must not have the same worker number: " + wanted.settings()
                                + ". Give each persistence unit its own number; in tests, where several contexts stay"
                                + " open, set distributedid.backend=memory"));
        try {
            OptionalLong unused = left.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(left));
            return wanted.file().isPresent()
                    ? stateFile(wanted.file().get(), wanted, unused)
                    : withoutStateFile(wanted, unused);
        } catch (RuntimeException e) {
            numbers.get().giveBack(wanted.fields(), left);
            throw e;
        }
    }

    private Worker withoutStateFile(FixedNumber wanted, OptionalLong unused) {
        if (unused.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Nothing remembers until when " + wanted.settings()
                            + " was used. Its ids are unique only if no other process has this number, and if no"
                            + " process starts with a clock behind that of the previous process: set back, or of"
                            + " another machine. Set distributedid.snowflake.state_file to a file that outlives the"
                            + " process, or distributedid.snowflake.worker=lease");
        }
        awaitClock(unused.orElse(0), LONGEST_RUN_AHEAD);
        long now = clock.millis();
        return FixedWorker.startingAt(wanted.number(), unused.orElse(now), now);
    }

    /** The last holder may have run ahead of the clock, by a second or two if its unit is a second. */
    private void awaitClock(long unused, Duration limit) {
        if (unused - clock.millis() > limit.toMillis()) {
            return;
        }
        clockWait.until(unused, "the former use of a worker number");
    }

    /** All sequences of this process with the same file share one worker. */
    private Worker stateFile(Path path, FixedNumber wanted, OptionalLong unused) {
        boolean isNew = !runners.containsKey(path);
        LeaseRunner runner = runners.computeIfAbsent(path, any -> runner(file(path), FILE_TERMS));
        try {
            String recorded = runner.layout("@owner", Fields.NONE.with(OWNER, wanted.owner()))
                    .text()
                    .get(OWNER)
                    .orElse("");
            if (!recorded.equals(wanted.owner())) {
                throw new IdConfigurationException("A state file must belong to one worker number: " + runner.label()
                        + " belongs to "
                        + recorded + ", but was asked for by " + wanted.owner() + ". Give each worker number its own"
                        + " file");
            }
            LeasedWorker worker = isNew
                    ? LeasedWorker.ofOnlyNumber(runner, wanted.number(), FILE_PATIENCE)
                    : (LeasedWorker) Objects.requireNonNull(leased.get(wanted.identity()));
            worker.lease(FILE_START_WAIT);
            worker.take(wanted.fields(), unused.orElse(0), clock.millis());
            leased.put(wanted.identity(), worker);
            return worker;
        } catch (NoFreeNumberException e) {
            throw clockWentBack(wanted.owner(), runner.label(), e);
        } finally {
            if (!leased.containsKey(wanted.identity()) && isNew) {
                runners.remove(path);
                runner.abandon();
            }
        }
    }

    /** This process holds the lock of the file, so the bound in it is of an earlier process. */
    private IdUnavailableException clockWentBack(String owner, String label, NoFreeNumberException e) {
        Instant now = clock.instant();
        return new IdUnavailableException(
                "The clock went back and ids are refused until it is right again: it is "
                        + (e.until() - now.toEpochMilli()) + " ms behind the time up to which " + owner
                        + " was reserved, clock=" + now + ", reserved until " + Instant.ofEpochMilli(e.until()) + " ("
                        + label + "), allowed: " + FILE_START_WAIT.toMillis()
                        + " ms. Set the clock; if it is right, and was ahead before, give this process another worker"
                        + " number and state file" + Pages.onCall("clock-back"),
                e);
    }

    /** Identifies the store that leases for a sequence; empty if nothing is leased. Takes nothing. */
    Optional<String> token(Settings settings, IdLayout layout) {
        return LeaseSettings.isLeased(settings, layout)
                ? Optional.of(runner(settings).token())
                : Optional.empty();
    }

    /** Carries out a command on the store of a sequence whose worker number is leased. */
    <T> T operate(Sequence sequence, IdLayout layout, boolean isDryRun, Function<StoreOperator, T> command) {
        try (LeaseStore store = store(sequence, layout, isDryRun)) {
            return command.apply(new StoreOperator(store, Platform.JVM, isDryRun));
        }
    }

    /** The store of a sequence whose worker number is leased, not connected yet. */
    LeaseStore store(Sequence sequence, IdLayout layout, boolean isDryRun) {
        if (!LeaseSettings.isLeased(sequence.settings(), layout)) {
            throw new IdConfigurationException("Only worker numbers that are leased have a store: seq="
                    + sequence.name() + ", allowed: distributedid.snowflake.worker=lease, single_use or exclusive, or a"
                    + " number beside snowflake.lease.server");
        }
        LeasePlace place = LeaseSettings.place(sequence.settings());
        return (isDryRun ? place.withoutCreating() : place).open(applicationDatabase);
    }

    /** Changes the layout that a store, or a state file, has recorded for a sequence. Returns the one before. */
    String changeLayout(Sequence sequence, IdLayout next, boolean allStopped) {
        try (LeaseStore store = recorded(sequence, next)) {
            LayoutChange change = new LayoutChange(sequence.name(), next, allStopped, store.label());
            return new StoreOperator(store, Platform.JVM, false)
                    .change(sequence.name(), change)
                    .get(LayoutChange.LAYOUT)
                    .orElseThrow();
        }
    }

    private LeaseStore recorded(Sequence sequence, IdLayout layout) {
        Settings settings = sequence.settings();
        if (LeaseSettings.isLeased(settings, layout)) {
            return store(sequence, layout, false);
        }
        return FixedNumber.of(settings, layout, FixedFields.of(settings, layout), hostName)
                .file()
                .filter(Files::exists)
                .map(this::file)
                .orElseThrow(() -> new IdConfigurationException("No layout is recorded for the sequence, so there is"
                        + " nothing to change: seq=" + sequence.name() + ". The store of leases records the layout, or"
                        + " the state file of a fixed worker number" + Pages.onCall("no-layout")));
    }

    private LeaseStore file(Path path) {
        return LedgerLeaseStore.file(path, "distributedid.snowflake.state_file=" + path, clock);
    }

    ClockWait clockWait() {
        return clockWait;
    }

    /** Ends waits for the clock or a taken number, now and later. Called by any thread. */
    void stopWaiting() {
        clockWait.close();
        runners.values().forEach(LeaseRunner::stopWaiting);
    }

    /** Ends calls to stores with an error. Called by any thread. */
    void cut() {
        runners.values().forEach(LeaseRunner::cut);
    }

    /**
     * Releases all workers. Called after their generators were closed.
     *
     * @param unused the first id time that no id of a worker has
     */
    void release(ToLongFunction<Worker> unused) {
        Map<LeaseRunner, Map<Right, Long>> rights = new HashMap<>();
        leased().forEach(each -> rights.computeIfAbsent(each.runner(), any -> new HashMap<>())
                .put(each.right(), unused.applyAsLong(each)));
        end(unused, runner -> runner.release(rights.getOrDefault(runner, Map.of())));
    }

    /** As {@link #release}, but hands nothing back. This process remembers what it used. */
    void abandon(ToLongFunction<Worker> unused) {
        end(unused, LeaseRunner::abandon);
    }

    private Stream<LeasedWorker> leased() {
        return leased.values().stream().filter(LeasedWorker.class::isInstance).map(LeasedWorker.class::cast);
    }

    private void end(ToLongFunction<Worker> unused, Consumer<LeaseRunner> end) {
        runners.values().forEach(end);
        fixed.forEach(
                (fields, taken) -> numbers.get().giveBack(fields, Long.toString(unused.applyAsLong(taken.worker))));
        fixed.clear();
        leased.clear();
    }
}
