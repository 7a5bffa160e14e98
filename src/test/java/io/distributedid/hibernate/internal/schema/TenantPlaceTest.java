package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.jdbc.connections.spi.AbstractMultiTenantConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The database of each tenant remembers where its ids come from, whatever they depend on. */
@Tag("slow")
class TenantPlaceTest {

    private static final String TENANT = "place_7";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        Long userId = 7L;
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        Long id = 1L;

        @DistributedValue(seq = "photos")
        Long number;

        Long userId = 7L;
    }

    private final Semaphore pool = new Semaphore(100);

    @BeforeEach
    void create() throws SQLException {
        drop();
        DatabaseRows.execute(
                url(TENANT),
                "CREATE TABLE Photo (id BIGINT PRIMARY KEY, userId BIGINT)",
                "CREATE TABLE Album (id BIGINT PRIMARY KEY, number BIGINT, userId BIGINT)");
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(TENANT, "place_one", "place_two");
    }

    @ParameterizedTest
    @CsvSource({
        "counter, Photo",
        "counter, Album",
        "lease, Photo",
        "lease, Album",
        "tenant, Photo",
        "tenant, Album",
        "entity.userId, Photo",
        "entity.userId, Album"
    })
    void anotherPlaceIsRefusedForIdsOfEachKind(String kind, String entity) {
        try (SessionFactory one = start(place(kind, "place_one"));
                SessionFactory two = start(place(kind, "place_two"))) {
            persist(one, entity);

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> persist(two, entity))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("from a different place than before: seq=photos")
                        .hasMessageContaining("tenant place_7 holds ids of token=");
            }
            persist(one, entity);
        }
    }

    @Test
    void aProcessThatIsResumedAfterAMoveIsRefused() throws SQLException {
        try (SessionFactory suspended = start(place("counter", "place_one"))) {
            persist(suspended, "Photo");
            DistributedIds ids = DistributedIdService.of(suspended).ids();
            ids.suspend();
            // As a move from another process leaves it.
            DatabaseRows.execute(
                    url(TENANT), "UPDATE distributedid SET text = 'token=moved' WHERE name LIKE '@place/%'");

            ids.resume();

            assertThatThrownBy(() -> persist(suspended, "Photo"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("from a different place than before: seq=photos");
        }
    }

    @Test
    void aSequenceThatNoEntityUsesIsWarnedOf() throws ClassNotFoundException {
        Class<?> check = Class.forName("io.distributedid.internal.registry.TokenCheck");
        try (LoggedWarnings warnings = LoggedWarnings.of(check);
                SessionFactory factory = start(place("counter", "place_one"))) {
            persist(factory, "Photo");
            assertThat(warnings.messages()).isEmpty();

            DistributedIdService.of(factory).ids().next("jobs");

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("No database stores where the ids of a sequence come from: seq=");
        }
    }

    @Test
    void theFirstIdOfATenantDoesNotWaitForEverForItsPool() {
        Map<String, String> settings = place("counter", "place_one");
        settings.put("distributedid.block.timeout", "1s");
        pool.drainPermits();
        pool.release();
        try (SessionFactory factory = start(settings)) {
            CompletableFuture<Void> call = CompletableFuture.runAsync(() -> persist(factory, "Photo"));

            assertThatThrownBy(() -> call.orTimeout(60, TimeUnit.SECONDS).join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("Can't read from the application's database where a sequence was counted"
                            + " before: seq=photos, tenant place_7 said: No connection within 1000 ms")
                    .hasMessageEndingWith(
                            "If it comes from a pool, the pool must have room for one more connection, which is kept"
                                    + " for ids");
            Await.until("all connections are given back", () -> pool.availablePermits() == 1);
        }
    }

    private static Map<String, String> place(String kind, String database) {
        Map<String, String> settings = new HashMap<>(Map.of("distributedid.create_tables", "true"));
        if (kind.equals("counter")) {
            settings.put("distributedid.backend", "sequence_table");
            settings.put("distributedid.sequence_table.servers", url(database));
            return settings;
        }
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.server", url(database));
        if (!kind.equals("lease")) {
            settings.put("distributedid.snowflake.layout", "sharded");
            settings.put("distributedid.shard.from", kind);
            settings.put("distributedid.shard.count", "2000");
        }
        if (kind.equals("tenant")) {
            settings.put("distributedid.shard.pattern", "place_(\\d+)");
        }
        return settings;
    }

    private SessionFactory start(Map<String, String> settings) {
        Configuration configuration =
                new Configuration().addAnnotatedClass(Photo.class).addAnnotatedClass(Album.class);
        settings.forEach(configuration::setProperty);
        configuration.getProperties().put("hibernate.multi_tenant_connection_provider", new Tenants(pool));
        return configuration
                .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
                .buildSessionFactory();
    }

    private static void persist(SessionFactory factory, String entity) {
        try (var session =
                factory.withOptions().tenantIdentifier((Object) TENANT).openSession()) {
            session.beginTransaction();
            try {
                session.persist(entity.equals("Photo") ? new Photo() : new Album());
                session.flush();
            } finally {
                session.getTransaction().rollback();
            }
        }
    }

    /** A database for each tenant, all with one pool. */
    private static final class Tenants extends AbstractMultiTenantConnectionProvider<Object> {

        private static final long serialVersionUID = 1;

        private final transient Semaphore pool;

        Tenants(Semaphore pool) {
            this.pool = pool;
        }

        @Override
        protected ConnectionProvider getAnyConnectionProvider() {
            throw new UnsupportedOperationException("a connection belongs to a tenant");
        }

        @Override
        protected ConnectionProvider selectConnectionProvider(Object tenant) {
            return new Tenant(tenant.toString(), pool);
        }
    }

    private static final class Tenant implements ConnectionProvider {

        private static final long serialVersionUID = 1;

        private final String database;

        private final transient Semaphore pool;

        Tenant(String database, Semaphore pool) {
            this.database = database;
            this.pool = pool;
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                if (!pool.tryAcquire(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new SQLTimeoutException("No connection is free");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("Interrupted while waiting for a connection", e);
            }
            return DriverManager.getConnection(url(database));
        }

        @Override
        public void closeConnection(Connection connection) throws SQLException {
            connection.close();
            pool.release();
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

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }
}
