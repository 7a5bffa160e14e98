package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.jdbc.connections.spi.AbstractMultiTenantConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database of the entities remembers where its ids come from. A start with another place is refused. */
@Tag("slow")
class IdSpaceCheckTest {

    private static final String[] DATABASES = {
        "space", "space_two", "space_ids", "space_odd", "space_even", "space_a", "space_b", "space_denied", "space_read"
    };

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private static final LedgerSql LEDGER = new LedgerSql(DatabaseProduct.H2, LedgerSql.NAME);

    private final List<Long> given = new ArrayList<>();

    @BeforeEach
    void create() throws SQLException {
        drop();
        execute("space", "CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(DATABASES);
    }

    @Test
    void anotherTableIsRefusedAlsoWhereItWouldBeRaised() {
        persist("space", table("sequence"));

        assertRefused(
                "space",
                table("sequence2"),
                "distributedid move photos --from OLD.properties --config NEW.properties --database URL");
        persist("space", table("sequence"));
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void anotherWidthOfTicketsIsAnotherTable() {
        persist("space", tickets("distributedid.ticket.bits", "32"));

        assertRefused(
                "space", tickets("distributedid.ticket.bits", "64"), "A sequence takes its ids from a different place");
    }

    @Test
    void anotherServerIsRefused() {
        persist("space", servers("space_ids"));

        assertRefused("space", servers("space_odd"), "jdbc:h2:mem:space holds ids of token=");
    }

    @Test
    void disposableDataIsResetAsTheErrorSays() throws SQLException {
        persist("space", servers("space_ids"));

        assertThatThrownBy(() -> persist("space", servers("space_odd")))
                .hasMessageContaining(ExistingIdsTest.RESET)
                .hasMessageEndingWith("/on-call.md#place");
        H2Servers.drop("space");
        given.clear();
        persist("space", servers("space_odd"));
        assertThat(given).startsWith(1L);
    }

    @Test
    void twoShardsThatShareTheirTicketServersRememberTheSame() throws SQLException {
        persist("space", tickets());
        persist("space_two", tickets());
        persist("space", tickets());

        assertThat(given).doesNotHaveDuplicates();
        assertThat(token("space")).isNotEmpty().isEqualTo(token("space_two"));
    }

    @Test
    void theTableStaysWhenTheSchemaIsDropped() throws SQLException {
        persist("space", servers("space_ids"));
        String before = token("space");
        Map<String, String> create = new HashMap<>(servers("space_ids"));
        create.put("hibernate.hbm2ddl.auto", "create-drop");

        persist("space", create);

        assertThat(token("space")).isEqualTo(before);
    }

    @Test
    void aPlaceToWhichTheCounterWasMovedMayBeUsed() throws SQLException {
        persist("space", table("sequence"));
        Map<String, String> other = servers("space_ids");
        assertRefused("space", other, "A sequence takes its ids from a different place");
        Map<String, Object> old = new HashMap<>(table("sequence"));
        old.put("distributedid.sequence_table.servers", "jdbc:h2:mem:space");
        try (DistributedIds ids = DistributedIds.create(other)) {
            ids.admin()
                    .move(
                            "photos",
                            new CounterMove(
                                    CounterMove.Kind.PLACE,
                                    List.of(old),
                                    0,
                                    Set.of(token("space")),
                                    false,
                                    highest -> {},
                                    IdSpaceCheckTest::remember));
        }
        persist("space", other);

        assertThat(given).doesNotHaveDuplicates();
    }

    private static void remember(String token) {
        try {
            execute("space", "UPDATE distributedid SET text = 'token=" + token + "' WHERE name = '@place/photos'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPlaceWhoseLedgerIsDeniedIsRefused() throws SQLException {
        execute(
                "space_ids",
                IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2")
                        .toArray(String[]::new));
        execute("space_ids", "CREATE USER ids PASSWORD 'ids'", "GRANT SELECT, INSERT, UPDATE ON sequence TO ids");
        Map<String, String> denied = Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", "jdbc:h2:mem:space_ids",
                "distributedid.sequence_table.user", "ids",
                "distributedid.sequence_table.password", "ids");

        assertRefused("space", denied, "GRANT SELECT, INSERT, UPDATE ON distributedid to the user");
    }

    /** Outside of the check: what its numbers come from has no token by nature. */
    @Test
    void aSequenceThatDoesNotCountAnyMoreIsNotCompared() {
        persist("space", table("sequence"));

        persist("space", Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7"));

        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aUserWithoutTheRightToTheTableIsWarned() throws SQLException {
        execute(
                "space_denied",
                "CREATE TABLE Photo (id BIGINT PRIMARY KEY)",
                "CREATE USER app PASSWORD 'app'",
                "GRANT SELECT, INSERT ON Photo TO app");

        try (LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class)) {
            persistAs("app", "space_denied", servers("space_ids"));
            persistAs("app", "space_denied", servers("space_ids"));
            assertThat(warnings.messages())
                    .as("one of a process")
                    .singleElement()
                    .asString()
                    .startsWith("The database of the entities can't remember where ids come from. A counter from"
                            + " another place will not be noticed. Create its table distributedid, and GRANT SELECT,"
                            + " INSERT, UPDATE on it. jdbc:h2:mem:space_denied said: The ledger beside the ids is"
                            + " missing: table=distributedid on jdbc:h2:mem:space_denied. Create it: CREATE TABLE ");
        }
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aUserWhoMayOnlyReadTheTableIsWarned() throws SQLException {
        execute(
                "space_read",
                "CREATE TABLE Photo (id BIGINT PRIMARY KEY)",
                LEDGER.ddl(),
                "CREATE USER app PASSWORD 'app'",
                "GRANT SELECT, INSERT ON Photo TO app",
                "GRANT SELECT ON distributedid TO app");

        try (LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class)) {
            persistAs("app", "space_read", servers("space_ids"));
            assertThat(warnings.messages()).singleElement().asString().contains("GRANT SELECT, INSERT, UPDATE");
        }
    }

    @Test
    void aDatabaseThatTakesNoWritesIsWarnedOf() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(servers("space_ids"));
                Connection connection = connect("space");
                LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class)) {
            ids.next("photos");
            Connection readOnly = failingToCreate(connection);

            check(ids, readOnly, "read-only space");

            assertThat(warnings.messages()).hasSize(1);
        }
    }

    @Test
    void aDatabaseOfAnotherProductIsWarnedOf() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(servers("space_ids"));
                Connection connection = connect("space");
                LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class)) {
            ids.next("photos");

            check(ids, ofAnotherProduct(connection), "other space");

            assertThat(warnings.messages()).hasSize(1);
            assertThat(token("space")).isEmpty();
        }
    }

    @Test
    void whatAPoolWouldRollBackIsWritten() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(servers("space_ids"))) {
            ids.next("photos");
            try (Connection connection = connect("space")) {
                connection.setAutoCommit(false);
                check(ids, connection, "space");
                assertThat(connection.getAutoCommit()).isFalse();
                connection.rollback();
            }
            assertThat(ids.admin().token("photos")).contains(token("space"));
        }
    }

    @Test
    void eachTenantsDatabaseIsLookedAtBeforeItsFirstId() throws SQLException {
        for (String tenant : new String[] {"space_a", "space_b"}) {
            execute(tenant, "CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        }
        try (SessionFactory factory = tenants(servers("space_ids"))) {
            persist(factory, "space_a");
        }
        assertThat(token("space_a")).isNotEmpty();
        assertThat(token("space_b")).isEmpty();

        try (SessionFactory factory = tenants(servers("space_odd"))) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> persist(factory, "space_a"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("A sequence takes its ids from a different place than before: seq=photos")
                        .hasMessageContaining("tenant space_a holds ids of token=");
            }
            persist(factory, "space_b");
        }
        assertThat(token("space_b")).isNotEmpty().isNotEqualTo(token("space_a"));
    }

    private static void check(DistributedIds ids, Connection connection, String label) throws SQLException {
        IdSpace space = new IdSpace("photos", ids.admin().token("photos").orElseThrow(), false);
        new RememberedPlaces(connection, Optional.empty(), label).check(Map.of("photos", space));
    }

    private static void persist(SessionFactory factory, String tenant) {
        try (var session =
                factory.withOptions().tenantIdentifier((Object) tenant).openSession()) {
            session.beginTransaction();
            session.persist(new Photo());
            session.getTransaction().commit();
        }
    }

    private static SessionFactory tenants(Map<String, String> backend) {
        Configuration configuration = new Configuration().addAnnotatedClass(Photo.class);
        backend.forEach(configuration::setProperty);
        configuration.getProperties().put("hibernate.multi_tenant_connection_provider", new Tenants());
        return configuration
                .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
                .buildSessionFactory();
    }

    /** A database for each tenant, whose connections are not in autocommit mode. */
    static final class Tenants extends AbstractMultiTenantConnectionProvider<Object> {

        private static final long serialVersionUID = 1;

        @Override
        protected ConnectionProvider getAnyConnectionProvider() {
            throw new UnsupportedOperationException("a connection belongs to a tenant");
        }

        @Override
        protected ConnectionProvider selectConnectionProvider(Object tenant) {
            return new Tenant(tenant.toString());
        }
    }

    static final class Tenant implements ConnectionProvider {

        private static final long serialVersionUID = 1;

        private final String database;

        Tenant(String database) {
            this.database = database;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = connect(database);
            connection.setAutoCommit(false);
            return connection;
        }

        @Override
        public void closeConnection(Connection connection) throws SQLException {
            connection.rollback();
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private static Map<String, String> table(String table) {
        return Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.table", table);
    }

    private static Map<String, String> servers(String database) {
        return Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                url(database),
                "distributedid.create_tables",
                "true");
    }

    private static Map<String, String> tickets(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", url("space_odd") + ", " + url("space_even"),
                "distributedid.ticket.numbering", "client",
                "distributedid.create_tables", "true"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    private void assertRefused(String database, Map<String, String> backend, String message) {
        assertThatThrownBy(() -> persist(database, backend))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(message);
    }

    private void persist(String database, Map<String, String> backend) {
        persist(configuration(backend).setProperty("hibernate.connection.url", url(database)));
    }

    /** A user without the right to change the settings in the URL of other users. */
    private void persistAs(String user, String database, Map<String, String> backend) {
        persist(configuration(backend)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:" + database)
                .setProperty("hibernate.connection.username", user)
                .setProperty("hibernate.connection.password", user)
                .setProperty("hibernate.hbm2ddl.auto", "none"));
    }

    private void persist(Configuration configuration) {
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            for (int i = 0; i < 20; i++) {
                Photo photo = new Photo();
                factory.inTransaction(session -> session.persist(photo));
                given.add(photo.id);
            }
        }
    }

    private static Configuration configuration(Map<String, String> backend) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.existing_ids", "raise");
        backend.forEach(configuration::setProperty);
        return configuration;
    }

    private static String token(String database) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(LEDGER.ddl());
            try (ResultSet row = statement.executeQuery(
                    "SELECT SUBSTRING(text, 7) FROM distributedid WHERE name = '@place/photos'")) {
                return row.next() ? row.getString(1) : "";
            }
        }
    }

    private static Connection failingToCreate(Connection connection) {
        return proxy(
                Connection.class,
                connection,
                (name, result) -> name.equals("createStatement")
                        ? proxy(Statement.class, (Statement) result, (call, found) -> {
                            if (call.equals("execute")) {
                                throw new SQLException(
                                        "cannot execute CREATE TABLE in a read-only transaction", "25006");
                            }
                            return found;
                        })
                        : result);
    }

    private static Connection ofAnotherProduct(Connection connection) {
        return proxy(
                Connection.class,
                connection,
                (name, result) -> name.equals("getMetaData")
                        ? proxy(
                                DatabaseMetaData.class,
                                (DatabaseMetaData) result,
                                (call, found) -> call.equals("getDatabaseProductName") ? "Oracle" : found)
                        : result);
    }

    @FunctionalInterface
    private interface Replacement {

        Object of(String method, Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, Replacement replacement) {
        return type.cast(Proxy.newProxyInstance(
                IdSpaceCheckTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return replacement.of(method.getName(), method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    private static Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(url(database));
    }

    private static void execute(String database, String... statements) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
