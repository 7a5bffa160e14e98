package io.distributedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cut-over from AUTO_INCREMENT: rows are there before the counter is. */
class ExistingIdsTest {

    private static final String URL = "jdbc:h2:mem:existing;DB_CLOSE_DELAY=-1";

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
        H2Servers.drop("existing");
    }

    @Test
    void aCounterBelowThemIsRefusedAtStart() {
        assertThatThrownBy(() -> factory("refuse").close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(Photo.class.getName() + " (seq=photos): A counter would give ids that exist: table=sequence"
                        + " name=photos on jdbc:h2:mem:existing id=0, but there is an id 4711 already. Set"
                        + " distributedid.existing_ids=raise, or raise it: UPDATE sequence SET id = 4711 WHERE name ="
                        + " 'photos'");
    }

    @Test
    void aCounterBelowThemIsRaisedIfTheSettingSaysSo() {
        assertThat(firstId("raise")).isEqualTo(4712);
        assertThat(firstId("refuse")).isEqualTo(4713);
    }

    @Test
    void theTableIsNotLookedAtIfTheSettingSaysSo() {
        assertThat(firstId("ignore")).isEqualTo(1);
    }

    private static long firstId(String mode) {
        try (SessionFactory factory = factory(mode)) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            return photo.id;
        }
    }

    private static SessionFactory factory(String mode) {
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.existing_ids", mode)
                .buildSessionFactory();
    }
}
