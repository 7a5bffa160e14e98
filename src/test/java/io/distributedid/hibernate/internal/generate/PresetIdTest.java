package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedId;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiConsumer;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Hibernate says of an entity that comes with an id, as the page of questions quotes it, and what helps. */
class PresetIdTest {

    private static final String DATABASE = "preset_id";

    @Entity
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        static Photo withId() {
            Photo entity = new Photo();
            entity.id = 4711L;
            return entity;
        }
    }

    @Entity
    static class Versioned {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        @Version
        Integer version;

        static Versioned withId() {
            Versioned entity = new Versioned();
            entity.id = 4711L;
            return entity;
        }
    }

    @Entity
    static class Imported {
        @Id
        @DistributedId(seq = "photos", assigned = true)
        Long id;

        static Imported withId() {
            Imported entity = new Imported();
            entity.id = 4711L;
            return entity;
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(DATABASE);
    }

    @Test
    void thePageQuotesHibernate() throws IOException {
        try (SessionFactory factory = start()) {
            assertQuoted(factory, Session::merge, Photo.withId());
            assertQuoted(factory, Session::merge, Versioned.withId());
            assertQuoted(factory, Session::persist, Photo.withId());
        }
    }

    private static void assertQuoted(SessionFactory factory, BiConsumer<Session, Object> call, Object entity)
            throws IOException {
        Throwable thrown = catchThrowable(() -> factory.inTransaction(session -> call.accept(session, entity)));
        String message = thrown.getMessage().replace(entity.getClass().getName(), "Photo");

        assertThat(Files.readString(Path.of("src/docs/faq.md")).lines())
                .as("%s", thrown)
                .anySatisfy(line ->
                        assertThat(line).contains("`" + thrown.getClass().getSimpleName() + "`", "`" + message + "`"));
    }

    @Test
    void anAssignedIdCanBeMergedAndPersisted() {
        for (BiConsumer<Session, Object> call :
                List.<BiConsumer<Session, Object>>of(Session::merge, Session::persist)) {
            try (SessionFactory factory = start()) {
                factory.inTransaction(session -> call.accept(session, Imported.withId()));

                assertThat(factory.<Imported>fromSession(session -> session.find(Imported.class, 4711L)))
                        .isNotNull();
            }
        }
    }

    private static SessionFactory start() {
        Configuration configuration = new Configuration();
        List.of(Photo.class, Versioned.class, Imported.class).forEach(configuration::addAnnotatedClass);
        return configuration
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.existing_ids", "ignore")
                .buildSessionFactory();
    }
}
