package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** The sequence table in the persistence unit's own PostgreSQL database, by Hibernate's schema export, in a schema of its own. */
class OwnDatabaseTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Test
    void theTableIsCreatedUpdatedAndValidated() {
        assertThat(persistOne("create")).isEqualTo(1);
        assertThat(persistOne("update")).isEqualTo(2);
        assertThat(persistOne("validate")).isEqualTo(3);
        assertThat(persistOne("create-drop")).isEqualTo(1);
    }

    private static long persistOne(String mode) {
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", Postgres.url())
                .setProperty("hibernate.default_schema", "app")
                .setProperty("hibernate.hbm2ddl.create_namespaces", "true")
                .setProperty("hibernate.hbm2ddl.auto", mode)
                .setProperty("distributedid.backend", "sequence_table")
                .buildSessionFactory()) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            return photo.id;
        }
    }
}
