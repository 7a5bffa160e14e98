package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/**
 * The sequence table in the persistence unit's own PostgreSQL database, by Hibernate's schema export, in a schema of
 * its own.
 */
class OwnDatabaseTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Test
    void theTableIsCreatedUpdatedValidatedAndNeverDropped() {
        assertThat(persistOne("create")).isEqualTo(1);
        assertThat(persistOne("update")).isEqualTo(2);
        assertThat(persistOne("validate")).isEqualTo(3);
        assertThat(persistOne("create-drop")).isEqualTo(4);
        assertThat(persistOne("create")).isEqualTo(5);
    }

    @Test
    void soIsTheTableOfWorkerNumbers() {
        Map<String, String> lease = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.window",
                "1s",
                "distributedid.snowflake.lease.server",
                "application");
        assertThat(Stream.of("create", "update", "validate", "create-drop")
                        .map(mode -> persistOne(mode, "app_workers", lease))
                        .distinct())
                .hasSize(4);
    }

    private static long persistOne(String mode) {
        return persistOne(
                mode, "app", Map.of("distributedid.backend", "sequence_table", "distributedid.block.max", "1"));
    }

    /** The database remembers where the ids of a sequence come from: each test has a schema. */
    private static long persistOne(String mode, String schema, Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", Postgres.url())
                .setProperty("hibernate.default_schema", schema)
                .setProperty("hibernate.hbm2ddl.create_namespaces", "true")
                .setProperty("hibernate.hbm2ddl.auto", mode)
                .addProperties(properties)
                .buildSessionFactory()) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            return photo.id;
        }
    }
}
