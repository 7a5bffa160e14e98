package io.distributedid.hibernate.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

class GeneratedValueTest {

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "albums")
        @GeneratedValue
        Long id;
    }

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;
    }

    @Entity(name = "Person")
    static class Person {
        @Id
        @DistributedId(seq = "people")
        Long id;
    }

    @Test
    void anAnnotationThatHasNoEffectIsNamedOnceAtStart() {
        try (LoggedWarnings warnings = LoggedWarnings.of(MappingScan.class);
                SessionFactory factory = start(Album.class, Photo.class, Person.class)) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));

            assertThat(photo.id).isGreaterThan(1_000_000);
            assertThat(warnings.messages())
                    .containsExactly("@GeneratedValue has no effect next to @DistributedId, which generates the id."
                            + " Remove @GeneratedValue from " + Album.class.getName() + ".id, "
                            + Photo.class.getName() + ".id");
        }
    }

    private static SessionFactory start(Class<?>... entities) {
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:generated_value")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setProperty("distributedid.backend", "memory");
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        return configuration.buildSessionFactory();
    }
}
