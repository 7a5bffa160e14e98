package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DecodedId;
import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Ids in texts: whether they fit the column, and whether they sort. */
class StringIdTest {

    /** Room for ids until 2031. */
    @Entity(name = "Short")
    static class Short {
        @Id
        @DistributedId(seq = "shorts")
        @Column(length = 18)
        String id;
    }

    /** The same in SQL. */
    @Entity(name = "Defined")
    static class Defined {
        @Id
        @DistributedId(seq = "defined")
        Long id;

        @DistributedValue(seq = "numbers")
        @Column(columnDefinition = "character varying (18)")
        String number;
    }

    /** Room for all. */
    @Entity(name = "Roomy")
    static class Roomy {
        @Id
        @DistributedId(seq = "roomy")
        @Column(length = 19)
        String id;

        @DistributedValue(seq = "numbers")
        @Column(columnDefinition = "text")
        String number;
    }

    private static Unit snowflake(Class<?>... entities) {
        return Unit.of(entities)
                .with("distributedid.backend", "snowflake")
                .with("distributedid.snowflake.worker", "7")
                .with("distributedid.snowflake.epoch", "2024-01-01T00:00:00Z");
    }

    @Test
    void aColumnThatIsTooShortIsRefusedAtStart() {
        assertThat(BootErrorTest.refusal(snowflake(Short.class)))
                .startsWith(
                        "io.distributedid.it.StringIdTest$Short.id (seq=shorts): The ids of a layout must fit: sequence"
                                + " 'shorts' (io.distributedid.it.StringIdTest$Short.id, 18 characters) stores up to"
                                + " 999999999999999999, the layout gives up to 9223372036854775807: ");
        assertThat(BootErrorTest.refusal(snowflake(Defined.class)))
                .startsWith(
                        "io.distributedid.it.StringIdTest$Defined.number (seq=numbers): The ids of a layout must fit:"
                                + " sequence 'numbers' (io.distributedid.it.StringIdTest$Defined.number, 18"
                                + " characters) stores up to"
                                + " 999999999999999999, ");
    }

    @Test
    void aColumnThatHasRoomIsNot() {
        try (SessionFactory factory = snowflake(Roomy.class).start()) {
            Roomy roomy = Unit.persist(factory, new Roomy());

            assertThat(roomy.id).hasSize(18);
            assertThat(roomy.number).hasSize(18);
        }
        try (SessionFactory factory = snowflake(Short.class)
                .with("distributedid.snowflake.layout", "js53")
                .start()) {
            assertThat(Unit.persist(factory, new Short()).id).hasSizeLessThan(17);
        }
    }

    /** Sorts for ever. */
    @Entity(name = "Padded")
    static class Padded {
        @Id
        @DistributedId(seq = "padded", padded = true)
        @Column(length = 19)
        String id;

        @DistributedValue(seq = "numbers", padded = true)
        String number;
    }

    @Test
    void paddedIdsSortAsTextsWhenTheyGainADigit() {
        Unit unit = Unit.of(Padded.class);
        try (SessionFactory factory = unit.start()) {
            List<String> ids = new ArrayList<>();
            for (int i = 1; i <= 11; i++) {
                Padded padded = Unit.persist(factory, new Padded());
                ids.add(padded.id);
                assertThat(padded.number).hasSize(19).startsWith("000");
            }

            assertThat(ids).isSorted().first().isEqualTo("0000000000000000001");
            assertThat(unit.query("SELECT id FROM Padded ORDER BY id")).isEqualTo(ids);
            String found = factory.fromSession(session -> session.find(Padded.class, ids.get(10)).id);
            assertThat(found).isEqualTo("0000000000000000011");
        }
    }

    @Test
    void paddedIdsAreReadLikeOthers() {
        try (SessionFactory factory = snowflake(Padded.class).start()) {
            Padded padded = Unit.persist(factory, new Padded());
            DecodedId decoded = Unit.ids(factory).decode("padded", Long.parseLong(padded.id));
            Instant made = factory.fromSession(
                    session -> session.createQuery("select id_instant(p.id) from Padded p", Instant.class)
                            .getSingleResult());

            assertThat(decoded.field("worker")).isEqualTo(7);
            assertThat(made).isEqualTo(decoded.instant());
        }
    }

    /** A number can't have zeros in front. */
    @Entity(name = "PaddedNumber")
    static class PaddedNumber {
        @Id
        @DistributedId(seq = "padded", padded = true)
        Long id;
    }

    /** No room. */
    @Entity(name = "PaddedShort")
    static class PaddedShort {
        @Id
        @DistributedId(seq = "padded", padded = true)
        @Column(columnDefinition = "VARCHAR(18) NOT NULL")
        String id;
    }

    @Test
    void onlyTextsWithRoomAreOnesToBePadded() {
        assertThat(BootErrorTest.refusal(Unit.of(PaddedNumber.class)))
                .isEqualTo("Only a text can be padded: io.distributedid.it.StringIdTest$PaddedNumber.id holds numbers,"
                        + " allowed: padded = true on a String");
        assertThat(BootErrorTest.refusal(Unit.of(PaddedShort.class)))
                .isEqualTo("A padded id has 19 digits: io.distributedid.it.StringIdTest$PaddedShort.id length=18,"
                        + " allowed: 19"
                        + " or more");
    }
}
