package io.distributedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H2 stands in for other databases. Every backend starts twice, with existing ids at the second start. */
@Tag("slow")
class H2ModesTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        int album;

        @DistributedValue(seq = "by_row", per = "album")
        Long byRow;

        @DistributedValue(seq = "gapless", per = "album", gapless = true)
        Long gapless;
    }

    @Entity(name = "Text")
    static class Text {
        @Id
        @DistributedId(seq = "texts")
        String id;
    }

    @Entity(name = "Padded")
    static class Padded {
        @Id
        @DistributedId(seq = "padded", padded = true)
        String id;
    }

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @DistributedId(seq = "tickets")
        Long id;
    }

    @Entity(name = "Counted")
    static class Counted {
        @Id
        @DistributedId(seq = "counted")
        Long id;
    }

    @Entity(name = "Timed")
    static class Timed {
        @Id
        @DistributedId(seq = "timed")
        Long id;
    }

    @Entity(name = "Letter")
    static class Letter {
        @Id
        Long id;

        int page;

        @DistributedValue(seq = "letters", per = "page")
        String number;
    }

    private static final Set<Class<?>> ENTITIES =
            Set.of(Photo.class, Text.class, Padded.class, Ticket.class, Counted.class, Timed.class);

    private static final Map<String, String> SETTINGS = Map.of(
            "hibernate.hbm2ddl.auto", "update",
            "distributedid.seq.tickets.backend", "ticket",
            "distributedid.ticket.numbering", "client",
            "distributedid.create_tables", "true",
            "distributedid.seq.counted.backend", "memory",
            "distributedid.seq.timed.backend", "snowflake",
            "distributedid.snowflake.worker", "lease");

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("modes", "modes_leases", "modes_sections", "modes_odd", "modes_even");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MODE=Regular",
                "MODE=Strict",
                "MODE=Legacy",
                "MODE=DB2",
                "MODE=Derby",
                "MODE=HSQLDB",
                "MODE=MSSQLServer",
                "MODE=MariaDB",
                "MODE=MySQL",
                "MODE=Oracle",
                "MODE=PostgreSQL",
                "IGNORECASE=TRUE"
            })
    void allBackendsGiveIdsAndNumbers(String option) {
        assertGiven(option, "sequence_table");
    }

    @Test
    void theOldInformationSchemaIsRefusedForASequenceTableOnly() {
        String option = "OLD_INFORMATION_SCHEMA=TRUE";
        assertThatThrownBy(() -> open(option, "sequence_table"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A sequence table needs H2's current information schema:"
                        + " OLD_INFORMATION_SCHEMA=TRUE, allowed: FALSE. Remove the option from the URL"
                        + " jdbc:h2:mem:modes");
        assertGiven(option, "memory");
    }

    @Test
    void numbersInTextsAreFoundWhereAnEmptyTextIsNull() throws SQLException {
        DatabaseRows.execute(
                url("modes", "MODE=Oracle"),
                "CREATE TABLE Letter (id BIGINT PRIMARY KEY, page BIGINT, number VARCHAR(40))",
                "INSERT INTO Letter VALUES (1, 1, 'INV-1'), (2, 1, '7')");
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Letter.class)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("hibernate.connection.url", url("modes", "MODE=Oracle"));
        assertThatThrownBy(configuration::buildSessionFactory)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Rows have numbers, but no key of their sequence is counted: table=Letter");
    }

    private static void assertGiven(String option, String backend) {
        Set<Long> ids = new HashSet<>();
        Set<Long> numbers = new HashSet<>();
        for (int start = 1; start <= 2; start++) {
            try (SessionFactory factory = open(option, backend)) {
                Photo photo = new Photo();
                factory.inTransaction(session -> {
                    session.persist(photo);
                    session.persist(new Text());
                    session.persist(new Padded());
                    session.persist(new Ticket());
                    session.persist(new Counted());
                    session.persist(new Timed());
                });
                assertThat(ids.add(photo.id)).isTrue();
                assertThat(photo.byRow).isEqualTo(start);
                assertThat(photo.gapless).isEqualTo(start);
            }
            try (DistributedIds service = service(option)) {
                assertThat(numbers.add(service.keyed("messages").next(7))).isTrue();
            }
        }
    }

    private static DistributedIds service(String option) {
        Map<String, Object> settings = Map.of(
                "distributedid.keyed.backend",
                "section",
                "distributedid.keyed.section.store",
                url("modes_sections", option),
                "distributedid.create_tables",
                true);
        return DistributedIds.builder().settings(settings).asService().build();
    }

    private static SessionFactory open(String option, String backend) {
        Configuration configuration = new Configuration();
        ENTITIES.forEach(configuration::addAnnotatedClass);
        SETTINGS.forEach(configuration::setProperty);
        return configuration
                .setProperty("distributedid.backend", backend)
                .setProperty("hibernate.connection.url", url("modes", option))
                .setProperty("distributedid.snowflake.lease.server", url("modes_leases", option))
                .setProperty("distributedid.ticket.servers", url("modes_odd", option) + "," + url("modes_even", option))
                .buildSessionFactory();
    }

    private static String url(String database, String option) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1;" + option;
    }
}
