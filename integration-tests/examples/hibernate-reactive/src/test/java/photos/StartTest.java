package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.cfg.Configuration;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Hibernate Reactive can't do is refused at start, with the entity and the property. */
@ExtendWith(StartedServers.class)
class StartTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws IOException {
        server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .start());
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        long customer;

        @DistributedValue(seq = "invoices", per = "customer", gapless = true)
        Long number;
    }

    @Embeddable
    static class Label {
        @DistributedValue(seq = "labels")
        Long number;

        String text;
    }

    @Entity(name = "Frame")
    static class Frame {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        @Embedded
        Label label = new Label();
    }

    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        long owner;

        @DistributedId(seq = "photos")
        Long id;

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.owner == owner && id.equals(key.id);
        }

        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    @Entity(name = "Print")
    static class Print {
        @EmbeddedId
        Key key = new Key();
    }

    @Entity(name = "Tag")
    static class Tag {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private static void start(Class<?> entity, String scheme, Map<String, String> more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(
                "jakarta.persistence.jdbc.url", scheme + "postgresql://localhost:" + server.getPort() + "/postgres");
        settings.put("jakarta.persistence.jdbc.user", "postgres");
        settings.put("hibernate.hbm2ddl.auto", "create-drop");
        settings.put("distributedid.backend", "memory");
        settings.putAll(more);
        StandardServiceRegistry registry =
                new ReactiveServiceRegistryBuilder().applySettings(settings).build();
        try (SessionFactory started =
                new Configuration().addAnnotatedClass(entity).buildSessionFactory(registry)) {
            assertThat(started.isOpen()).isTrue();
        } finally {
            registry.close();
        }
    }

    private static String refusal(Class<?> entity, String scheme, Map<String, String> more) {
        Throwable failure = ReactiveContract.ours(catchThrowable(() -> start(entity, scheme, more)));
        assertThat(failure).isInstanceOf(IdConfigurationException.class);
        return failure.getMessage();
    }

    @Test
    void numbersWithoutGapsAreRefused() {
        assertThat(refusal(Invoice.class, "jdbc:", Map.of()))
                .isEqualTo("Hibernate Reactive has no JDBC connection on which numbers without gaps could be taken: "
                        + Invoice.class.getName()
                        + ".number (seq=invoices). Leave out gapless = true, or use Hibernate ORM");
    }

    @Test
    void numbersInEmbeddedObjectsAreRefused() {
        assertThat(refusal(Frame.class, "jdbc:", Map.of()))
                .isEqualTo("Hibernate Reactive can't wait for a number in an embedded object: " + Frame.class.getName()
                        + ".label.number (seq=labels). Put @DistributedValue on a property of the entity itself");
    }

    @Test
    void idsOfTheRowsOwnDatabaseAreRefused() {
        assertThat(refusal(
                        Tag.class,
                        "jdbc:",
                        Map.of(
                                "distributedid.backend",
                                "next_id",
                                "distributedid.snowflake.epoch",
                                "2024-01-01T00:00:00Z")))
                .contains(Tag.class.getName() + ".id (seq=photos): A setting has a value that is not allowed:"
                        + " distributedid.backend=next_id, allowed: any other with Hibernate Reactive, which has no"
                        + " JDBC connection that could take these ids");
    }

    @Test
    void compositeIdsNeedHibernateReactive3() {
        if (ReactiveContract.isVersion2()) {
            assertThat(refusal(Print.class, "jdbc:", Map.of()))
                    .startsWith("This version of Hibernate Reactive would wait for an id on its event loop: "
                            + Print.class.getName() + ".key.id (seq=photos) generator=")
                    .endsWith(". For composite ids, use Hibernate Reactive 3");
        } else {
            start(Print.class, "jdbc:", Map.of());
        }
    }

    @Test
    void withoutJdbcTheStartSaysThatNothingIsCompared() {
        try (LoggedWarnings warnings =
                LoggedWarnings.ofPackage(io.distributedid.hibernate.DistributedIdService.class.getPackage())) {
            start(Tag.class, "", Map.of());
            assertThat(warnings.messages())
                    .filteredOn(message -> message.startsWith("Sequences are not compared"))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "Sequences are not compared with the ids that exist: seq=photos, because Hibernate Reactive"
                                    + " has no JDBC connections, and the persistence unit names no database with a JDBC"
                                    + " driver on the class path (jakarta.persistence.jdbc.url=jdbc:...), or has"
                                    + " tenants.");
        }
    }

    @Test
    void withoutJdbcTheOwnDatabaseCanNotCount() {
        assertThat(refusal(Tag.class, "", Map.of("distributedid.backend", "sequence_table")))
                .contains("distributedid.sequence_table.servers");
    }
}
