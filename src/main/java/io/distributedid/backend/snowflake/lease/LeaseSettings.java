package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the settings say of leases. */
public final class LeaseSettings {

    /** All that are read, beside {@link DistributedIdSettings#SNOWFLAKE_WORKER}. */
    public static final Set<String> NAMES = Set.of(
            DistributedIdSettings.SNOWFLAKE_LEASE_STORE,
            DistributedIdSettings.SNOWFLAKE_LEASE_SERVER,
            DistributedIdSettings.SNOWFLAKE_LEASE_USER,
            DistributedIdSettings.SNOWFLAKE_LEASE_PASSWORD,
            DistributedIdSettings.SNOWFLAKE_LEASE_TABLE,
            DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE,
            DistributedIdSettings.SNOWFLAKE_LEASE_TIMEOUT,
            DistributedIdSettings.SNOWFLAKE_LEASE_ZOOKEEPER,
            DistributedIdSettings.SNOWFLAKE_LEASE_PATH,
            DistributedIdSettings.SNOWFLAKE_LEASE_NUMBERS,
            DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW,
            DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW,
            DistributedIdSettings.SNOWFLAKE_LEASE_WAIT,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_STORE,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_SERVER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_USER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_PASSWORD,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_TABLE,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_ZOOKEEPER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_PATH);

    private static final String LEASE = "lease";

    private static final String SINGLE_USE = "single_use";

    private LeaseSettings() {}

    /**
     * Whether a worker number is leased.
     *
     * @param settings of a sequence
     * @return {@code lease}, {@code single_use}, or a number of its own beside a store that is set
     */
    public static boolean isLeased(Settings settings) {
        return settings.text(DistributedIdSettings.SNOWFLAKE_WORKER)
                .filter(worker -> isAnyNumber(worker) || hasStore(settings))
                .isPresent();
    }

    /**
     * Whether exactly the number that the settings say is leased.
     *
     * @param settings of a sequence
     * @return neither {@code lease} nor {@code single_use}
     */
    public static boolean isFixed(Settings settings) {
        return isLeased(settings)
                && settings.text(DistributedIdSettings.SNOWFLAKE_WORKER)
                        .filter(LeaseSettings::isAnyNumber)
                        .isEmpty();
    }

    private static boolean isAnyNumber(String worker) {
        return worker.equals(LEASE) || worker.equals(SINGLE_USE);
    }

    private static boolean hasStore(Settings settings) {
        return settings.object(DistributedIdSettings.SNOWFLAKE_LEASE_SERVER).isPresent()
                || settings.text(DistributedIdSettings.SNOWFLAKE_LEASE_STORE).isPresent();
    }

    private static boolean inTable(Settings settings) {
        return isLeased(settings) && StorePlace.now(settings).isTable();
    }

    /**
     * The table of worker numbers and its record, where they are to be.
     *
     * @param settings of a sequence
     * @param target the database
     * @return none if no number is leased from a table there
     */
    public static List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        if (!inTable(settings)
                || (target.isApplications() && !StorePlace.now(settings).isOwn())) {
            return List.of();
        }
        String table = StorePlace.now(settings).table();
        return List.of(
                new SchemaObject.Table(table, name -> new WorkerTable(target.product(), name).ddl()),
                new SchemaObject.Table(
                        WorkerTable.recordTable(table), name -> WorkerTable.recordDdl(target.product(), name)));
    }

    static LeaseTerms terms(Settings settings, NumberRange numbers) {
        Duration window = settings.duration(
                DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW,
                Duration.ofSeconds(60),
                Duration.ofSeconds(1),
                Duration.ofHours(24));
        // A process whose clock is behind by more might not renew before its number is free by the store's clock.
        Duration quarter = window.dividedBy(4);
        boolean singleUse = settings.text(DistributedIdSettings.SNOWFLAKE_WORKER)
                .filter(SINGLE_USE::equals)
                .isPresent();
        return new LeaseTerms(
                new LeaseProtocol(window.toMillis(), numbers.min(), numbers.max(), singleUse),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW, quarter, Duration.ofMillis(1), quarter),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_LEASE_WAIT, window, Duration.ZERO, Duration.ofHours(1)),
                timeout(settings).multipliedBy(3));
    }

    static Duration timeout(Settings settings) {
        return settings.duration(
                DistributedIdSettings.SNOWFLAKE_LEASE_TIMEOUT,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ofMinutes(1));
    }

    /**
     * Opens the store.
     *
     * @param settings of a sequence
     * @param applicationDatabase the application's, if there is one
     * @return connects at the first call
     * @throws IdConfigurationException if a setting is missing or wrong
     */
    public static WorkerStore store(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        return StorePlace.now(settings).open(applicationDatabase);
    }

    /** As {@link #store}, but no table is created. */
    static WorkerStore storeToRead(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        return StorePlace.nowToRead(settings).open(applicationDatabase);
    }

    /**
     * Opens the store that held the numbers before they moved.
     *
     * @param settings of a sequence
     * @param applicationDatabase the application's, if there is one
     * @return connects at the first call; empty if they are not moving
     * @throws IdConfigurationException if a setting is missing or wrong
     */
    static Optional<WorkerStore> storeBefore(Settings settings, Optional<ConnectionAccess> applicationDatabase) {
        Optional<StorePlace> place = StorePlace.before(settings);
        place.flatMap(each -> settings.text(DistributedIdSettings.SNOWFLAKE_WORKER))
                .filter(SINGLE_USE::equals)
                .ifPresent(singleUse -> {
                    throw settings.invalid(
                            DistributedIdSettings.SNOWFLAKE_WORKER,
                            singleUse,
                            "lease or a number, while the numbers move. Single-use numbers need no moving_from: let the"
                                    + " new place begin above the highest one of the old ("
                                    + DistributedIdSettings.SNOWFLAKE_LEASE_NUMBERS + ")");
                });
        return place.map(each -> each.open(applicationDatabase));
    }
}
