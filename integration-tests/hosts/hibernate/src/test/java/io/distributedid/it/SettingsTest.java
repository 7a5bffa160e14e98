package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.distributedid.DecodedId;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Where settings are read from, and which of them holds. */
class SettingsTest {

    private static long worker(EntityManagerFactory factory) {
        SessionFactory sessions = factory.unwrap(SessionFactory.class);
        Photo photo = Unit.persist(sessions, new Photo());
        return Unit.ids(sessions).decode("photos", photo.id).field("worker");
    }

    @Test
    void persistenceXml() {
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("photos")) {
            assertThat(worker(factory)).isEqualTo(11);
        }
    }

    @Test
    void mapWinsOverPersistenceXml() {
        Map<String, Object> map = Map.of("distributedid.snowflake.worker", 12);
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("photos", map)) {
            assertThat(worker(factory)).isEqualTo(12);
        }
    }

    @Test
    void mapAddsToPersistenceXml() {
        Map<String, Object> map = Map.of("distributedid.seq.photos.snowflake.worker", "13");
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("photos", map)) {
            assertThat(worker(factory)).isEqualTo(13);
        }
    }

    /** When the id was made, if the time in it counts from {@code epoch}. */
    private static Instant time(Unit unit, String epoch) {
        try (SessionFactory factory = unit.start()) {
            long milliseconds = Unit.persist(factory, new Photo()).id >>> 22;
            return Instant.parse(epoch).plusMillis(milliseconds);
        }
    }

    /** The file counts for all tests of the process, so that it sets what no other test notices. */
    @Test
    void hibernateProperties() {
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Photo.class);

        assertThat(time(unit, "2020-01-01T00:00:00Z")).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }

    @Test
    void settingsWinOverHibernateProperties() {
        String epoch = "2021-01-01T00:00:00Z";
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Photo.class).with("distributedid.snowflake.epoch", epoch);

        assertThat(time(unit, epoch)).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }

    @Test
    void oneSequenceHasAnotherBackend() {
        Unit unit = Unit.of(Photo.class, Account.class)
                .with("distributedid.seq.photos.backend", "snowflake")
                .with("distributedid.seq.photos.snowflake.worker", "31");
        try (SessionFactory factory = unit.start()) {
            Photo photo = Unit.persist(factory, new Photo());
            DecodedId decoded = Unit.ids(factory).decode("photos", photo.id);

            assertThat(decoded.field("worker")).isEqualTo(31);
            assertThat(decoded.time()).isPresent();
            assertThat(Unit.persist(factory, new Account()).id).isEqualTo(1);
            assertThat(unit.sequences()).containsExactly("accounts");
        }
    }

    @Test
    void oneSequenceHasAnotherTicketTable() {
        String server = Unit.freshDatabase();
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class, Account.class)
                .with("distributedid.ticket.servers", server)
                .with("distributedid.seq.photos.ticket.table", "TicketsPhotos");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
            assertThat(Unit.persist(factory, new Account()).id).isEqualTo(1);
        }
    }

    @Test
    void userAndPasswordAreGivenToEveryServer() throws SQLException {
        String server = Unit.freshDatabase();
        DriverManager.getConnection(server, "clerk", "s3cr3t").close();
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class)
                .with("distributedid.ticket.servers", server)
                .with("distributedid.ticket.user", "clerk")
                .with("distributedid.ticket.password", "s3cr3t");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void userInAUrlWins() throws SQLException {
        String server = Unit.freshDatabase();
        DriverManager.getConnection(server, "clerk", "s3cr3t").close();
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class)
                .with("distributedid.ticket.servers", server + ";USER=clerk;PASSWORD=s3cr3t")
                .with("distributedid.ticket.user", "somebody")
                .with("distributedid.ticket.password", "else");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
        }
    }

    @Test
    void serversAreGivenAsDataSources() {
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class)
                .with(
                        "distributedid.ticket.servers",
                        List.of(dataSource(Unit.freshDatabase()), dataSource(Unit.freshDatabase())));
        try (SessionFactory factory = unit.start()) {
            Photo photo = Unit.persist(factory, new Photo());

            assertThat(Unit.ids(factory).decode("photos", photo.id).field("server"))
                    .isEqualTo(1);
        }
    }

    @Test
    void applicationDatabaseIsGivenAsDataSource() {
        Unit unit = Unit.of(Photo.class);
        unit.without("hibernate.connection.url").with("hibernate.connection.datasource", dataSource(unit.url()));
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Photo()).id).isEqualTo(1);
            assertThat(unit.sequences()).containsExactly("photos");
        }
    }

    private static JdbcDataSource dataSource(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        return dataSource;
    }
}
