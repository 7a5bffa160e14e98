package io.distributedid.snowflake.lease;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.OwnTable;
import io.distributedid.internal.Servers;
import io.distributedid.internal.TableName;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

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
            DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW,
            DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW,
            DistributedIdSettings.SNOWFLAKE_LEASE_WAIT);

    private static final String BACKEND = "snowflake";

    private static final String LEASE = "lease";

    private static final String BURNT = "burnt";

    /** The value of the setting for the server that stands for the persistence unit's own database. */
    private static final String OWN = "own";

    private static final String SERVER =
            "a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings"
                    + " map, or own: the persistence unit's own database";

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

    private static final OwnTable.Ddl DDL = (product, table) -> new WorkerTable(product, table).ddl();

    private static final OwnTable.Ddl RECORD_DDL = WorkerTable::recordDdl;

    private enum Store {
        JDBC,
        ZOOKEEPER
    }

    private LeaseSettings() {}

    /**
     * Whether a worker number is leased.
     *
     * @param settings of a sequence
     * @return {@code lease} or {@code burnt}
     */
    public static boolean isLeased(Settings settings) {
        return settings.text(DistributedIdSettings.SNOWFLAKE_WORKER)
                .filter(worker -> worker.equals(LEASE) || worker.equals(BURNT))
                .isPresent();
    }

    private static boolean inTable(Settings settings) {
        return isLeased(settings)
                && settings.choice(DistributedIdSettings.SNOWFLAKE_LEASE_STORE, Store.JDBC) == Store.JDBC;
    }

    /**
     * The tables of worker numbers that lie in the application's own database.
     *
     * @param settings for all sequences
     * @return each once
     */
    public static Set<OwnTable> tablesInOwnDatabase(Settings settings) {
        Set<OwnTable> tables = new LinkedHashSet<>();
        tables.addAll(ownTables(settings));
        settings.sequences().forEach(sequence -> tables.addAll(ownTables(settings.forSequence(sequence))));
        return tables;
    }

    private static List<OwnTable> ownTables(Settings settings) {
        boolean ours = settings.text(DistributedIdSettings.BACKEND)
                        .filter(BACKEND::equals)
                        .isPresent()
                && inTable(settings)
                && isOwn(settings);
        return ours
                ? List.of(
                        new OwnTable(table(settings), DDL),
                        new OwnTable(WorkerTable.recordTable(table(settings)), RECORD_DDL))
                : List.of();
    }

    private static boolean isOwn(Settings settings) {
        return settings.text(DistributedIdSettings.SNOWFLAKE_LEASE_SERVER)
                .filter(OWN::equals)
                .isPresent();
    }

    /**
     * The statements that create the table of worker numbers.
     *
     * @param settings of a sequence
     * @param database whose SQL it is
     * @return none if there is no such table
     */
    public static List<String> ddl(Settings settings, String database) {
        if (!inTable(settings)) {
            return List.of();
        }
        WorkerTable table = new WorkerTable(DatabaseProduct.named(database), table(settings));
        return List.of(table.ddl(), table.recordDdl());
    }

    private static String table(Settings settings) {
        return TableName.of(settings, DistributedIdSettings.SNOWFLAKE_LEASE_TABLE, "snowflake_worker");
    }

    static LeaseTerms terms(Settings settings, long maxWorker) {
        Duration window = settings.duration(
                DistributedIdSettings.SNOWFLAKE_LEASE_WINDOW,
                Duration.ofSeconds(60),
                Duration.ofSeconds(1),
                Duration.ofHours(24));
        // A process whose clock is behind by more might not renew before its number is free by the store's clock.
        Duration quarter = window.dividedBy(4);
        boolean burnt = settings.text(DistributedIdSettings.SNOWFLAKE_WORKER)
                .filter(BURNT::equals)
                .isPresent();
        return new LeaseTerms(
                new LeaseProtocol(window.toMillis(), 0, maxWorker, burnt),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_LEASE_MAX_CLOCK_SKEW, quarter, Duration.ofMillis(1), quarter),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_LEASE_WAIT, window, Duration.ZERO, Duration.ofHours(1)),
                timeout(settings).multipliedBy(3));
    }

    private static Duration timeout(Settings settings) {
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
     * @param ownDatabase the application's, if there is one
     * @return connects at the first call
     * @throws IdConfigurationException if a setting is missing or wrong
     */
    public static WorkerStore store(Settings settings, Optional<ConnectionAccess> ownDatabase) {
        return switch (settings.choice(DistributedIdSettings.SNOWFLAKE_LEASE_STORE, Store.JDBC)) {
            case JDBC -> jdbc(settings, ownDatabase);
            case ZOOKEEPER -> zooKeeper(settings);
        };
    }

    private static WorkerStore jdbc(Settings settings, Optional<ConnectionAccess> ownDatabase) {
        String table = table(settings);
        boolean createTable = settings.flag(DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE, false);
        if (!isOwn(settings)) {
            return new JdbcWorkerStore(server(settings), table, createTable, timeout(settings));
        }
        ConnectionAccess own = ownDatabase.orElseThrow(() -> settings.invalid(
                DistributedIdSettings.SNOWFLAKE_LEASE_SERVER,
                OWN,
                SERVER + ", which there is not without Hibernate, or with a tenant in every connection"));
        String qualified = table.indexOf('.') < 0
                ? own.namespace().map(namespace -> namespace + "." + table).orElse(table)
                : table;
        return new JdbcWorkerStore(own, qualified, createTable, timeout(settings));
    }

    private static ConnectionAccess server(Settings settings) {
        String setting = DistributedIdSettings.SNOWFLAKE_LEASE_SERVER;
        List<ConnectionAccess> servers = Servers.find(
                settings,
                setting,
                DistributedIdSettings.SNOWFLAKE_LEASE_USER,
                DistributedIdSettings.SNOWFLAKE_LEASE_PASSWORD,
                timeout(settings));
        if (servers.isEmpty()) {
            settings.required(
                    setting,
                    SERVER,
                    "Shards that lease worker numbers from a table each lease the same ones, so that the place is never"
                            + " guessed");
        }
        if (servers.size() > 1) {
            throw settings.invalid(
                    setting,
                    servers.size() + " servers",
                    "one, since several would have to agree on who has a number; use ZooKeeper for that");
        }
        return servers.get(0);
    }

    private static WorkerStore zooKeeper(Settings settings) {
        String servers = settings.required(
                DistributedIdSettings.SNOWFLAKE_LEASE_ZOOKEEPER,
                "ZooKeeper's servers, host:port separated by commas",
                "They hold the worker numbers");
        String setting = DistributedIdSettings.SNOWFLAKE_LEASE_PATH;
        String path = settings.text(setting).orElse("/distributedid/workers");
        if (!PATH.matcher(path).matches()) {
            throw settings.invalid(setting, path, "a path as in /distributedid/workers");
        }
        Optional<String> credentials = settings.text(DistributedIdSettings.SNOWFLAKE_LEASE_USER)
                .map(user -> user + ":"
                        + settings.text(DistributedIdSettings.SNOWFLAKE_LEASE_PASSWORD)
                                .orElse(""));
        // Curator is on the class path even where this is a module.
        Module own = LeaseSettings.class.getModule();
        own.addReads(LeaseSettings.class.getClassLoader().getUnnamedModule());
        try {
            return new ZooKeeperWorkerStore(servers, path, credentials, timeout(settings));
        } catch (NoClassDefFoundError e) {
            throw new IdConfigurationException(
                    "A library is missing: " + DistributedIdSettings.SNOWFLAKE_LEASE_STORE
                            + "=zookeeper needs Apache Curator. Add org.apache.curator:curator-framework to the class path",
                    e);
        }
    }
}
