package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ids that hold the time: the start compares the ids in the table with the settings and the clock. */
class ExistingIdTimesTest {

    private static final String URL = "jdbc:h2:mem:existing_times;DB_CLOSE_DELAY=-1";

    private static final String EPOCH_SETTING = "distributedid.snowflake.epoch";

    private static final String LAYOUT = "distributedid.snowflake.layout";

    private static final String MODE = "distributedid.existing_ids";

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final Instant LATER = EPOCH.plus(Duration.ofDays(30));

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Person")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class Person {
        @Id
        @DistributedId(seq = "persons")
        Long id;
    }

    @Entity(name = "Author")
    static class Author extends Person {}

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        Long id;

        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "Imported")
    static class Imported {
        @Id
        @DistributedId(seq = "imported", assigned = true)
        Long id;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("existing_times");
    }

    @Test
    void aLaterEpochIsRefusedAtStart() {
        persist(Map.of());

        assertRefused(
                Map.of(EPOCH_SETTING, LATER.toString()),
                " from " + LATER + " until 2093, allowed: 1100 ms ahead of the clock");
    }

    @Test
    void anEarlierEpochIsAllowed() {
        long before = persist(Map.of());

        assertThat(persist(Map.of(EPOCH_SETTING, "2023-12-01T00:00:00Z"))).isGreaterThan(before);
    }

    @Test
    void aCoarserUnitIsRefusedAtStart() {
        persist(Map.of(LAYOUT, "time(ms):41, worker:10, sequence:12"));

        assertRefused(
                Map.of(LAYOUT, "time(10ms):41, worker:10, sequence:12"),
                "layout=time(10ms):41, worker:10, sequence:12");
    }

    @Test
    void aFinerUnitIsAllowed() {
        long before = persist(Map.of(LAYOUT, "time(10ms):41, worker:10, sequence:12"));

        assertThat(persist(Map.of(LAYOUT, "time(ms):41, worker:10, sequence:12")))
                .isGreaterThan(before);
    }

    /** The clock was right when the last row was written, and was set back before the restart. */
    @Test
    void aClockThatIsAnHourBehindIsRefusedAtStart() throws SQLException {
        insertIdOf(Instant.now().plus(Duration.ofHours(1)));

        assertRefused(Map.of(), "Or the clock is behind: correct it, then start");
    }

    @Test
    void aLayoutOfFewerBitsIsRefusedAtStart() {
        persist(Map.of());

        assertRefused(Map.of(LAYOUT, "js53"), "An existing id has more bits than the layout");
    }

    @Test
    void withRaiseTheErrorNamesAnEpochThatFits() {
        // Made ahead of the clock, so that the old epoch itself may be a few milliseconds too late.
        long before = persist(Map.of());

        assertThatThrownBy(() -> factory(Map.of(EPOCH_SETTING, LATER.toString(), MODE, "raise"))
                        .close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageMatching(
                        "(?s).*distributedid.snowflake.epoch=(2024-01-01|2023-12-31)T00:00:00Z or earlier.*");
        assertThat(persist(Map.of(EPOCH_SETTING, EPOCH.toString()))).isGreaterThan(before);
    }

    @Test
    void theTableIsNotLookedAtIfTheSettingSaysSo() {
        persist(Map.of());

        factory(Map.of(EPOCH_SETTING, LATER.toString(), MODE, "ignore")).close();
    }

    @Test
    void everyTableOfAHierarchyIsLookedAt() throws SQLException {
        factory(Map.of(), Person.class, Author.class).close();
        execute("INSERT INTO Author VALUES (" + idOf(Instant.now().plus(Duration.ofHours(1))) + ")");

        assertThatThrownBy(() -> factory(Map.of(), Person.class, Author.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        Author.class.getName() + " (seq=persons): New ids would be smaller than an existing id");
    }

    @Test
    void numbersOfOtherColumnsAreLookedAt() throws SQLException {
        factory(Map.of(), Invoice.class).close();
        execute("INSERT INTO Invoice (id, number) VALUES (1, "
                + idOf(Instant.now().plus(Duration.ofHours(1))) + ")");

        assertThatThrownBy(() -> factory(Map.of(), Invoice.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        Invoice.class.getName() + " (seq=numbers): New ids would be smaller than an existing id");
    }

    @Test
    void whereIdsMayBeImportedItIsAWarningThatNamesTheRow() throws SQLException {
        factory(Map.of(), Imported.class).close();
        long id = idOf(Instant.now().plus(Duration.ofDays(400)));
        execute("INSERT INTO Imported VALUES (" + id + ")");
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdsCheck.class)) {
            factory(Map.of(), Imported.class).close();
            factory(Map.of(MODE, "raise"), Imported.class).close();

            assertThat(warnings.messages())
                    .hasSize(2)
                    .allSatisfy(message -> assertThat(message)
                            .startsWith(Imported.class.getName()
                                    + " (seq=imported): New ids would be smaller than an existing id, and ids could"
                                    + " repeat: seq=imported id=" + id + " time=")
                            .endsWith(". The start goes on, since this id may have been assigned or imported"
                                    + " (@DistributedId(assigned = true))" + Pages.onCall("below-existing")));
        }
    }

    @Test
    void theCheckOfAColumnFindsItToo() throws SQLException {
        execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        Map<String, String> settings =
                Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "9");
        try (DistributedIds ids = DistributedIds.create(settings);
                Connection connection = DriverManager.getConnection(URL)) {
            assertThat(ids.admin().check("photos", connection, "Photo", "id"))
                    .contains(CheckResult.ok("existing ids", "", "none"));
            execute("INSERT INTO Photo VALUES (" + idOf(Instant.now().minusSeconds(60)) + ")");
            assertThat(ids.admin().check("photos", connection, "Photo", "id"))
                    .anySatisfy(found -> assertThat(found)
                            .returns("existing ids", CheckResult::what)
                            .returns(CheckResult.Status.OK, CheckResult::status));
            execute("INSERT INTO Photo VALUES (" + idOf(Instant.now().plusSeconds(60)) + ")");
            assertThat(ids.admin().check("photos", connection, "Photo", "id"))
                    .anySatisfy(found -> assertThat(found)
                            .returns("existing ids", CheckResult::what)
                            .returns(CheckResult.Status.FAILED, CheckResult::status));
            assertThat(ids.sequences()).isEmpty();
        }
    }

    private static void assertRefused(Map<String, String> settings, String part) {
        assertThatThrownBy(() -> factory(settings).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(Photo.class.getName() + " (seq=photos): ")
                .hasMessageContaining(part);
    }

    private static long persist(Map<String, String> settings) {
        try (SessionFactory factory = factory(settings)) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            return photo.id;
        }
    }

    private static void insertIdOf(Instant time) throws SQLException {
        execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO Photo VALUES (" + idOf(time) + ")");
    }

    /** An id of the previous process, which had the same worker number. */
    private static long idOf(Instant time) {
        return Duration.between(EPOCH, time).toMillis() << 22 | 9 << 12;
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static SessionFactory factory(Map<String, String> settings) {
        return factory(settings, Photo.class);
    }

    private static SessionFactory factory(Map<String, String> settings, Class<?>... entities) {
        Configuration configuration = new Configuration();
        settings.forEach(configuration::setProperty);
        Stream.of(entities).forEach(configuration::addAnnotatedClass);
        return configuration
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "snowflake")
                .setProperty("distributedid.snowflake.worker", "9")
                .buildSessionFactory();
    }
}
