package io.distributedid.backend.snowflake;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.LedgerLeaseStore;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.internal.zookeeper.ZooKeeperSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The store of leases that the settings name.
 *
 * @param createTables whether a missing table is created
 * @param timeout the limit of each call
 */
record LeasePlace(Settings settings, boolean createTables, Duration timeout) {

    private enum Kind {
        JDBC,
        ZOOKEEPER
    }

    /** As the server: the database of the persistence unit. */
    private static final String APPLICATION = "application";

    private static final String ALLOWED =
            "a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings"
                    + " map, or application: the persistence unit's own database";

    private static final Setting<Kind> STORE = Setting.choice(
            "distributedid.snowflake.lease.store",
            "Where worker numbers are leased: in a database or in ZooKeeper.",
            Kind.JDBC);

    private static final Setting<Object> SERVER = Setting.servers(
                    "distributedid.snowflake.lease.server",
                    "The one database with the worker numbers, the same for all processes of an id space; application"
                            + " means the persistence unit's own database.")
            .withWords(List.of(APPLICATION));

    private static final Setting<String> USER = Setting.text(
            "distributedid.snowflake.lease.user",
            "The user for a server given by URL, unless the URL names one, or for ZooKeeper's digest scheme.",
            "a user");

    private static final Setting<String> PASSWORD =
            Setting.password("distributedid.snowflake.lease.password", "The password of snowflake.lease.user.");

    private static final Setting<String> TABLE =
            Setting.table("distributedid.snowflake.lease.table", "The table with the worker numbers.", LedgerSql.NAME);

    private static final String PATH = "/distributedid/workers";

    private static final ZooKeeperSettings ZOOKEEPER = new ZooKeeperSettings(
            Setting.text(
                    "distributedid.snowflake.lease.zookeeper",
                    "ZooKeeper's servers, with snowflake.lease.store=zookeeper.",
                    ZooKeeperSettings.HOSTS),
            Setting.text(
                            "distributedid.snowflake.lease.path",
                            "The ZooKeeper node that holds the worker numbers.",
                            "a path as in " + PATH)
                    .withDefault(PATH),
            USER,
            PASSWORD);

    static Stream<Setting<?>> declarations() {
        return Stream.of(STORE, SERVER, USER, PASSWORD, TABLE, ZOOKEEPER.servers(), ZOOKEEPER.path());
    }

    /** Whether the settings name a store of leases. */
    static boolean isSet(Settings settings) {
        return settings.given(SERVER).isPresent() || settings.given(STORE).isPresent();
    }

    LeasePlace withoutCreating() {
        return new LeasePlace(settings, false, timeout);
    }

    boolean isTable() {
        return settings.get(STORE) == Kind.JDBC;
    }

    /** Whether it is the database of the application. */
    boolean isApplications() {
        return settings.find(SERVER)
                .filter(server -> server.toString().strip().equals(APPLICATION))
                .isPresent();
    }

    /** Equal for settings that name the same place. */
    List<Object> identity() {
        return isTable()
                ? List.of(Kind.JDBC, settings.given(SERVER), table())
                : List.of(Kind.ZOOKEEPER, settings.given(ZOOKEEPER.servers()), settings.get(ZOOKEEPER.path()));
    }

    String table() {
        return settings.get(TABLE);
    }

    /**
     * Connects at the first call.
     *
     * @throws io.distributedid.IdConfigurationException if a setting is missing or wrong
     */
    LeaseStore open(Optional<ConnectionAccess> applicationDatabase) {
        if (!isTable()) {
            ZooKeeperPlace place = ZOOKEEPER.read(settings, "They hold the worker numbers");
            return ZooKeeperSettings.open(STORE, () -> LedgerLeaseStore.zooKeeper(place, createTables, timeout));
        }
        if (!isApplications()) {
            return LedgerLeaseStore.database(server(), table(), createTables, timeout);
        }
        ConnectionAccess database = applicationDatabase.orElseThrow(() -> settings.invalid(
                SERVER,
                APPLICATION,
                ALLOWED + ", which does not exist without Hibernate, with a tenant in every connection, or with several"
                        + " DataSource beans of which none is primary"));
        String table = table();
        String qualified = table.indexOf('.') < 0
                ? database.namespace().map(namespace -> namespace + "." + table).orElse(table)
                : table;
        return LedgerLeaseStore.database(database, qualified, createTables, timeout);
    }

    private ConnectionAccess server() {
        return ServerSettingParser.findOne(
                        settings,
                        SERVER,
                        USER,
                        PASSWORD,
                        "since several would have to agree on who has a number; use ZooKeeper for that")
                .orElseThrow(() -> settings.missing(
                        SERVER.allowing(ALLOWED),
                        "Shards with a table each would lease the same worker numbers, so the place is never guessed."
                                + " Without a database, set " + STORE + " to zookeeper"));
    }
}
