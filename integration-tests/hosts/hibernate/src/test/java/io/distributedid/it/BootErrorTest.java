package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import jakarta.persistence.Transient;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is configured wrongly fails the start, and the error says how to put it right. */
class BootErrorTest {

    private static final String PHOTO = "io.distributedid.it.Photo.id (seq=photos): ";

    /** The message of the library's exception, wherever Hibernate put it. */
    static String refusal(Unit unit) {
        Throwable thrown = catchThrowable(() -> unit.start().close());
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .filter(IdConfigurationException.class::isInstance)
                .map(Throwable::getMessage)
                .findFirst()
                .orElseThrow(() -> new AssertionError("not refused", thrown));
    }

    @Test
    void unknownSettingNamesTheNearest() {
        Unit unit = Unit.of(BackendSettings.TICKET, Photo.class).with("distributedid.ticket.server", "jdbc:h2:mem:t1");

        assertThat(refusal(unit))
                .isEqualTo("There is no such setting: distributedid.ticket.server. Did you mean"
                        + " distributedid.ticket.servers?");
    }

    @Test
    void missingWorkerNumber() {
        Unit unit = Unit.of(BackendSettings.SNOWFLAKE, Photo.class).without("distributedid.snowflake.worker");

        assertThat(refusal(unit))
                .startsWith(PHOTO
                        + "A setting is missing: distributedid.snowflake.worker, allowed: a number from 0 to 1023.")
                .contains("it is never guessed");
    }

    @Entity(name = "Tag")
    static class Tag {
        @Id
        @DistributedId(seq = "tags")
        Integer id;
    }

    @Test
    void integerDoesNotHoldASnowflakeId() {
        assertThat(refusal(Unit.of(BackendSettings.SNOWFLAKE, Tag.class)))
                .startsWith(Tag.class.getName() + ".id (seq=tags): The ids of a layout must fit: ")
                .contains("stores up to 2147483647", "distributedid.seq.tags.backend");
    }

    @Entity(name = "OfUuid")
    static class OfUuid {
        @Id
        @DistributedId
        UUID id;
    }

    @Entity(name = "OfShort")
    static class OfShort {
        @Id
        @DistributedId
        short id;
    }

    @ParameterizedTest
    @ValueSource(classes = {OfUuid.class, OfShort.class})
    void propertyOfATypeThatHoldsNoId(Class<?> entity) {
        assertThat(refusal(Unit.of(entity)))
                .startsWith("A property of this type can't be a @DistributedId: " + entity.getName() + ".id type=")
                .contains(entity == OfUuid.class ? "java.util.UUID" : "hort")
                .endsWith("allowed: long, Long, int, Integer, BigInteger, BigDecimal, String, or a type of your own"
                        + " with a"
                        + " JavaType, or an AttributeConverter (not for ids), to one of them");
    }

    @Entity(name = "Wide")
    static class Wide {
        @Id
        @DistributedId(seq = "tags")
        Long id;
    }

    @Test
    void sequenceOfTwoWidths() {
        assertThat(refusal(Unit.of(Tag.class, Wide.class)))
                .isEqualTo("All properties of a sequence must have the same width: seq=tags " + Tag.class.getName()
                        + ".id up to 2147483647, " + Wide.class.getName()
                        + ".id up to 9223372036854775807. Give them the same type, or separate sequences");
    }

    @Entity(name = "OnColumn")
    static class OnColumn {
        @Id
        Long id;

        @DistributedId(seq = "numbers")
        Long number;
    }

    @Test
    void annotationOnAColumnThatIsNoId() {
        assertThat(refusal(Unit.of(OnColumn.class)))
                .isEqualTo("A @DistributedId has no effect here: " + OnColumn.class.getName()
                        + ".number, because it is not an id. For other columns there is @DistributedValue");
    }

    @Entity(name = "OnTransient")
    static class OnTransient {
        @Id
        Long id;

        @Transient
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Test
    void annotationThatHibernateIgnores() {
        assertThat(refusal(Unit.of(OnTransient.class)))
                .isEqualTo("A @DistributedValue has no effect here: " + OnTransient.class.getName()
                        + ".number, because Hibernate does not map the field: it is transient, or its getter is read"
                        + " (access type PROPERTY)");
    }

    @Embeddable
    static class Key implements Serializable {

        private static final long serialVersionUID = 1L;

        @DistributedId(seq = "photos")
        Long id;

        Long owner;
    }

    @Entity(name = "OfKey")
    static class OfKey {
        @EmbeddedId
        Key key = new Key();

        @DistributedValue(seq = "my numbers")
        Long number;
    }

    @Test
    void sequencesOfKeysAndColumnsAreOpenedAtStart() {
        Unit unit = Unit.of(OfKey.class);

        assertThat(refusal(unit.with("distributedid.seq.photos.backend", "ticket")))
                .startsWith(OfKey.class.getName()
                        + ".key.id (seq=photos): A setting is missing: distributedid.ticket.servers");
        assertThat(refusal(unit.without("distributedid.seq.photos.backend")))
                .startsWith(OfKey.class.getName() + ".number (seq=my numbers): A sequence's name must be a letter");
    }

    @Test
    void missingSequenceTable() {
        assertThat(refusal(Unit.of(Photo.class).with("hibernate.hbm2ddl.auto", "none")))
                .startsWith(PHOTO + "The sequence table is missing: table=sequence on jdbc:h2:mem:")
                .contains(
                        "Create it: CREATE TABLE IF NOT EXISTS sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id"
                                + " BIGINT",
                        "hibernate.hbm2ddl.auto",
                        "distributedid.create_tables=true",
                        "If a migration creates it after the start, set distributedid.open=lazy");
    }

    @Test
    void badTableName() {
        assertThat(refusal(Unit.of(Photo.class).with("distributedid.sequence_table.table", "ids; DROP TABLE Photo")))
                .startsWith("A setting has a value that is not allowed: distributedid.sequence_table.table=ids; DROP");
    }

    @Test
    void nothingIsCheckedForAUnitWithoutDistributedIds() {
        Unit unit = Unit.of(Plain.class).with("distributedid.backend", "nonsense");

        unit.start().close();
    }

    @Entity(name = "Plain")
    static class Plain {
        @Id
        Long id;
    }

    @Test
    void jakartaPersistenceIsRefusedToo() {
        Map<String, String> map = Map.of("distributedid.snowflake.worker", "1024");

        assertThatThrownBy(() -> Persistence.createEntityManagerFactory("photos", map))
                .hasStackTraceContaining("distributedid.snowflake.worker=1024, allowed: a number from 0 to 1023");
    }
}
