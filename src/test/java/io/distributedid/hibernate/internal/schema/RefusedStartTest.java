package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** Jakarta Persistence wraps what a start throws in an exception whose message names no cause. The log has one line. */
class RefusedStartTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Wide")
    static class Wide {
        @Id
        @DistributedId(seq = "photos")
        Integer id;
    }

    @Test
    void aWrongSettingIsSaidInOneLineOfTheLog() {
        assertSaid(
                "io.distributedid.hibernate.internal.schema.RefusedStartTest$Photo.id (seq=photos): A setting has a"
                        + " value that is not allowed: distributedid.snowflake.worker=1024, allowed: a number from 0 to"
                        + " 1023",
                Photo.class);
    }

    @Test
    void aWrongMappingTooBeforeAnythingIsOpened() {
        assertSaid("A sequence must have properties of one width: seq=photos", Photo.class, Wide.class);
    }

    private static void assertSaid(String message, Class<?>... entities) {
        Configuration configuration = new Configuration();
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        configuration
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:refused_start")
                .setProperty("distributedid.backend", "snowflake")
                .setProperty("distributedid.snowflake.worker", "1024");
        try (LoggedWarnings warnings = LoggedWarnings.of(BootCheck.class)) {
            assertThatThrownBy(configuration::buildSessionFactory)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(message);

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("The SessionFactory is not created: " + message);
        }
    }
}
