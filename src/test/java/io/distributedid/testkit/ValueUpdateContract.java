package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedValue;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of an entity with generated numbers, also in embedded objects, in the session that persists it. On H2. */
public abstract class ValueUpdateContract {

    private static final String URL = "jdbc:h2:mem:embedded_updates;DB_CLOSE_DELAY=-1";

    @Embeddable
    static class Label {
        @DistributedValue(seq = "labels")
        Long number;

        String text;
    }

    @Entity(name = "Labelled")
    static class Labelled {
        @Id
        String id = UUID.randomUUID().toString();

        @Embedded
        Label label = new Label();
    }

    @Entity(name = "Noted")
    static class Noted {
        @Id
        String id = UUID.randomUUID().toString();

        @DistributedValue(seq = "notes")
        Long number;

        String customer = "a";

        @DistributedValue(seq = "notes_of_customers", per = "customer", gapless = true)
        Long perKey;

        String text;
    }

    /** Inserted by persist(). */
    @Entity(name = "Counted")
    static class Counted {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;

        @Embedded
        Label label = new Label();
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("embedded_updates");
    }

    private static SessionFactory start() {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Labelled.class)
                .addAnnotatedClass(Noted.class)
                .addAnnotatedClass(Counted.class);
        configuration
                .getProperties()
                .putAll(PatientSettings.of(Map.of(
                        "hibernate.connection.url", URL,
                        "hibernate.hbm2ddl.auto", "update",
                        "distributedid.backend", "sequence_table")));
        return configuration.buildSessionFactory();
    }

    private static List<String> rows(String table) throws SQLException {
        return DatabaseRows.rows(URL, "SELECT number || '-' || text FROM " + table + " ORDER BY 1");
    }

    @Test
    void changesAfterTheInsertAreWritten() throws SQLException {
        try (SessionFactory factory = start()) {
            factory.inTransaction(session -> {
                Labelled entity = new Labelled();
                session.persist(entity);
                session.flush();
                entity.label.number = 500L;
                entity.label.text = "flushed";
                session.flush();
                entity.label.text = "changed";
            });
            factory.inTransaction(session -> {
                Counted entity = new Counted();
                session.persist(entity);
                entity.label.number = 600L;
                entity.label.text = "counted";
            });
            assertThat(rows("Labelled")).containsExactly("500-changed");
            assertThat(rows("Counted")).containsExactly("600-counted");
        }
    }

    @Test
    void changesOfAnObjectThatWasNullAreWritten() throws SQLException {
        try (SessionFactory factory = start()) {
            factory.inTransaction(session -> {
                Labelled entity = new Labelled();
                entity.label = null;
                session.persist(entity);
                session.flush();
                entity.label.text = "changed";
            });
            assertThat(rows("Labelled")).containsExactly("1-changed");
        }
    }

    @Test
    void changesOfAMergedEntityAreWritten() throws SQLException {
        try (SessionFactory factory = start()) {
            factory.inTransaction(session -> {
                Labelled entity = session.merge(new Labelled());
                session.flush();
                entity.label.text = "changed";
            });
            assertThat(rows("Labelled")).containsExactly("1-changed");
        }
    }

    @Test
    void changesBeforeTheInsertAreWritten() throws SQLException {
        try (SessionFactory factory = start()) {
            factory.inTransaction(session -> {
                Labelled entity = new Labelled();
                session.persist(entity);
                entity.label.text = "changed";
                session.flush();
            });
            assertThat(rows("Labelled")).containsExactly("1-changed");
        }
    }

    /** Hibernate prepares the UPDATE before the INSERT has generated the numbers. */
    @Test
    void changesBeforeTheInsertKeepTheNumbers() throws SQLException {
        try (SessionFactory factory = start()) {
            for (int i = 0; i < 2; i++) {
                factory.inTransaction(session -> {
                    Noted entity = new Noted();
                    session.persist(entity);
                    entity.text = "changed";
                });
            }
            assertThat(rows("Noted")).containsExactly("1-changed", "2-changed");
            assertThat(DatabaseRows.rows(URL, "SELECT perKey FROM Noted ORDER BY 1"))
                    .containsExactly("1", "2");

            factory.inTransaction(session -> {
                Noted entity = session.createQuery("from Noted where number = 1", Noted.class)
                        .getSingleResult();
                entity.number = 7L;
            });
            assertThat(rows("Noted")).containsExactly("2-changed", "7-changed");
        }
    }

    @Test
    void anObjectOfTwoEntitiesGetsTwoNumbers() throws SQLException {
        try (SessionFactory factory = start()) {
            Label shared = new Label();
            shared.text = "shared";
            for (int i = 0; i < 2; i++) {
                factory.inTransaction(session -> {
                    for (int j = 0; j < 2; j++) {
                        Labelled entity = new Labelled();
                        entity.label = shared;
                        session.persist(entity);
                    }
                });
            }
            assertThat(rows("Labelled")).containsExactly("1-shared", "2-shared", "3-shared", "4-shared");
        }
    }
}
