package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.jdbc.ServerSettingParser;
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

    private static final Names NOW = Names.of("snowflake.lease.");

    private static final Names BEFORE = Names.of("snowflake.lease.moving_from.");

    private record Names(
            Setting<Kind> store,
            Setting<Object> server,
            Setting<String> user,
            Setting<String> password,
            Setting<String> table,
            ZooKeeperSettings zooKeeper,
            ServiceSettings service) {

        static Names of(String place) {
            String prefix = Setting.PREFIX + place;
            Setting<String> user = Setting.text(prefix + "user", "a user");
            Setting<String> password = Setting.password(prefix + "password");
            return new Names(
                    Setting.choice(prefix + "store", Kind.JDBC),
                    Setting.servers(prefix + "server").withWords(List.of(APPLICATION)),
                    user,
                    password,
                    Setting.table(prefix + "table", "snowflake_worker"),
                    ZooKeeperSettings.named(
                            prefix + "zookeeper", prefix + "path", "/distributedid/workers", user, password),
                    ServiceSettings.named(prefix + "service", prefix + "token", prefix + "trust"));
        }

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

    private enum Kind {
        JDBC,
        ZOOKEEPER,
        SERVICE
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
        return new StorePlace(settings, NOW, settings.get(LeaseSettings.CREATE_TABLE));
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
            return new JdbcWorkerStore(server(), table, createTable, LeaseSettings.timeout(settings));
        }
        ConnectionAccess database = applicationDatabase.orElseThrow(() -> settings.invalid(
                names.server,
                APPLICATION,
                SERVER + ", which there is not without Hibernate, with a tenant in every connection, or with several"
                        + " DataSource beans of which none is primary"));
        String qualified = table.indexOf('.') < 0
                ? database.namespace().map(namespace -> namespace + "." + table).orElse(table)
                : table;
        return new JdbcWorkerStore(database, qualified, createTable, LeaseSettings.timeout(settings));
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
