package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A SessionFactory is created while the servers of its sequences are down. */
class LateServerBootTest {

    private static final String URL = "jdbc:h2:mem:late;DB_CLOSE_DELAY=-1";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "albums")
        Long id;
    }

    private final Server first = new Server();

    private final Server second = new Server();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("late");
    }

    @ParameterizedTest
    @CsvSource({"sequence_table, sequence_table.servers", "snowflake, snowflake.lease.server"})
    void serversThatComeUpAMomentLaterAreWaitedFor(String backend, String setting) {
        first.refusals.set(3);
        second.refusals.set(3);
        try (SessionFactory factory = configuration(backend, setting, "60s").buildSessionFactory()) {
            factory.inTransaction(session -> {
                session.persist(new Photo());
                session.persist(new Album());
            });
        }

        assertThat(first.refusals).hasValueLessThanOrEqualTo(0);
        assertThat(second.refusals).hasValueLessThanOrEqualTo(0);
    }

    @Test
    void theFirstWaitThatIsInVainEndsTheStart() {
        first.refusals.set(Integer.MAX_VALUE);
        second.refusals.set(Integer.MAX_VALUE);
        Configuration configuration = configuration("sequence_table", "sequence_table.servers", "300ms");

        assertThatThrownBy(configuration::buildSessionFactory)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("said: connection refused");
        assertThat(first.calls.get() + second.calls.get()).isGreaterThan(1);
        assertThat(Math.min(first.calls.get(), second.calls.get()))
                .as("asked in vain, when both were prepared")
                .isLessThanOrEqualTo(2);
    }

    private Configuration configuration(String backend, String setting, String timeout) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .addAnnotatedClass(Album.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("distributedid.backend", backend)
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.block.timeout", timeout)
                .setProperty("distributedid.snowflake.lease.table", "leases");
        if (backend.equals("snowflake")) {
            configuration.setProperty("distributedid.snowflake.worker", "lease");
        }
        configuration.getProperties().put("distributedid.seq.photos." + setting, first);
        configuration.getProperties().put("distributedid.seq.albums." + setting, second);
        return configuration;
    }

    /** Refuses a number of connections. */
    private static final class Server extends PlainDataSource {

        private final AtomicInteger refusals = new AtomicInteger();

        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public Connection getConnection() throws SQLException {
            calls.incrementAndGet();
            if (refusals.getAndDecrement() > 0) {
                throw new SQLException("connection refused", "08001");
            }
            return DriverManager.getConnection(URL);
        }
    }
}
