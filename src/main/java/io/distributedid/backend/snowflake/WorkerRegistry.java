package io.distributedid.backend.snowflake;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.ClockWait;
import io.distributedid.backend.snowflake.lease.FileLease;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.backend.snowflake.lease.LeaseRegistry;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.backend.snowflake.lease.NumberRange;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The workers of one backend, leased or fixed by {@code distributedid.snowflake.worker}. Sequences with the same
 * settings share a worker. For one thread at a time, except {@link #stopWaiting} and {@link #cut}.
 */
final class WorkerRegistry {

    private static final Logger LOG = System.getLogger(WorkerRegistry.class.getName());

    private record Taken(Worker worker, FixedNumber number) {}

    private record StateFile(LeasedWorker worker, String owner) {}

    private static final Duration LONGEST_RUN_AHEAD = Duration.ofSeconds(5);

    private final InstantSource clock;

    private final NumbersInUse numbers;

    private final Supplier<String> hostName;

    private final LeaseRegistry leases;

    private final Map<String, Taken> fixed = new HashMap<>();

    private final Map<Path, StateFile> stateFiles = new HashMap<>();

    private final CountDownLatch closing = new CountDownLatch(1);

    private final IdentityHashMap<Lease, LeasedWorker> leased = new IdentityHashMap<>();

    WorkerRegistry(InstantSource clock, NumbersInUse numbers, Supplier<String> hostName, LeaseRegistry leases) {
        this.clock = clock;
        this.numbers = numbers;
        this.hostName = hostName;
        this.leases = leases;
    }

    /**
     * The worker of a sequence. The first call takes it.
     *
     * @throws IdConfigurationException if the number is missing, out of range or taken
     * @throws io.distributedid.IdUnavailableException if no number can be leased
     */
    Worker of(Settings settings, IdLayout layout, FixedFields values) {
        if (isLeased(settings, layout)) {
            requireNoStateFile(settings);
            Lease lease = leases.of(settings, leasable(settings, layout));
            LeasedWorker worker = leased.computeIfAbsent(lease, LeasedWorker::new);
            if (LeaseSettings.isFixed(settings, layout)) {
                worker.take(FixedNumber.of(settings, layout, values, hostName).fields(), 0, clock.millis());
            }
            return worker;
        }
        FixedNumber wanted = FixedNumber.of(settings, layout, values, hostName);
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
        return known.worker;
    }

    private static void requireNoStateFile(Settings settings) {
        settings.requireUnset(
                SnowflakeSettings.STATE_FILE, "nothing beside a leased worker number, whose use its store remembers");
    }

    /**
     * Checks whether a worker could be taken. Takes none.
     *
     * @throws IdConfigurationException if the number is missing or out of range
     */
    List<CheckResult> check(Sequence sequence, IdLayout layout, FixedFields values) {
        Settings settings = sequence.settings();
        if (isLeased(settings, layout)) {
            requireNoStateFile(settings);
            return leases.check(settings, leasable(settings, layout), sequence.name(), layout.text());
        }
        FixedNumber wanted = FixedNumber.of(settings, layout, values, hostName);
        return List.of(
                CheckResult.ok("worker", "", wanted.fields() + ", " + wanted.fileText()),
                CheckResult.unknown("other workers", "", "whether another process has the same number can't be seen"));
    }

    /**
     * Changes the recorded layout of a sequence, see {@link LeaseRegistry#changeLayout}.
     *
     * @throws IdConfigurationException if no layout is recorded, or it can't be changed now
     */
    String changeLayout(Settings settings, String sequence, IdLayout layout, FixedFields values, boolean allStopped) {
        if (isLeased(settings, layout)) {
            return leases.changeLayout(settings, sequence, layout, allStopped);
        }
        FixedNumber number = FixedNumber.of(settings, layout, values, hostName);
        Path file = number.file()
                .orElseThrow(
                        () -> new IdConfigurationException("Only worker stores and state files record a layout: seq="
                                + sequence + " has " + number.fields() + " without a state file, so there is no record"
                                + " to change. Set the new layout, and start the processes"));
        return FileLease.changeLayout(file, number.owner(), number.number(), sequence, layout, clock);
    }

    /**
     * Identifies a worker: equal for sequences that share one. Takes none.
     *
     * @throws IdConfigurationException if the number is missing or out of range
     */
    Object identity(Settings settings, IdLayout layout, FixedFields values) {
        if (isLeased(settings, layout)) {
            return leases.identity(settings, leasable(settings, layout));
        }
        return FixedNumber.of(settings, layout, values, hostName).identity();
    }

    private static boolean isLeased(Settings settings, IdLayout layout) {
        return LeaseSettings.isExclusive(settings) || (layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings));
    }

    private NumberRange leasable(Settings settings, IdLayout layout) {
        if (LeaseSettings.isExclusive(settings)) {
            return NumberRange.NONE;
        }
        Optional<NumberRange> range = NumberRange.of(settings, layout.max(IdField.WORKER));
        if (!LeaseSettings.isFixed(settings, layout)) {
            return range.orElse(new NumberRange(0, layout.max(IdField.WORKER)));
        }
        range.ifPresent(each -> {
            throw settings.invalid(
                    LeaseSettings.NUMBERS,
                    each,
                    "nothing beside a fixed number; lease takes one of the range: "
                            + "distributedid.snowflake.worker=lease");
        });
        long number = FixedNumber.number(settings, layout, hostName);
        return new NumberRange(number, number);
    }

    private Worker take(FixedNumber wanted) {
        OptionalLong unused = numbers.take(wanted.fields(), wanted.settings());
        try {
            return wanted.file().isPresent()
                    ? stateFile(wanted.file().get(), wanted, unused)
                    : withoutStateFile(wanted, unused);
        } catch (RuntimeException e) {
            numbers.giveBack(wanted.fields(), unused);
            throw e;
        }
    }

    private Worker withoutStateFile(FixedNumber wanted, OptionalLong unused) {
        if (unused.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Nothing remembers up to when " + wanted.settings()
                            + " was used. Its ids are unique only if no other"
                            + " process has it, and if its processes start by clocks that are not behind the one of the"
                            + " process before: not set back, nor of another machine. Set "
                            + "distributedid.snowflake.state_file to a file that outlives the process, or "
                            + "distributedid.snowflake.worker=lease");
        }
        awaitClock(unused.orElse(0));
        long now = clock.millis();
        return FixedWorker.startingAt(wanted.number(), unused.orElse(now), now);
    }

    /** The last holder in this JVM may have run ahead of the clock, by a second or two if its unit is a second. */
    private void awaitClock(long unused) {
        if (unused - clock.millis() > LONGEST_RUN_AHEAD.toMillis()) {
            return;
        }
        try {
            ClockWait.until(clock, unused, System.nanoTime() + LONGEST_RUN_AHEAD.toNanos(), closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All sequences of this process with the same file share one worker. */
    private Worker stateFile(Path path, FixedNumber wanted, OptionalLong unused) {
        StateFile known = stateFiles.get(path);
        if (known == null) {
            Lease lease = FileLease.open(path, wanted.owner(), wanted.number(), unused.orElse(0), clock, closing);
            known = new StateFile(new LeasedWorker(lease), wanted.owner());
            stateFiles.put(path, known);
        }
        if (!known.owner.equals(wanted.owner())) {
            throw new IdConfigurationException("A state file must belong to one worker number: "
                    + "distributedid.snowflake.state_file=" + path + " is of " + known.owner
                    + ", asked for by " + wanted.owner() + ". Give it a file of its own");
        }
        known.worker.take(wanted.fields(), unused.orElse(0), clock.millis());
        return known.worker;
    }

    /** Identifies the store that leases the number of a sequence; empty if it is not leased. Takes none. */
    Optional<String> token(Settings settings, IdLayout layout) {
        return isLeased(settings, layout)
                ? Optional.of(leases.token(settings, leasable(settings, layout)))
                : Optional.empty();
    }

    /** @throws IdConfigurationException if the number is not leased, or no move has begun */
    List<CheckResult> finishMove(Sequence sequence, IdLayout layout, boolean force) {
        if (!isLeased(sequence.settings(), layout)) {
            throw new IdConfigurationException("Only worker numbers that are leased can be moved: seq="
                    + sequence.name() + ". Set distributedid.snowflake.worker as the applications have it");
        }
        return leases.finishMove(sequence.settings(), force);
    }

    /** Ends waits for a taken number, now and later. Called by any thread. */
    void stopWaiting() {
        closing.countDown();
        leases.stopWaiting();
    }

    /** Ends calls to worker stores with an error. Called by any thread. */
    void cut() {
        leases.cut();
    }

    /**
     * Releases all workers. Called after their generators were closed.
     *
     * @param unused the first id time that no id of a worker has
     */
    void release(ToLongFunction<Worker> unused) {
        end(unused, worker -> worker.release(unused.applyAsLong(worker)));
    }

    /** As {@link #release}, but hands nothing back. This process remembers what it used. */
    void abandon(ToLongFunction<Worker> unused) {
        end(unused, Worker::abandon);
    }

    private void end(ToLongFunction<Worker> unused, Consumer<Worker> end) {
        Set<Worker> each = Collections.newSetFromMap(new IdentityHashMap<>());
        fixed.values().forEach(taken -> each.add(taken.worker));
        each.addAll(leased.values());
        each.forEach(end);
        fixed.forEach((fields, taken) -> numbers.giveBack(fields, OptionalLong.of(unused.applyAsLong(taken.worker))));
        fixed.clear();
        stateFiles.clear();
        leased.clear();
        leases.close();
    }
}
