package io.distributedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

class SmokeTest {
    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Test
    void persists() {
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:smoke")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("hibernate.show_sql", "true")
                .setProperty("distributedid.backend", "sequence_table")
                .buildSessionFactory()) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            assertThat(photo.id).isEqualTo(1);
        }
    }
}
