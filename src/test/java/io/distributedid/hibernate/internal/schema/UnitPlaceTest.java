package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database of a persistence unit remembers the place of each sequence, whoever opens it, and whenever. */
@Tag("slow")
class UnitPlaceTest {

    private static final String REFUSAL = "A sequence takes its ids from a different place than before: seq=";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Note")
    static class Note {
        @Id
        Long id;
    }

    @BeforeEach
    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("unit", "unit_one", "unit_two");
    }

    @ParameterizedTest
    @ValueSource(classes = {Photo.class, Note.class})
    void aSequenceThatNoEntityUsesIsComparedAtItsFirstUse(Class<?> entity) {
        long first;
        try (SessionFactory one = start(entity, "unit_one")) {
            first = DistributedIdService.of(one).ids().next("jobs");
        }
        try (SessionFactory two = start(entity, "unit_two_of_jobs")) {
            assertThatThrownBy(() -> DistributedIdService.of(two).ids().next("jobs"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(REFUSAL + "jobs");
        }
        try (SessionFactory one = start(entity, "unit_one")) {
            assertThat(DistributedIdService.of(one).ids().next("jobs")).isGreaterThan(first);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"photos", "jobs"})
    void aProcessThatIsResumedAfterAMoveIsRefused(String sequence) throws SQLException {
        try (SessionFactory suspended = start(Photo.class, "unit_one")) {
            DistributedIds ids = DistributedIdService.of(suspended).ids();
            ids.next("photos");
            ids.next("jobs");
            ids.suspend();
            // As a move from another process leaves it.
            DatabaseRows.execute(
                    url("unit"),
                    "UPDATE distributedid SET text = 'token=moved' WHERE name = '@place/" + sequence + "'");

            assertThatThrownBy(ids::resume)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(REFUSAL + sequence);
            assertThatThrownBy(() -> ids.next(sequence)).isInstanceOf(IdConfigurationException.class);
            assertThat(ids.next(sequence.equals("jobs") ? "photos" : "jobs")).isPositive();
        }
    }

    @Test
    void aStartComparesTheSequencesOfEntitiesOnce() {
        start(Photo.class, "unit_one").close();
        CountedTrips database = new CountedTrips(url("unit"));
        Map<String, Object> settings = new HashMap<>(place("unit_one"));
        settings.put("hibernate.connection.datasource", database);

        start(Photo.class, settings).close();

        assertThat(database.take())
                .filteredOn(trip -> trip.contains(" distributedid") && !trip.startsWith("CREATE "))
                .as("trips to what the database remembers")
                .hasSize(1)
                .allMatch(trip -> trip.startsWith("SELECT name, version, number, state, text FROM distributedid"));
    }

    private static Map<String, String> place(String database) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.create_tables", "true");
        settings.put("distributedid.unused_sequences", "ignore");
        if (database.endsWith("_of_jobs")) {
            settings.put("distributedid.sequence_table.servers", url("unit_one"));
            settings.put("distributedid.seq.jobs.sequence_table.servers", url("unit_two"));
        } else {
            settings.put("distributedid.sequence_table.servers", url(database));
        }
        return settings;
    }

    private static SessionFactory start(Class<?> entity, String place) {
        return start(entity, place(place));
    }

    private static SessionFactory start(Class<?> entity, Map<String, ?> settings) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", url("unit"))
                .setProperty("hibernate.hbm2ddl.auto", "update");
        configuration.getProperties().putAll(settings);
        return configuration.buildSessionFactory();
    }

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }
}
