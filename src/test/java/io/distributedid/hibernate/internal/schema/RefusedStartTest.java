package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
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

    @Entity(name = "Unwritten")
    static class Unwritten {
        @Id
        Long id;

        @Column(insertable = false)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Embeddable
    static class Label {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "UnwrittenWithin")
    static class UnwrittenWithin {
        @Id
        Long id;

        @Embedded
        Label front = new Label();

        @Embedded
        @AttributeOverride(name = "number", column = @Column(name = "back_number", insertable = false))
        Label back = new Label();
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
        assertSaid("All properties of a sequence must have the same width: seq=photos", Photo.class, Wide.class);
    }

    @Test
    void aNumberThatIsNotInsertedIsRefused() {
        String why = ", because its column is not inserted (insertable = false). Make it insertable, or remove the"
                + " annotation";
        assertSaid(
                "A @DistributedValue has no effect here: " + Unwritten.class.getName() + ".number" + why,
                Unwritten.class);
        assertSaid(
                "A @DistributedValue has no effect here: " + UnwrittenWithin.class.getName() + ".back.number" + why,
                UnwrittenWithin.class);
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
