package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.matrix.AssignedCases.Open;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;

/** What stands for no id where ids may be assigned: 0, as JSON has it, and an empty text, beside null. */
@Order(10)
class NoIdCases {

    private static void requireIds(Unit unit, String... ids) {
        assertThat(unit.query("SELECT id FROM Open ORDER BY id")).containsExactly(ids);
    }

    @Case("assigned = true, id 0: persist")
    void persist() {
        try (Unit unit = Unit.of(Open.class).start()) {
            assertThat(unit.persist(Open.of(0L)).id).isEqualTo(101);
            unit.persist(Open.of(0L));
            requireIds(unit, "101", "102");
        }
    }

    @Case("assigned = true, id 0: merge")
    void merge() {
        try (Unit unit = Unit.of(Open.class).start()) {
            assertThat(unit.merge(Open.of(0L)).id).isEqualTo(101);
            unit.merge(Open.of(0L));
            requireIds(unit, "101", "102");
        }
    }

    @Case("assigned = true, id 0: StatelessSession.insert")
    void insert() {
        try (Unit unit = Unit.of(Open.class).start()) {
            Open open = Open.of(0L);
            unit.insert(open);
            assertThat(open.id).isEqualTo(101);
            requireIds(unit, "101");
        }
    }

    @Case("assigned = true, id 0: StatelessSession.insertMultiple")
    void insertMultiple() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.insertMultiple(Open.of(0L), Open.of(5L), Open.of(0L));
            requireIds(unit, "5", "101", "102");
        }
    }

    @Case("assigned = true, id 0: StatelessSession.upsert")
    void upsert() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.upsert(Open.of(0L));
            throw new AssertionError("stored as " + unit.query("SELECT id FROM Open"));
        }
    }

    @Entity(name = "Strict")
    static class Strict {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Case("id 0: StatelessSession.upsert")
    void strictUpsert() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            Strict strict = new Strict();
            strict.id = 0L;
            unit.upsert(strict);
            throw new AssertionError("stored as " + unit.query("SELECT id FROM Strict"));
        }
    }

    @Case("assigned = true, id 0: persist and merge cascade to children")
    void cascade() {
        try (Unit unit = Unit.of(Open.class).start()) {
            Open parent = Open.of(0L);
            parent.children.add(Open.of(0L));
            unit.persist(parent);
            Open other = Open.of(0L);
            other.children.addAll(List.of(Open.of(0L), Open.of(0L)));
            unit.merge(other);
            requireIds(unit, "101", "102", "103", "104", "105");
        }
    }

    @Case("assigned = true, negative id: kept")
    void negative() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.persist(Open.of(-3L));
            unit.merge(Open.of(-2L));
            unit.insert(Open.of(-1L));
            requireIds(unit, "-3", "-2", "-1");
            assertThat(MemoryBackend.given("ids")).isEmpty();
        }
    }

    @Entity(name = "OfInteger")
    static class OfInteger {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Integer id = 0;
    }

    @Entity(name = "OfBigInteger")
    static class OfBigInteger {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        BigInteger id = BigInteger.ZERO;
    }

    @Entity(name = "OfBigDecimal")
    static class OfBigDecimal {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        BigDecimal id = new BigDecimal("0.00");
    }

    static void check(Object first, Object second, Object third) {
        try (Unit unit = Unit.of(first.getClass()).start()) {
            unit.persist(first);
            unit.merge(second);
            unit.insert(third);
            String name = first.getClass().getSimpleName();
            assertThat(unit.query("SELECT id FROM " + name + " ORDER BY id").stream()
                            .map(id -> id.replace(".00", "")))
                    .containsExactly("101", "102", "103");
        }
    }

    @Case("assigned = true, id 0: Integer")
    void integer() {
        check(new OfInteger(), new OfInteger(), new OfInteger());
    }

    @Case("assigned = true, id 0: BigInteger")
    void bigInteger() {
        check(new OfBigInteger(), new OfBigInteger(), new OfBigInteger());
    }

    @Case("assigned = true, id 0: BigDecimal")
    void bigDecimal() {
        check(new OfBigDecimal(), new OfBigDecimal(), new OfBigDecimal());
    }

    @Entity(name = "OfString")
    static class OfString {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        String id;

        static OfString of(String id) {
            OfString entity = new OfString();
            entity.id = id;
            return entity;
        }
    }

    @Case("assigned = true, id \"\": String")
    void empty() {
        check(OfString.of(""), OfString.of(""), OfString.of(""));
    }

    @Case("assigned = true, id \"0\": String")
    void zero() {
        check(OfString.of("0"), OfString.of("0"), OfString.of("0"));
    }

    @Embeddable
    record Key(@DistributedId(seq = "ids", assigned = true) Long id, Long userId) implements Serializable {}

    @Entity(name = "OfKey")
    static class OfKey {
        @EmbeddedId
        Key key = new Key(0L, 7L);
    }

    @Case("assigned = true, id 0: part of an @EmbeddedId")
    void embedded() {
        check(new OfKey(), new OfKey(), new OfKey());
    }

    @Case("assigned = true, id 0: part of an @EmbeddedId, StatelessSession.upsert")
    void embeddedUpsert() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            unit.upsert(new OfKey());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfKey"));
        }
    }

    @Entity(name = "OfIdClass")
    @IdClass(Key.class)
    static class OfIdClass {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id = 0L;

        @Id
        Long userId = 7L;
    }

    @Case("assigned = true, id 0: part of an @IdClass")
    void idClass() {
        check(new OfIdClass(), new OfIdClass(), new OfIdClass());
    }

    @Case("assigned = true, id 0: part of an @IdClass, StatelessSession.upsert")
    void idClassUpsert() {
        try (Unit unit = Unit.of(OfIdClass.class).start()) {
            unit.upsert(new OfIdClass());
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfIdClass"));
        }
    }

    @Entity(name = "OfText")
    static class OfText {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @DistributedValue(seq = "numbers")
        String number = "";
    }

    @Case("column: String, \"\" counts as none")
    void emptyValue() {
        try (Unit unit = Unit.of(OfText.class).start()) {
            unit.persist(new OfText());
            unit.insert(new OfText());
            unit.requireRows("OfText", "number", "numbers");
            assertThat(Stream.of("101", "102")).containsExactlyElementsOf(unit.query("SELECT number FROM OfText"));
        }
    }
}
