package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.postgresql.Postgres;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The largest id of a table, beside what the function gives at the start. */
class NextIdExistingIdsTest {

    private static final String SCHEMA = "existing";

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Shards.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    /** An hour ahead of the clock that follows. */
    private void rows(NextIdForm form) throws SQLException {
        Shards.createWithClock(connection, SCHEMA, form, Shards.LAYOUT);
        Shards.execute(connection, "CREATE TABLE existing.Photo (id BIGINT PRIMARY KEY)");
        Shards.setClock(connection, SCHEMA, Instant.now().plusSeconds(3_600));
        Shards.execute(connection, "INSERT INTO existing.Photo SELECT existing.next_id() FROM generate_series(1, 100)");
        Shards.setClock(connection, SCHEMA, Instant.now());
    }

    @Test
    void aServerWhoseClockWasSetBackIsRefusedWhereIdsCouldComeAgain() throws SQLException {
        rows(NextIdForm.INSTAGRAM);

        assertThatThrownBy(() -> open(NextIdForm.INSTAGRAM, Map.of()).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(Photo.class.getName()
                        + " (seq=photos): The function makes ids below an existing one, and could repeat"
                        + " ids: seq=photos id=")
                .hasMessageContaining("If the server's clock is behind");
    }

    @Test
    void theHardenedFormGoesOnAboveThem() throws SQLException {
        rows(NextIdForm.HARDENED);

        long largest = Shards.number(connection, "SELECT max(id) FROM existing.Photo");
        try (SessionFactory factory = open(NextIdForm.HARDENED, Map.of())) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            assertThat(photo.id).isGreaterThan(largest);
        }
    }

    /** As after the move of a schema without the value of its sequence. */
    @Test
    void aSequenceThatWasLostIsRefused() throws SQLException {
        rows(NextIdForm.HARDENED);
        Shards.execute(connection, "SELECT setval('existing.next_id_seq', 1)");

        assertThatThrownBy(() -> open(NextIdForm.HARDENED, Map.of()).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(
                        "The function makes ids below an existing one, and could repeat ids: seq=photos id=");
    }

    @ParameterizedTest
    @EnumSource
    void oneConnectionIsEnough(NextIdForm form) throws SQLException {
        rows(form);
        Shards.execute(connection, "DELETE FROM existing.Photo");
        Shards.execute(connection, "INSERT INTO existing.Photo VALUES (existing.next_id())");

        open(form, Map.of("hibernate.connection.pool_size", "1", "distributedid.existing_ids", "raise"))
                .close();
    }

    @Test
    void anIdOfAnotherGeneratorIsRefusedThoughTheShardIsNotKnown() throws SQLException {
        Shards.create(connection, SCHEMA, NextIdForm.HARDENED);
        Shards.execute(connection, "CREATE TABLE existing.Photo (id BIGINT PRIMARY KEY)");
        Shards.execute(connection, "INSERT INTO existing.Photo VALUES (" + (1L << 62) + ")");

        assertThatThrownBy(() -> open(NextIdForm.HARDENED, Map.of("distributedid.next_id.shard", ""))
                        .close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("seq=photos id=4611686018427387904");
    }

    private static SessionFactory open(NextIdForm form, Map<String, String> more) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", Postgres.url())
                .setProperty("hibernate.default_schema", SCHEMA)
                .setProperty("distributedid.backend", "next_id")
                .setProperty("distributedid.next_id.form", form.label())
                .setProperty("distributedid.next_id.shard", Integer.toString(Shards.SHARD));
        more.forEach(configuration::setProperty);
        return configuration.buildSessionFactory();
    }
}
