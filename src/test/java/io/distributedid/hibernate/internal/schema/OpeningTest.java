package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start opens all sequences together, or leaves each to its first id. */
class OpeningTest {

    private static final String[] DATABASES = {"opening", "opening_ids", "opening_other"};

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

    @Entity(name = "Person")
    static class Person {
        @Id
        @DistributedId(seq = "people")
        Long id;
    }

    @Entity(name = "NarrowId")
    static class NarrowId {
        @Id
        @DistributedId(seq = "numbers")
        @Column(columnDefinition = "real")
        Long id;
    }

    @Entity(name = "NarrowNumber")
    static class NarrowNumber {
        @Id
        Long id;

        @DistributedValue(seq = "numbers")
        @Column(columnDefinition = "real")
        Long number;
    }

    @Entity(name = "ShortId")
    static class ShortId {
        @Id
        @DistributedId(seq = "numbers")
        Integer id;
    }

    @Embeddable
    static class Label {
        @DistributedValue(seq = "numbers")
        @Column(precision = 7, scale = 0)
        BigDecimal number;
    }

    @Entity(name = "NarrowLabel")
    static class NarrowLabel {
        @Id
        Long id;

        @Embedded
        Label label = new Label();
    }

    private final CountedTrips server = server("opening_ids");

    private static CountedTrips server(String database) {
        return new CountedTrips("jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
    }

    @BeforeEach
    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(DATABASES);
    }

    private static SessionFactory start(CountedTrips servers, Object... more) {
        return start(List.of(Photo.class, Album.class, Person.class), servers, more);
    }

    private static SessionFactory start(List<Class<?>> entities, CountedTrips servers, Object... more) {
        Configuration configuration = new Configuration();
        entities.forEach(configuration::addAnnotatedClass);
        configuration
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:opening;DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.block.timeout", "30s");
        configuration.getProperties().put("distributedid.sequence_table.servers", servers);
        for (int i = 0; i < more.length; i += 2) {
            configuration.getProperties().put(more[i], more[i + 1]);
        }
        return configuration.buildSessionFactory();
    }

    private static long persistPhoto(SessionFactory factory) {
        return factory.fromTransaction(session -> {
            Photo photo = new Photo();
            session.persist(photo);
            return photo.id;
        });
    }

    @Test
    void aStartReadsAllCountersTogether() {
        start(server).close();
        server.take();

        try (SessionFactory factory = start(server)) {
            assertThat(server.take())
                    .filteredOn(trip -> trip.contains("FROM sequence WHERE name"))
                    .as("queries for counters: what was seen is fresh when the tables were read")
                    .hasSize(1);
            assertThat(persistPhoto(factory)).isPositive();
        }
    }

    @Test
    void theTokensOfAllSequencesAreWrittenTogether() {
        CountedTrips application = server("opening");

        start(server, "hibernate.connection.datasource", application).close();

        assertThat(application.take())
                .filteredOn(trip -> trip.startsWith("MERGE INTO distributedid"))
                .hasSize(1);
    }

    @Test
    void aStartThatRefusesAMisspeltSequenceAsksNoServer() {
        assertThatThrownBy(() -> start(
                        server, "distributedid.seq.photo.block.max", "50", "distributedid.unused_sequences", "refuse"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "There are settings for sequences that no entity uses: seq=photo (did you mean photos?)");
        assertThat(server.take()).isEmpty();
    }

    @Test
    void aLazyStartAsksNoServer() {
        try (SessionFactory factory = start(server, "distributedid.open", "lazy")) {
            assertThat(server.take()).isEmpty();
            assertThat(persistPhoto(factory)).isEqualTo(1);
            assertThat(server.take()).isNotEmpty();
        }
    }

    @Test
    void aLazySequenceIsRefusedAtItsFirstId() {
        server.stop();
        try (SessionFactory factory =
                start(server, "distributedid.open", "lazy", "distributedid.block.timeout", "100ms")) {
            assertThatThrownBy(() -> persistPhoto(factory)).hasStackTraceContaining("No route to the server");
        }
    }

    @Test
    void aLazySequenceIsNotComparedWithTheIdsThatExist() {
        try (SessionFactory factory = start(server)) {
            factory.inTransaction(each -> each.createNativeMutationQuery("INSERT INTO Photo (id) VALUES (500)")
                    .executeUpdate());
        }
        assertThatThrownBy(() -> start(server)).hasStackTraceContaining("A counter would give ids that exist");

        try (SessionFactory factory = start(server, "distributedid.open", "lazy")) {
            assertThat(persistPhoto(factory)).isLessThan(500);
        }
    }

    @Test
    void aLazySequenceThatIsCountedInAnotherPlaceIsRefusedAtItsFirstId() {
        try (SessionFactory factory = start(server)) {
            persistPhoto(factory);
        }
        try (SessionFactory factory = start(server("opening_other"), "distributedid.open", "lazy")) {
            assertThatThrownBy(() -> persistPhoto(factory))
                    .hasStackTraceContaining("A sequence takes its ids from a different place than before: seq=photos");
        }
    }

    @Test
    void oneSequenceCannotBeOpenedUnlikeTheOthers() {
        assertThatThrownBy(() -> start(server, "distributedid.seq.photos.open", "lazy"))
                .hasStackTraceContaining("distributedid.seq.photos.open=lazy")
                .hasStackTraceContaining("distributedid.open, which applies to all sequences");
    }

    @ParameterizedTest
    @ValueSource(classes = {NarrowId.class, NarrowNumber.class, NarrowLabel.class})
    void aLazyStartRefusesALayoutThatAColumnDoesNotHold(Class<?> entity) {
        assertThatThrownBy(() -> start(
                        List.of(entity),
                        server,
                        "distributedid.open",
                        "lazy",
                        "distributedid.backend",
                        "snowflake",
                        "distributedid.snowflake.worker",
                        "1"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ids of a layout must fit: " + entity.getName())
                .hasMessageContainingAll(
                        " (seq=numbers), column type ",
                        " stores up to ",
                        ", the layout gives up to 9223372036854775807. Map the property to a 64-bit type, or set"
                                + " distributedid.seq.numbers.backend to ticket or sequence_table");
        assertThat(server.take()).isEmpty();
    }

    @Test
    void aLazyStartLeavesWrongSettingsToTheFirstId() {
        try (SessionFactory factory = start(
                List.of(NarrowId.class),
                server,
                "distributedid.open",
                "lazy",
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.layout",
                "time:41")) {
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new NarrowId())))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.snowflake.layout=time:41");
        }
    }

    @Test
    void aLazyIdEndsWhereItsColumnEnds() {
        assertEndsAt(16777215, new NarrowId(), new NarrowId(), entity -> entity.id);
    }

    @Test
    void aLazySequenceHasTheWidthOfItsPropertyWhoeverOpensIt() {
        try (SessionFactory factory = start(List.of(ShortId.class), server, "distributedid.open", "lazy")) {
            DistributedIds ids = DistributedIdService.of(factory).ids();
            assertThat(ids.next("numbers")).isEqualTo(1);
            ShortId entity = new ShortId();
            factory.inTransaction(session -> session.persist(entity));
            assertThat(entity.id).isEqualTo(2);

            ids.admin().raise("numbers", Integer.MAX_VALUE - 1);
            assertThat(ids.next("numbers")).isEqualTo(Integer.MAX_VALUE);
            assertThatThrownBy(() -> ids.next("numbers"))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining("sequence 'numbers' (" + ShortId.class.getName() + ".id)");
        }
    }

    @Test
    void aLazyNumberEndsWhereItsColumnEnds() {
        assertEndsAt(16777215, narrowNumber(1), narrowNumber(2), entity -> entity.number);
    }

    private static NarrowNumber narrowNumber(long id) {
        NarrowNumber entity = new NarrowNumber();
        entity.id = id;
        return entity;
    }

    @Test
    void aLazyNumberInAnEmbeddedObjectEndsWhereItsColumnEnds() {
        assertEndsAt(9999999, narrowLabel(1), narrowLabel(2), entity -> entity.label.number);
    }

    private static NarrowLabel narrowLabel(long id) {
        NarrowLabel entity = new NarrowLabel();
        entity.id = id;
        return entity;
    }

    private <T> void assertEndsAt(long largest, T last, T next, Function<T, Number> number) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                server,
                "distributedid.create_tables",
                "true"))) {
            ids.admin().raise("numbers", largest - 1);
        }
        try (SessionFactory factory = start(List.of(last.getClass()), server, "distributedid.open", "lazy")) {
            factory.inTransaction(session -> session.persist(last));
            assertThat(number.apply(last).longValue()).isEqualTo(largest);

            factory.inTransaction(session -> assertThatThrownBy(() -> {
                        session.persist(next);
                        session.flush();
                    })
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContainingAll("sequence 'numbers'", "column type", "allowed: up to " + largest));
            assertThat(number.apply(next)).isNull();
        }
    }
}
