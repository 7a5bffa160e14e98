package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Items;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.registry.BootstrapServiceRegistry;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start reads while Hibernate builds the SessionFactory. */
class EarlyReadsTest {

    private static final String URL = "jdbc:h2:mem:early;DB_CLOSE_DELAY=-1";

    private static final int ENTITIES = 3;

    /** Notified before the start compares anything. */
    private static final class Built implements SessionFactoryObserver {

        private static final long serialVersionUID = 1L;

        private final transient Runnable then;

        Built(Runnable then) {
            this.then = then;
        }

        @Override
        public void sessionFactoryCreated(SessionFactory factory) {
            then.run();
        }
    }

    @BeforeEach
    void createTables() throws SQLException {
        for (int i = 0; i < ENTITIES; i++) {
            execute("CREATE TABLE " + Items.table(i) + " (id BIGINT PRIMARY KEY)");
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("early");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean isRead(SentStatements database) {
        return database.sent().stream().anyMatch(sql -> sql.contains("FROM item"));
    }

    @Test
    void tablesAndCountersAreReadWhileTheFactoryIsBuilt() {
        SentStatements database = SentStatements.to(URL);
        AtomicBoolean read = new AtomicBoolean();
        Built built = new Built(() -> {
            Await.until("the tables are read", () -> isRead(database));
            Await.until(
                    "the counters are read",
                    () -> database.sent().stream().anyMatch(sql -> sql.contains("FROM sequence WHERE name IN")));
            read.set(true);
        });

        start(database, built).close();

        assertThat(read).isTrue();
        assertThat(database.sent())
                .as("once")
                .filteredOn(sql -> sql.contains("FROM item"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "hibernate.hbm2ddl.auto, update",
        "hibernate.hbm2ddl.auto, create-drop",
        "jakarta.persistence.schema-generation.database.action, create",
        "javax.persistence.schema-generation.database.action, create",
        "distributedid.open, lazy"
    })
    void nothingIsReadEarlyIfTheStartMayChangeTheTables(String name, String value) {
        SentStatements database = SentStatements.to(URL);
        AtomicBoolean early = new AtomicBoolean(true);
        Built built = new Built(() -> early.set(isRead(database) || hasThread()));

        start(database, built, name, value).close();

        assertThat(early).isFalse();
    }

    private static boolean hasThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("distributedid-start-"));
    }

    /** Such as one that runs migrations. */
    private static final class Migration implements Integrator {

        @Override
        public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
            try {
                execute("INSERT INTO " + Items.table(1) + " VALUES (5000)");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
            // Nothing to undo.
        }
    }

    @Test
    void rowsOfAnIntegratorOfTheApplicationAreSeen() {
        SentStatements database = SentStatements.to(URL);
        AtomicBoolean early = new AtomicBoolean(true);
        Configuration configuration = configuration(
                new BootstrapServiceRegistryBuilder()
                        .applyIntegrator(new Migration())
                        .build(),
                database,
                new Built(() -> early.set(isRead(database) || hasThread())));

        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("there is an id 5000 already");
        assertThat(early).isFalse();
    }

    @Test
    void whatCannotBeReadEarlyIsReadLater() throws SQLException {
        execute("INSERT INTO " + Items.table(2) + " VALUES (5000)");
        AtomicBoolean built = new AtomicBoolean();
        SentStatements database =
                SentStatements.failing(URL, sql -> !built.get() && sql.contains("information_schema.columns"));

        assertThatThrownBy(() -> start(database, new Built(() -> {
                            Await.until("the early reads are over", () -> !hasThread());
                            built.set(true);
                        }))
                        .close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Item002 (seq=items002)")
                .hasMessageContaining("there is an id 5000 already");
    }

    @Test
    void anIdThatWasReadEarlyIsCompared() throws SQLException {
        execute("INSERT INTO " + Items.table(2) + " VALUES (5000)");
        SentStatements database = SentStatements.to(URL);

        assertThatThrownBy(() -> start(database, new Built(() -> {})).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Item002 (seq=items002)")
                .hasMessageContaining("there is an id 5000 already");
        assertThat(database.sent())
                .as("once")
                .filteredOn(sql -> sql.contains("FROM item"))
                .hasSize(1);
    }

    @Test
    void aStartObtainsNoConnectionIfAllWasReadEarly() {
        SentStatements database = SentStatements.to(URL);
        AtomicInteger before = new AtomicInteger();
        Built built = new Built(() -> {
            Await.until("the early reads are over", () -> isRead(database) && !hasThread());
            before.set(database.connections());
        });

        start(database, built, "distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7")
                .close();

        assertThat(before).hasPositiveValue();
        assertThat(database.connections()).isEqualTo(before.get());
    }

    @Test
    void aStartThatFailsLeavesNoThreadAndNoConnection() {
        JdbcConnectionPool pool = JdbcConnectionPool.create(URL, "", "");
        Configuration configuration =
                configuration(new BootstrapServiceRegistryBuilder().build(), pool, new Built(() -> {
                    throw new IllegalStateException("fails in this test");
                }));

        assertThatThrownBy(configuration::buildSessionFactory).hasStackTraceContaining("fails in this test");

        Await.until("the threads have ended", () -> !hasThread());
        Await.until("the connections are back", () -> pool.getActiveConnections() == 0);
        pool.dispose();
    }

    private static SessionFactory start(Object database, Built built, String... setting) {
        Configuration configuration = configuration(new BootstrapServiceRegistryBuilder().build(), database, built);
        for (int i = 0; i < setting.length; i += 2) {
            configuration.setProperty(setting[i], setting[i + 1]);
        }
        return configuration.buildSessionFactory();
    }

    private static Configuration configuration(BootstrapServiceRegistry registry, Object database, Built built) {
        Configuration configuration = new Configuration(registry)
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true");
        configuration.getProperties().put("hibernate.connection.datasource", database);
        configuration.setSessionFactoryObserver(built);
        List<Class<?>> classes = Items.classes(ENTITIES);
        classes.forEach(configuration::addAnnotatedClass);
        return configuration;
    }
}
