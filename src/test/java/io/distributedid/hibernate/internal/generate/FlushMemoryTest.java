package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedValue;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PatientSettings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.HibernateException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a failed flush or insert leaves. */
class FlushMemoryTest {

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        Long id = 1L;

        int event;

        @DistributedValue(seq = "tickets", per = "event", gapless = true)
        Long number;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("flush_memory");
    }

    @Test
    void aFailedInsertDoesNotKeepAClosedFactory() {
        WeakReference<SessionFactory> closed = closedAfterAFailedInsert();
        Await.until("it is collected", () -> {
            System.gc();
            return closed.refersTo(null);
        });
    }

    private static WeakReference<SessionFactory> closedAfterAFailedInsert() {
        Configuration configuration = new Configuration().addAnnotatedClass(Ticket.class);
        configuration
                .getProperties()
                .putAll(PatientSettings.of(Map.of(
                        "hibernate.connection.url", "jdbc:h2:mem:flush_memory;DB_CLOSE_DELAY=-1",
                        "hibernate.hbm2ddl.auto", "update")));
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> session.persist(new Ticket()));
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Ticket())))
                    .isInstanceOf(HibernateException.class);
            return new WeakReference<>(factory);
        }
    }
}
