package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cut-over from AUTO_INCREMENT: rows exist before the counter does. */
class ExistingIdsTest {

    static final String RESET =
            ". For disposable data only: drop all tables of the entities' database, including distributedid, which"
                    + " hibernate.hbm2ddl.auto=create keeps; or delete its file";

    private static final String URL = "jdbc:h2:mem:existing;DB_CLOSE_DELAY=-1";

    private static final Map<String, String> TICKETS = Map.of(
            "distributedid.backend", "ticket",
            "distributedid.ticket.servers",
                    "jdbc:h2:mem:existing_odd;DB_CLOSE_DELAY=-1, jdbc:h2:mem:existing_even;DB_CLOSE_DELAY=-1",
            "distributedid.ticket.numbering", "client",
            "distributedid.create_tables", "true");

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @BeforeEach
    void rowsOfAnotherTime() throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE Photo (id BIGINT AUTO_INCREMENT PRIMARY KEY)");
            statement.execute("INSERT INTO Photo VALUES (4711)");
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("existing", "existing_odd", "existing_even");
    }

    @Test
    void aCounterBelowThemIsRefusedAtStart() {
        assertThatThrownBy(() -> factory("refuse").close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(Photo.class.getName() + " (seq=photos): A counter would give ids that exist: table=sequence"
                        + " name=photos on jdbc:h2:mem:existing id=0, but there is an id 4711 already. Set"
                        + " distributedid.existing_ids=raise, or raise the counter: distributedid raise photos --above"
                        + " 4711. If the counter was lost or set back, clients may hold larger ids in memory:"
                        + " distributedid repair photos --above 4711"
                        + RESET
                        + Pages.onCall("counter-existing"));

        try (DistributedIds command = DistributedIds.builder()
                .settings(
                        Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.servers", URL))
                .tokensComparedByCaller()
                .build()) {
            command.admin().raise("photos", 4711);
        }
        assertThat(firstId("refuse")).isEqualTo(4712);
    }

    @Test
    void disposableRowsAreResetAsTheErrorSays() throws SQLException {
        assertThatThrownBy(() -> factory("refuse").close())
                .hasMessageEndingWith(RESET + Pages.onCall("counter-existing"));
        H2Servers.drop("existing");
        assertThat(firstId("refuse")).isEqualTo(1);
    }

    @Test
    void aCounterBelowThemIsRaisedIfTheSettingSaysSo() {
        assertThat(firstId("raise")).isEqualTo(4712);
        assertThat(firstId("refuse"))
                .as("after what the first start had reserved")
                .isBetween(4713L, 4800L);
    }

    @Test
    void theTableIsNotLookedAtIfTheSettingSaysSo() {
        assertThat(firstId("ignore")).isEqualTo(1);
    }

    @Test
    void ofTwoTicketServersTheOneThatGivesSuchIdsIsRefused() {
        assertThatThrownBy(() -> factory("refuse", TICKETS).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(Photo.class.getName()
                        + " (seq=photos): A counter would give ids that exist: table=Tickets64 on"
                        + " jdbc:h2:mem:existing_odd id=0, but there is an id 4711 already. Set"
                        + " distributedid.existing_ids=raise, or raise the counter: distributedid raise SEQ --above"
                        + " 4711. If the counter was lost or set back, clients may hold larger ids in memory:"
                        + " distributedid repair SEQ --above 4711"
                        + RESET
                        + Pages.onCall("counter-existing"));
        try (SessionFactory factory = factory("raise", TICKETS)) {
            assertThat(firstId(factory)).isEqualTo(4721);
        }
    }

    private static long firstId(String mode) {
        try (SessionFactory factory = factory(mode)) {
            return firstId(factory);
        }
    }

    private static long firstId(SessionFactory factory) {
        Photo photo = new Photo();
        factory.inTransaction(session -> session.persist(photo));
        return photo.id;
    }

    private static SessionFactory factory(String mode) {
        return factory(mode, Map.of("distributedid.backend", "sequence_table"));
    }

    private static SessionFactory factory(String mode, Map<String, String> backend) {
        Configuration configuration = new Configuration();
        backend.forEach(configuration::setProperty);
        return configuration
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.existing_ids", mode)
                .buildSessionFactory();
    }
}
