package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.internal.zookeeper.ZooKeeperSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The place of worker numbers that the settings name: the present one, or the one that they move from. */
final class StorePlace {

    /** As the server: the database of the persistence unit. */
    private static final String APPLICATION = "application";

    private static final String SERVER =
            "a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings"
                    + " map, or application: the persistence unit's own database";

    private record Names(
            Setting<Kind> store,
            Setting<Object> server,
            Setting<String> user,
            Setting<String> password,
            Setting<String> table,
            ZooKeeperSettings zooKeeper,
            ServiceSettings service) {

        Stream<Setting<?>> all() {
            return Stream.of(
                    store,
                    server,
                    user,
                    password,
                    table,
                    zooKeeper.servers(),
                    zooKeeper.path(),
                    service.servers(),
                    service.token(),
                    service.trust());
        }
    }

    private static final String PATH = "/distributedid/workers";

    private static final String ALLOWED_PATH = "a path as in " + PATH;

    private static final Names NOW = now();

    private static final Names BEFORE = before();

    private static Names now() {
        Setting<String> user = Setting.text(
                "distributedid.snowflake.lease.user",
                "The user for a server given by URL, unless the URL names one, or for ZooKeeper's scheme digest.",
                "a user");
        Setting<String> password =
                Setting.password("distributedid.snowflake.lease.password", "The password of snowflake.lease.user.");
        return new Names(
                Setting.choice(
                        "distributedid.snowflake.lease.store",
                        "Where worker numbers are leased: a table of a database, ZooKeeper, or an issuing service for"
                                + " processes without a database.",
                        Kind.JDBC),
                Setting.servers(
                                "distributedid.snowflake.lease.server",
                                "The one database with the table of worker numbers, the same for all processes of an id"
                                        + " space; application is the persistence unit's own.")
                        .withWords(List.of(APPLICATION)),
                user,
                password,
                Setting.table(
                        "distributedid.snowflake.lease.table", "The table of worker numbers.", "snowflake_worker"),
                new ZooKeeperSettings(
                        Setting.text(
                                "distributedid.snowflake.lease.zookeeper",
                                "ZooKeeper's servers, with snowflake.lease.store=zookeeper.",
                                ZooKeeperSettings.HOSTS),
                        Setting.text(
                                        "distributedid.snowflake.lease.path",
                                        "The node of ZooKeeper below which worker numbers are.",
                                        ALLOWED_PATH)
                                .withDefault(PATH),
                        user,
                        password),
                new ServiceSettings(
                        Setting.list(
                                "distributedid.snowflake.lease.service",
                                "The servers of an issuing service that serves worker numbers. All must have one store.",
                                ServiceSettings.ADDRESSES),
                        Setting.password(
                                "distributedid.snowflake.lease.token",
                                "The token that the servers of snowflake.lease.service ask for."),
                        Setting.text(
                                "distributedid.snowflake.lease.trust",
                                "The certificates that those of snowflake.lease.service must be signed by.",
                                ServiceSettings.CERTIFICATES)));
    }

    private static Names before() {
        Setting<String> user = Setting.text(
                "distributedid.snowflake.lease.moving_from.user",
                "The user of the store that worker numbers move from.",
                "a user");
        Setting<String> password =
                Setting.password("distributedid.snowflake.lease.moving_from.password", "The password of that user.");
        return new Names(
                Setting.choice(
                        "distributedid.snowflake.lease.moving_from.store",
                        "The store that worker numbers move from. While any of these settings is set, a process leases"
                                + " its number at both places.",
                        Kind.JDBC),
                Setting.servers(
                                "distributedid.snowflake.lease.moving_from.server",
                                "The database that worker numbers move from.")
                        .withWords(List.of(APPLICATION)),
                user,
                password,
                Setting.table(
                        "distributedid.snowflake.lease.moving_from.table",
                        "The table that worker numbers move from.",
                        "snowflake_worker"),
                new ZooKeeperSettings(
                        Setting.text(
                                "distributedid.snowflake.lease.moving_from.zookeeper",
                                "The servers of ZooKeeper that worker numbers move from.",
                                ZooKeeperSettings.HOSTS),
                        Setting.text(
                                        "distributedid.snowflake.lease.moving_from.path",
                                        "The node of ZooKeeper that worker numbers move from.",
                                        ALLOWED_PATH)
                                .withDefault(PATH),
                        user,
                        password),
                new ServiceSettings(
                        Setting.list(
                                "distributedid.snowflake.lease.moving_from.service",
                                "The servers of the issuing service that worker numbers move from.",
                                ServiceSettings.ADDRESSES),
                        Setting.password(
                                "distributedid.snowflake.lease.moving_from.token",
                                "The token that these servers ask for."),
                        Setting.text(
                                "distributedid.snowflake.lease.moving_from.trust",
                                "The certificates that those of these servers must be signed by.",
                                ServiceSettings.CERTIFICATES)));
    }

    private enum Kind {
        JDBC,
        ZOOKEEPER,
        SERVICE
    }

    private final Settings settings;

    private final Names names;

    private final boolean createTables;

    private StorePlace(Settings settings, Names names, boolean createTables) {
        this.settings = settings;
        this.names = names;
        this.createTables = createTables;
    }

    static StorePlace now(Settings settings) {
        return new StorePlace(settings, NOW, settings.get(CoreSettings.CREATE_TABLES));
    }

    /** As {@link #now}, but it creates no table. */
    static StorePlace nowToRead(Settings settings) {
        return new StorePlace(settings, NOW, false);
    }

    /** Empty if the numbers are not moving. */
    static Optional<StorePlace> before(Settings settings) {
        return BEFORE.all().anyMatch(each -> settings.given(each).isPresent())
                ? Optional.of(new StorePlace(settings, BEFORE, false))
                : Optional.empty();
    }

    static Stream<Setting<?>> declarations() {
        return Stream.concat(NOW.all(), BEFORE.all());
    }

    /** Whether the settings name a store of numbers. */
    static boolean isSet(Settings settings) {
        return settings.given(NOW.server).isPresent()
                || settings.given(NOW.store).isPresent();
    }

    private Kind kind() {
        return settings.get(names.store);
    }

    /** Refuses the store of another server. */
    StorePlace withoutService() {
        if (kind() == Kind.SERVICE) {
            throw settings.invalid(
                    names.store,
                    "service",
                    "jdbc, zookeeper: a server that serves worker numbers has their store itself");
        }
        return this;
    }

    boolean isTable() {
        return kind() == Kind.JDBC;
    }

    /** Whether it is the database of the application. */
    boolean isApplications() {
        return settings.find(names.server)
                .filter(server -> server.toString().strip().equals(APPLICATION))
                .isPresent();
    }

    /** Equal for settings that name the same place. */
    List<Object> identity() {
        return switch (kind()) {
            case JDBC -> List.of(Kind.JDBC, settings.given(names.server), table());
            case ZOOKEEPER ->
                List.of(
                        Kind.ZOOKEEPER,
                        settings.given(names.zooKeeper.servers()),
                        settings.get(names.zooKeeper.path()));
            case SERVICE -> List.of(Kind.SERVICE, settings.given(names.service.servers()));
        };
    }

    String table() {
        return settings.get(names.table);
    }

    /** Connects at the first call. */
    WorkerStore open(Optional<ConnectionAccess> applicationDatabase) {
        return switch (kind()) {
            case JDBC -> jdbc(applicationDatabase);
            case ZOOKEEPER -> zooKeeper();
            case SERVICE ->
                new HttpWorkerStore(
                        names.service,
                        names.service.read(settings, "They have the store of worker numbers"),
                        LeaseSettings.timeout(settings));
        };
    }

    private WorkerStore jdbc(Optional<ConnectionAccess> applicationDatabase) {
        String table = table();
        if (!isApplications()) {
            return new JdbcWorkerStore(server(), table, createTables, LeaseSettings.timeout(settings));
        }
        ConnectionAccess database = applicationDatabase.orElseThrow(() -> settings.invalid(
                names.server,
                APPLICATION,
                SERVER + ", which there is not without Hibernate, with a tenant in every connection, or with several"
                        + " DataSource beans of which none is primary"));
        String qualified = table.indexOf('.') < 0
                ? database.namespace().map(namespace -> namespace + "." + table).orElse(table)
                : table;
        return new JdbcWorkerStore(database, qualified, createTables, LeaseSettings.timeout(settings));
    }

    private ConnectionAccess server() {
        List<ConnectionAccess> servers = ServerSettingParser.find(settings, names.server, names.user, names.password);
        if (servers.isEmpty()) {
            throw settings.missing(
                    names.server.allowing(SERVER),
                    "Shards that lease worker numbers from a table each lease the same ones, so that the place is never"
                            + " guessed. Without a database, set " + names.store + " to zookeeper or service");
        }
        if (servers.size() > 1) {
            throw settings.invalid(
                    names.server,
                    servers.size() + " servers",
                    "one, since several would have to agree on who has a number; use ZooKeeper for that");
        }
        return servers.get(0);
    }

    private WorkerStore zooKeeper() {
        ZooKeeperPlace place = names.zooKeeper.read(settings, "They hold the worker numbers");
        return ZooKeeperSettings.open(
                names.store, () -> new ZooKeeperWorkerStore(place, LeaseSettings.timeout(settings)));
    }
}
