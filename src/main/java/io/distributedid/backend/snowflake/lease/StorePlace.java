package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where worker numbers are, or were before they moved, as the settings say. */
final class StorePlace {

    /** The value of the setting for the server that stands for the persistence unit's own database. */
    private static final String APPLICATION = "application";

    private static final String SERVER =
            "a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings"
                    + " map, or application: the persistence unit's own database";

    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

    private static final Names NOW = new Names(
            DistributedIdSettings.SNOWFLAKE_LEASE_STORE,
            DistributedIdSettings.SNOWFLAKE_LEASE_SERVER,
            DistributedIdSettings.SNOWFLAKE_LEASE_USER,
            DistributedIdSettings.SNOWFLAKE_LEASE_PASSWORD,
            DistributedIdSettings.SNOWFLAKE_LEASE_TABLE,
            DistributedIdSettings.SNOWFLAKE_LEASE_ZOOKEEPER,
            DistributedIdSettings.SNOWFLAKE_LEASE_PATH);

    private static final Names BEFORE = new Names(
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_STORE,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_SERVER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_USER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_PASSWORD,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_TABLE,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_ZOOKEEPER,
            DistributedIdSettings.SNOWFLAKE_LEASE_MOVING_FROM_PATH);

    /** Of the settings. */
    private record Names(
            String store, String server, String user, String password, String table, String zooKeeper, String path) {

        Stream<String> all() {
            return Stream.of(store, server, user, password, table, zooKeeper, path);
        }
    }

    private enum Kind {
        JDBC,
        ZOOKEEPER
    }

    private final Settings settings;

    private final Names names;

    private final boolean createTable;

    private StorePlace(Settings settings, Names names, boolean createTable) {
        this.settings = settings;
        this.names = names;
        this.createTable = createTable;
    }

    static StorePlace now(Settings settings) {
        return new StorePlace(settings, NOW, settings.flag(DistributedIdSettings.SNOWFLAKE_LEASE_CREATE_TABLE, false));
    }

    /** As {@link #now}, but no table is created. */
    static StorePlace nowToRead(Settings settings) {
        return new StorePlace(settings, NOW, false);
    }

    /** Empty if the numbers are not moving. */
    static Optional<StorePlace> before(Settings settings) {
        return BEFORE.all().anyMatch(name -> settings.object(name).isPresent())
                ? Optional.of(new StorePlace(settings, BEFORE, false))
                : Optional.empty();
    }

    private Kind kind() {
        return settings.choice(names.store, Kind.JDBC);
    }

    boolean isTable() {
        return kind() == Kind.JDBC;
    }

    /** Whether it is the application's own database. */
    boolean isOwn() {
        return settings.text(names.server).filter(APPLICATION::equals).isPresent();
    }

    String table() {
        return TableName.of(settings, names.table, "snowflake_worker");
    }

    /** Connects at the first call. */
    WorkerStore open(Optional<ConnectionAccess> applicationDatabase) {
        return switch (kind()) {
            case JDBC -> jdbc(applicationDatabase);
            case ZOOKEEPER -> zooKeeper();
        };
    }

    private WorkerStore jdbc(Optional<ConnectionAccess> applicationDatabase) {
        String table = table();
        if (!isOwn()) {
            return new JdbcWorkerStore(server(), table, createTable, LeaseSettings.timeout(settings));
        }
        ConnectionAccess own = applicationDatabase.orElseThrow(() -> settings.invalid(
                names.server,
                APPLICATION,
                SERVER + ", which there is not without Hibernate, or with a tenant in every connection"));
        String qualified = table.indexOf('.') < 0
                ? own.namespace().map(namespace -> namespace + "." + table).orElse(table)
                : table;
        return new JdbcWorkerStore(own, qualified, createTable, LeaseSettings.timeout(settings));
    }

    private ConnectionAccess server() {
        String setting = names.server;
        List<ConnectionAccess> servers = ServerSettingParser.find(
                settings, setting, names.user, names.password, LeaseSettings.timeout(settings));
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

    private WorkerStore zooKeeper() {
        String servers = settings.required(
                names.zooKeeper, "ZooKeeper's servers, host:port separated by commas", "They hold the worker numbers");
        String setting = names.path;
        String path = settings.text(setting).orElse("/distributedid/workers");
        if (!PATH.matcher(path).matches()) {
            throw settings.invalid(setting, path, "a path as in /distributedid/workers");
        }
        Optional<String> credentials = settings.text(names.user)
                .map(user -> user + ":" + settings.text(names.password).orElse(""));
        // Curator is on the class path even where this is a module.
        Module own = StorePlace.class.getModule();
        own.addReads(StorePlace.class.getClassLoader().getUnnamedModule());
        try {
            return new ZooKeeperWorkerStore(servers, path, credentials, LeaseSettings.timeout(settings));
        } catch (NoClassDefFoundError e) {
            throw new IdConfigurationException(
                    "A library is missing: " + names.store
                            + "=zookeeper needs Apache Curator. Add org.apache.curator:curator-framework to the class path",
                    e);
        }
    }
}
