package io.distributedid.hibernate.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

class SequenceNameTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId("pictures")
        Long id;
    }

    @Entity(name = "Twice")
    static class Twice {
        @Id
        @DistributedId(value = "photos", seq = "pictures")
        Long id;
    }

    @Test
    void anAnnotationWithNothingElseNamesTheSequenceByItsValue() {
        try (SessionFactory factory = start(Photo.class)) {
            factory.inTransaction(session -> session.persist(new Photo()));

            assertThat(DistributedIdService.of(factory).ids().sequences()).containsExactly("pictures");
        }
    }

    @Test
    void anAnnotationWithTwoNamesIsRefused() {
        assertThatThrownBy(() -> start(Twice.class).close())
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An id has one sequence: @DistributedId(value = \"photos\", seq = \"pictures\"),"
                        + " allowed: one of the two");
    }

    private static SessionFactory start(Class<?> entity) {
        return new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:sequence_name")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("distributedid.backend", "memory")
                .addAnnotatedClass(entity)
                .buildSessionFactory();
    }
}
