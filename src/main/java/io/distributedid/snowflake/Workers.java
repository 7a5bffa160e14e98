package io.distributedid.snowflake;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.IdField;
import io.distributedid.internal.IdLayout;
import io.distributedid.snowflake.lease.Lease;
import io.distributedid.snowflake.lease.LeaseSettings;
import io.distributedid.snowflake.lease.Leases;
import io.distributedid.spi.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The workers of one backend, as {@link DistributedIdSettings#SNOWFLAKE_WORKER} says: sequences with the same settings share one. For
 * one thread at a time, but for {@link #stopWaiting}.
 */
final class Workers {

    /** The settings of fields have their names. */
    private static final String SETTINGS = DistributedIdSettings.PREFIX + "snowflake.";

    private static final String STATEFULSET = "statefulset";

    /** The name of a StatefulSet's pod, which Kubernetes makes its host name, perhaps with a domain. */
    private static final Pattern POD = Pattern.compile("[^.]*-(0|[1-9][0-9]{0,8})(\\..*)?");

    /** @param file remembers the use of the number, if the settings say so */
    private record Fixed(WorkerNumbers.Key key, long number, Optional<Path> file) {}

    private record Taken(Worker worker, Optional<Path> file) {}

    private final InstantSource clock;

    private final WorkerNumbers numbers;

    private final Supplier<String> hostName;

    private final Leases leases;

    private final Map<WorkerNumbers.Key, Taken> fixed = new HashMap<>();

    private final Map<Path, StateFileWorker> stateFiles = new HashMap<>();

    private final IdentityHashMap<Lease, Worker> leased = new IdentityHashMap<>();

    /**
     * Knows of no worker yet.
     *
     * @param numbers those in use in this process
     * @param hostName of this machine or container
     * @param leases of this backend
     */
    Workers(InstantSource clock, WorkerNumbers numbers, Supplier<String> hostName, Leases leases) {
        this.clock = clock;
        this.numbers = numbers;
        this.hostName = hostName;
        this.leases = leases;
    }

    /**
     * The worker of a sequence, taken at the first call.
     *
     * @throws io.distributedid.IdConfigurationException if the number is missing, out of range or taken
     * @throws io.distributedid.IdUnavailableException if none can be leased
     */
    Worker of(Settings settings, IdLayout layout, FieldValues values) {
        if (isLeased(settings, layout)) {
            requireNoStateFile(settings);
            return leased.computeIfAbsent(leases.of(settings, layout.max(IdField.WORKER)), LeasedWorker::new);
        }
        Fixed wanted = fixed(settings, layout, values);
        Taken known = fixed.get(wanted.key);
        if (known == null) {
            known = new Taken(take(wanted), wanted.file);
            fixed.put(wanted.key, known);
        }
        if (!known.file.equals(wanted.file)) {
            throw new IdConfigurationException("Sequences with the same worker number must have the same state file: "
                    + said(wanted.key, FieldValues.ofProcess(layout), SETTINGS) + " has "
                    + said(known.file) + ", asked for with " + said(wanted.file) + ". Set "
                    + DistributedIdSettings.SNOWFLAKE_STATE_FILE + " for all sequences");
        }
        return known.worker;
    }

    private static void requireNoStateFile(Settings settings) {
        settings.text(DistributedIdSettings.SNOWFLAKE_STATE_FILE).ifPresent(path -> {
            throw settings.invalid(
                    DistributedIdSettings.SNOWFLAKE_STATE_FILE,
                    path,
                    "nothing beside a leased worker number, whose use its store remembers");
        });
    }

    /**
     * Looks whether a worker could be taken. Takes none.
     *
     * @throws io.distributedid.IdConfigurationException if the number is missing or out of range
     */
    List<Finding> check(Settings settings, IdLayout layout, FieldValues values) {
        if (isLeased(settings, layout)) {
            requireNoStateFile(settings);
            return leases.check(settings, layout.max(IdField.WORKER));
        }
        Fixed wanted = fixed(settings, layout, values);
        String number = said(wanted.key, FieldValues.ofProcess(layout), "") + ", " + said(wanted.file);
        return List.of(
                Finding.ok("worker", "", number),
                Finding.unknown("other workers", "", "whether another process has the same number can't be seen"));
    }

    /**
     * Gives a sequence another layout, see {@link Leases#changeLayout}.
     *
     * @throws io.distributedid.IdConfigurationException if its numbers are not leased, or it can't be done now
     */
    String changeLayout(Settings settings, String sequence, IdLayout layout, boolean allStopped) {
        if (!isLeased(settings, layout)) {
            throw new IdConfigurationException(
                    "Only the layout of a sequence whose worker numbers are leased is recorded, and"
                            + " can be changed: seq=" + sequence);
        }
        return leases.changeLayout(settings, sequence, layout, allStopped);
    }

    /**
     * Tells workers apart. Takes none.
     *
     * @return equal for sequences that share a worker
     * @throws io.distributedid.IdConfigurationException if the number is missing or out of range
     */
    Object identity(Settings settings, IdLayout layout, FieldValues values) {
        if (isLeased(settings, layout)) {
            return leases.identity(settings, layout.max(IdField.WORKER));
        }
        Fixed wanted = fixed(settings, layout, values);
        return wanted.file.isPresent() ? List.of(wanted.file.get(), owner(wanted.key)) : wanted.key;
    }

    private static boolean isLeased(Settings settings, IdLayout layout) {
        return layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings);
    }

    private Fixed fixed(Settings settings, IdLayout layout, FieldValues values) {
        long number = number(settings, layout);
        long fields = values.placedOfProcess(layout) | layout.place(IdField.WORKER, number);
        return new Fixed(new WorkerNumbers.Key(layout, fields), number, stateFile(settings));
    }

    private static Optional<Path> stateFile(Settings settings) {
        return settings.text(DistributedIdSettings.SNOWFLAKE_STATE_FILE).map(text -> {
            try {
                return Path.of(text).toAbsolutePath().normalize();
            } catch (InvalidPathException e) {
                throw settings.invalid(DistributedIdSettings.SNOWFLAKE_STATE_FILE, text, "the path of a file");
            }
        });
    }

    private Worker take(Fixed wanted) {
        WorkerNumbers.Key key = wanted.key;
        OptionalLong unused = numbers.take(key, said(key, FieldValues.ofProcess(key.layout()), SETTINGS));
        try {
            return wanted.file.isPresent()
                    ? stateFile(wanted.file.get(), key, wanted.number, unused)
                    : FixedWorker.startingAt(wanted.number, unused.orElse(clock.millis()), unused.isPresent());
        } catch (RuntimeException e) {
            numbers.giveBack(key, unused);
            throw e;
        }
    }

    private static String said(WorkerNumbers.Key key, List<IdField> fields, String prefix) {
        DecodedId decoded = key.layout().decode(key.fields());
        return fields.stream()
                .map(field -> prefix + field.label() + "=" + decoded.field(field.label()))
                .collect(Collectors.joining(" "));
    }

    private static String said(Optional<Path> file) {
        return file.map(path -> "state_file=" + path).orElse("no state_file");
    }

    /** Whose a state file is; a process may have several numbers of business. */
    private static String owner(WorkerNumbers.Key key) {
        List<IdField> fields = new ArrayList<>(FieldValues.ofProcess(key.layout()));
        fields.remove(IdField.BUSINESS);
        return said(key, fields, "");
    }

    /** One for all sequences of this process that name the same file. */
    private Worker stateFile(Path path, WorkerNumbers.Key key, long number, OptionalLong unused) {
        String owner = owner(key);
        StateFileWorker known = stateFiles.get(path);
        if (known != null) {
            known.requireOwner(owner);
            known.beginAt(unused.orElse(0));
            return known;
        }
        StateFileWorker started = StateFileWorker.start(StateFile.open(path, owner), number, clock, unused);
        stateFiles.put(path, started);
        return started;
    }

    private long number(Settings settings, IdLayout layout) {
        String setting = DistributedIdSettings.SNOWFLAKE_WORKER;
        if (!layout.has(IdField.WORKER)) {
            FieldValues.requireUnset(settings, layout, setting);
            return 0;
        }
        long max = layout.max(IdField.WORKER);
        return settings.text(setting).filter(STATEFULSET::equals).isPresent()
                ? ordinal(settings, max)
                : settings.requiredNumber(
                        setting,
                        0,
                        max,
                        "It must differ between all processes and persistence units that run at the same time, so it is"
                                + " never guessed; lease takes one that is free from a database or ZooKeeper");
    }

    private long ordinal(Settings settings, long max) {
        String host = hostName.get();
        Matcher pod = POD.matcher(host);
        if (!pod.matches() || Long.parseLong(pod.group(1)) > max) {
            throw settings.invalid(
                    DistributedIdSettings.SNOWFLAKE_WORKER,
                    STATEFULSET,
                    "only where the host name ends in the ordinal of a StatefulSet's pod, -0 to -" + max
                            + ": host name=" + host);
        }
        return Long.parseLong(pod.group(1));
    }

    /** Ends the wait for a number that is taken, now and later. Called by any thread. */
    void stopWaiting() {
        leases.stopWaiting();
    }

    /**
     * Releases all of them, after their generators were closed.
     *
     * @param unused the first id time that no id of a worker has
     */
    void release(ToLongFunction<Worker> unused) {
        end(unused, worker -> worker.release(unused.applyAsLong(worker)));
    }

    /** Ends the use of all of them, after their generators were closed, and hands none back; this process remembers what it used. */
    void abandon(ToLongFunction<Worker> unused) {
        end(unused, Worker::abandon);
    }

    private void end(ToLongFunction<Worker> unused, Consumer<Worker> end) {
        Set<Worker> each = Collections.newSetFromMap(new IdentityHashMap<>());
        fixed.values().forEach(taken -> each.add(taken.worker));
        each.addAll(leased.values());
        each.forEach(end);
        fixed.forEach((key, taken) -> numbers.giveBack(key, OptionalLong.of(unused.applyAsLong(taken.worker))));
        fixed.clear();
        stateFiles.clear();
        leased.clear();
    }
}
