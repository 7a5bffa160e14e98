package io.distributedid.backend.snowflake.lease;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.ProcessName;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The settings of leased worker numbers. */
public final class LeaseSettings {

    /** The largest {@code snowflake.max_ahead}: how far ids may lie ahead of the clock. */
    public static final Duration MOST_AHEAD = ofSeconds(10);

    public static final Setting<String> NUMBERS = Setting.text(
                    "distributedid.snowflake.lease.numbers",
                    "The worker numbers that this process may lease, if other processes have fixed numbers at the same"
                            + " time.",
                    "the lowest and the highest number, as in 100-1023")
            .defaultIs("all that fit");

    private static final Setting<Duration> WINDOW = Setting.duration(
            "distributedid.snowflake.lease.window",
            "How far ahead of the clock a process reserves time. It is renewed when half of it is over, so the store"
                    + " may be down for the other half. The number of a killed process is free again after one window.",
            ofSeconds(60),
            ofSeconds(1),
            ofHours(24));

    private static final Setting<Duration> MAX_CLOCK_SKEW = Setting.duration(
                    "distributedid.snowflake.lease.max_clock_skew",
                    "How far the local clock may differ from the store's: at most a quarter of the window. With a larger"
                            + " difference nothing is leased. With snowflake.worker=exclusive the default is 15s.",
                    ofSeconds(15),
                    ofMillis(1),
                    ofHours(6))
            .defaultIs("a quarter of the window");

    private static final Setting<Duration> WAIT = Setting.duration(
                    "distributedid.snowflake.lease.wait",
                    "How long a start waits for a free number.",
                    ofSeconds(60),
                    Duration.ZERO,
                    ofHours(1))
            .defaultIs("the window");

    private static final Setting<Duration> DURATION = Setting.duration(
            "distributedid.snowflake.lease.duration",
            "How long the active process makes ids without an answer of the store, with snowflake.worker=exclusive. A"
                    + " process that stands by takes over at most a second later.",
            ofSeconds(5),
            ofSeconds(1),
            ofMinutes(1));

    private static final Setting<String> OWNER = Setting.text(
                    "distributedid.snowflake.lease.owner",
                    "How this process is named to those that stand by, with snowflake.worker=exclusive: for example by"
                            + " the address at which it gives ids.",
                    "up to 200 printable characters of ASCII")
            .defaultIs("host, pid and start of the process");

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1," + WorkerStore.OWNER_LENGTH + "}");

    public static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(
                            CoreSettings.TIMEOUT,
                            CoreSettings.CREATE_TABLES,
                            NUMBERS,
                            WINDOW,
                            MAX_CLOCK_SKEW,
                            WAIT,
                            DURATION,
                            OWNER),
                    StorePlace.declarations())
            .toList();

    private static final String LEASE = "lease";

    private static final String SINGLE_USE = "single_use";

    private static final String EXCLUSIVE = "exclusive";

    private LeaseSettings() {}

    /**
     * Whether the worker is {@code lease}, {@code single_use}, {@code exclusive}, or a fixed number beside a store that
     * is set.
     */
    public static boolean isLeased(Settings settings) {
        return settings.find(CoreSettings.SNOWFLAKE_WORKER)
                .filter(worker -> isAnyNumber(worker) || hasStore(settings))
                .isPresent();
    }

    /** Whether the settings or the layout determine the number, be it leased or not: it is not any free one. */
    public static boolean isFixed(Settings settings, IdLayout layout) {
        return !isExclusive(settings)
                && (!layout.has(IdField.WORKER)
                        || settings.find(CoreSettings.SNOWFLAKE_WORKER)
                                .filter(LeaseSettings::isAnyNumber)
                                .isEmpty());
    }

    private static boolean isAnyNumber(String worker) {
        return worker.equals(LEASE) || worker.equals(SINGLE_USE) || worker.equals(EXCLUSIVE);
    }

    /** Whether one process at a time makes ids, without a worker number. */
    public static boolean isExclusive(Settings settings) {
        return settings.find(CoreSettings.SNOWFLAKE_WORKER)
                .filter(EXCLUSIVE::equals)
                .isPresent();
    }

    /** Refuses what has no effect with the kind of worker. */
    public static void requireNothingUnused(Settings settings) {
        if (!isExclusive(settings)) {
            Stream.of(DURATION, OWNER)
                    .forEach(each ->
                            settings.requireUnset(each, "nothing, unless distributedid.snowflake.worker=" + EXCLUSIVE));
            return;
        }
        Stream.of(NUMBERS, WINDOW, WAIT)
                .forEach(each -> settings.requireUnset(
                        each,
                        "nothing with distributedid.snowflake.worker=" + EXCLUSIVE
                                + ", which leases no number; its lease is "
                                + "distributedid.snowflake.lease.duration"));
        if (StorePlace.before(settings).isPresent()) {
            throw new IdConfigurationException("The lease of the active process does not move while processes run:"
                    + " distributedid.snowflake.lease.moving_from.* is set beside "
                    + "distributedid.snowflake.worker=" + EXCLUSIVE
                    + ". Stop all processes, copy both tables, and start with the new place alone");
        }
    }

    public static ExclusiveTerms exclusiveTerms(Settings settings) {
        String owner = settings.find(OWNER).orElseGet(ProcessName::ofProcess);
        if (!PRINTABLE.matcher(owner).matches()) {
            throw settings.invalid(OWNER, owner, OWNER.allowed());
        }
        return new ExclusiveTerms(
                ofMillis(settings.get(DURATION).toMillis()),
                settings.get(MAX_CLOCK_SKEW),
                settings.get(CoreSettings.BLOCK_TIMEOUT),
                owner);
    }

    /** The limit of each call to the store. */
    static Duration timeout(Settings settings) {
        return isExclusive(settings)
                ? CoreSettings.timeout(settings, settings.get(DURATION))
                : settings.get(CoreSettings.TIMEOUT);
    }

    /** Equal for sequences with the same store of worker numbers, which may differ in how they use it. */
    public static Object storeIdentity(Settings settings) {
        return StorePlace.now(settings).identity();
    }

    /** The first lease setting that two sequences do not have in common. */
    public static Optional<Setting<?>> difference(Settings one, Settings other) {
        return ALL.stream()
                .filter(each -> !one.given(each).equals(other.given(each)))
                .findFirst();
    }

    private static boolean hasStore(Settings settings) {
        return StorePlace.isSet(settings);
    }

    private static boolean inTable(Settings settings) {
        return isLeased(settings) && StorePlace.now(settings).isTable();
    }

    /** The table of worker numbers and its record. Empty if no number is leased from a table in this database. */
    public static List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        if (!inTable(settings)
                || (target.isApplications() && !StorePlace.now(settings).isApplications())) {
            return List.of();
        }
        String table = StorePlace.now(settings).table();
        return List.of(
                new SchemaObject.Table(table, name -> new WorkerTable(target.product(), name).ddl()),
                new SchemaObject.Table(
                        WorkerTable.recordTable(table), name -> WorkerTable.recordDdl(target.product(), name)));
    }

    static LeaseTerms terms(Settings settings, NumberRange numbers) {
        if (isExclusive(settings)) {
            ExclusiveTerms exclusive = exclusiveTerms(settings);
            return new LeaseTerms(
                    new LeaseProtocol(
                            exclusive.lease().toMillis(), WorkerStore.EXCLUSIVE, WorkerStore.EXCLUSIVE, false),
                    exclusive.maxClockSkew(),
                    Duration.ZERO,
                    exclusive.callerTimeout());
        }
        Duration window = settings.get(WINDOW);
        // With a clock further behind, a process might renew only after its number is free by the store's clock.
        Duration quarter = window.dividedBy(4);
        boolean singleUse = settings.find(CoreSettings.SNOWFLAKE_WORKER)
                .filter(SINGLE_USE::equals)
                .isPresent();
        return new LeaseTerms(
                new LeaseProtocol(window.toMillis(), numbers.min(), numbers.max(), singleUse),
                settings.get(MAX_CLOCK_SKEW.within(ofMillis(1), quarter).withDefault(quarter)),
                settings.get(WAIT.withDefault(window)),
                settings.get(CoreSettings.BLOCK_TIMEOUT));
    }

    /** The store of worker numbers, which connects at its first call. Throws if a setting is missing or wrong. */
    public static WorkerStore store(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        return StorePlace.now(settings).open(applicationDatabase);
    }

    /** The store of worker numbers for an issuing service. Throws if a setting is missing or wrong. */
    public static ServedWorkerStore storeToServe(Settings settings) {
        return new ServedWorkerStore(StorePlace.now(settings).withoutService().open(Optional.empty()));
    }

    /** As {@link #store}, but it creates no table. */
    static WorkerStore storeToRead(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        return StorePlace.nowToRead(settings).open(applicationDatabase);
    }

    /** The store that worker numbers move from. Empty if they are not moving. */
    static Optional<WorkerStore> storeBefore(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        Optional<StorePlace> place = StorePlace.before(settings);
        place.flatMap(each -> settings.find(CoreSettings.SNOWFLAKE_WORKER))
                .filter(SINGLE_USE::equals)
                .ifPresent(singleUse -> {
                    throw settings.invalid(
                            CoreSettings.SNOWFLAKE_WORKER,
                            singleUse,
                            "lease or a number, while the numbers move. Single-use numbers need no moving_from: let the"
                                    + " new place begin above the highest one of the old ("
                                    + "distributedid.snowflake.lease.numbers)");
                });
        return place.map(each -> each.open(applicationDatabase));
    }
}
