package io.distributedid.snowflake;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
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
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The workers of one backend, as {@link DistributedIdSettings#SNOWFLAKE_WORKER} says: sequences with the same settings share one. For
 * one thread at a time.
 */
final class Workers {

    /** The settings of fields have their names. */
    private static final String SETTINGS = DistributedIdSettings.PREFIX + "snowflake.";

    private static final String STATEFULSET = "statefulset";

    /** The name of a StatefulSet's pod, which Kubernetes makes its host name, perhaps with a domain. */
    private static final Pattern POD = Pattern.compile("[^.]*-(0|[1-9][0-9]{0,8})(\\..*)?");

    private final InstantSource clock;

    private final WorkerNumbers numbers;

    private final Supplier<String> hostName;

    private final Leases leases;

    private final Map<WorkerNumbers.Key, Worker> fixed = new HashMap<>();

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
        if (layout.has(IdField.WORKER) && LeaseSettings.isLeased(settings)) {
            settings.text(DistributedIdSettings.SNOWFLAKE_STATE_FILE).ifPresent(path -> {
                throw settings.invalid(
                        DistributedIdSettings.SNOWFLAKE_STATE_FILE,
                        path,
                        "nothing beside a leased worker number, whose use its store remembers");
            });
            return leased.computeIfAbsent(leases.of(settings, layout.max(IdField.WORKER)), LeasedWorker::new);
        }
        long number = number(settings, layout);
        long fields = values.placedOfProcess(layout) | layout.place(IdField.WORKER, number);
        WorkerNumbers.Key key = new WorkerNumbers.Key(layout, fields);
        Worker known = fixed.get(key);
        if (known == null) {
            known = take(key, number, settings);
            fixed.put(key, known);
        }
        return known;
    }

    private Worker take(WorkerNumbers.Key key, long number, Settings settings) {
        OptionalLong unused = numbers.take(key, said(key, FieldValues.ofProcess(key.layout()), SETTINGS));
        try {
            Optional<String> path = settings.text(DistributedIdSettings.SNOWFLAKE_STATE_FILE);
            return path.isPresent()
                    ? stateFile(settings, path.get(), key, number, unused)
                    : FixedWorker.startingAt(number, unused.orElse(clock.millis()), unused.isPresent());
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

    /** One for all sequences of this process that name the same file. */
    private Worker stateFile(Settings settings, String text, WorkerNumbers.Key key, long number, OptionalLong unused) {
        List<IdField> fields = new ArrayList<>(FieldValues.ofProcess(key.layout()));
        // A process may have several.
        fields.remove(IdField.BUSINESS);
        String owner = said(key, fields, "");
        Path path;
        try {
            path = Path.of(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw settings.invalid(DistributedIdSettings.SNOWFLAKE_STATE_FILE, text, "the path of a file");
        }
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

    /**
     * Releases all of them, after their generators were closed.
     *
     * @param unused the first id time that no id of a worker has
     */
    void release(ToLongFunction<Worker> unused) {
        Set<Worker> each = Collections.newSetFromMap(new IdentityHashMap<>());
        each.addAll(fixed.values());
        each.addAll(leased.values());
        each.forEach(worker -> worker.release(unused.applyAsLong(worker)));
        fixed.forEach((key, worker) -> numbers.giveBack(key, OptionalLong.of(unused.applyAsLong(worker))));
        fixed.clear();
        stateFiles.clear();
        leased.clear();
    }
}
