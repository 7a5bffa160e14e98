package io.distributedid.backend.snowflake.lease;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings of leased worker numbers. */
public final class LeaseSettings {

    public static final Setting<String> NUMBERS = Setting.text(
                    DistributedIdSettings.SNOWFLAKE_LEASE_NUMBERS, "the lowest and the highest number, as in 100-1023")
            .defaultIs("all that fit");

    static final Setting<Boolean> CREATE_TABLE =
            Setting.flag(DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE, false);

    static final Setting<Duration> TIMEOUT =
            Setting.duration(DistributedIdSettings.SNOWFLAKE_LEASE_TIMEOUT, ofSeconds(2), ofMillis(100), ofMinutes(1));

    private static final Setting<Duration> WINDOW =
            Setting.duration(DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW, ofSeconds(60), ofSeconds(1), ofHours(24));

    private static final Setting<Duration> MAX_CLOCK_SKEW = Setting.duration(
                    DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW, ofSeconds(15), ofMillis(1), ofHours(6))
            .defaultIs("a quarter of the window");

    private static final Setting<Duration> WAIT = Setting.duration(
                    DistributedIdSettings.SNOWFLAKE_LEASE_WAIT, ofSeconds(60), Duration.ZERO, ofHours(1))
            .defaultIs("the window");

    public static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(NUMBERS, CREATE_TABLE, TIMEOUT, WINDOW, MAX_CLOCK_SKEW, WAIT), StorePlace.declarations())
            .toList();

    private static final String LEASE = "lease";

    private static final String SINGLE_USE = "single_use";

    private LeaseSettings() {}

    /** Whether the worker is {@code lease}, {@code single_use}, or a fixed number beside a store that is set. */
    public static boolean isLeased(Settings settings) {
        return settings.find(CoreSettings.SNOWFLAKE_WORKER)
                .filter(worker -> isAnyNumber(worker) || hasStore(settings))
                .isPresent();
    }

    /** Whether a fixed number is leased, and not any free one. */
    public static boolean isFixed(Settings settings) {
        return isLeased(settings)
                && settings.find(CoreSettings.SNOWFLAKE_WORKER)
                        .filter(LeaseSettings::isAnyNumber)
                        .isEmpty();
    }

    private static boolean isAnyNumber(String worker) {
        return worker.equals(LEASE) || worker.equals(SINGLE_USE);
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
                settings.get(TIMEOUT).multipliedBy(3));
    }

    /** The store of worker numbers, which connects at its first call. Throws if a setting is missing or wrong. */
    public static WorkerStore store(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        return StorePlace.now(settings).open(applicationDatabase);
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
                                    + DistributedIdSettings.SNOWFLAKE_LEASE_NUMBERS + ")");
                });
        return place.map(each -> each.open(applicationDatabase));
    }
}
