package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where Hibernate changes no tables, the ids in them are read while it builds the SessionFactory. */
class EarlyReadingTest {

    private static final String URL = "jdbc:h2:mem:early;DB_CLOSE_DELAY=-1";

    private static final String TABLE = "CREATE TABLE Photo (id BIGINT PRIMARY KEY)";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private final List<Connection> given = new CopyOnWriteArrayList<>();

    private final CountDownLatch isReading = new CountDownLatch(1);

    private final PlainDataSource database = new PlainDataSource() {
        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = DriverManager.getConnection(URL);
            if (Thread.currentThread() instanceof LibraryThread) {
                given.add(connection);
                isReading.countDown();
            }
            return connection;
        }
    };

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("early");
    }

    private Configuration configuration() {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.sequence_table.servers", URL)
                .setProperty("distributedid.create_tables", "true");
        configuration.getProperties().put("hibernate.connection.datasource", database);
        return configuration;
    }

    /** Hibernate tells its own observers first. */
    @Test
    void theReadingBeginsBeforeTheSessionFactoryIsThere() throws SQLException {
        DatabaseRows.execute(URL, TABLE, "INSERT INTO Photo VALUES (1000)");
        Configuration configuration = configuration().setProperty("distributedid.existing_ids", "raise");
        configuration.setSessionFactoryObserver(new SessionFactoryObserver() {
            private static final long serialVersionUID = 1L;

            @Override
            public void sessionFactoryCreated(SessionFactory factory) {
                awaitReading();
            }
        });

        try (SessionFactory factory = configuration.buildSessionFactory()) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            assertThat(photo.id).isGreaterThan(1000);
        }
    }

    private void awaitReading() {
        try {
            assertThat(isReading.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStartThatFailsGivesTheConnectionBack() throws SQLException {
        DatabaseRows.execute(URL, TABLE);
        Configuration configuration = configuration();
        configuration.setSessionFactoryObserver(new SessionFactoryObserver() {
            private static final long serialVersionUID = 1L;

            @Override
            public void sessionFactoryCreated(SessionFactory factory) {
                awaitReading();
                throw new IllegalStateException("the application's own observer");
            }
        });

        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining("the application's own observer");

        assertThat(given).hasSize(1);
        assertThat(given.get(0).isClosed()).isTrue();
    }

    /** The rows come later than an early reading. */
    @Test
    void idsThatHibernateImportsAreSeen() throws SQLException {
        DatabaseRows.execute(URL, TABLE);
        Configuration configuration = configuration().setProperty("hibernate.hbm2ddl.auto", "create");
        configuration
                .getProperties()
                .put(
                        "jakarta.persistence.sql-load-script-source",
                        new StringReader("INSERT INTO Photo VALUES (1000);"));

        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("there is an id 1000 already");
    }
}
