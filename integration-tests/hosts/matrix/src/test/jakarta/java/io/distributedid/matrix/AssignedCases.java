package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;

/** Entities that have an id before they are persisted: refused, and kept with {@code assigned = true}. */
@Order(5)
class AssignedCases {

    @Entity(name = "Strict")
    static class Strict {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        String text;

        static Strict of(Long id) {
            Strict strict = new Strict();
            strict.id = id;
            return strict;
        }
    }

    @Entity(name = "Open")
    static class Open {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id;

        String text;

        @OneToMany(cascade = CascadeType.ALL)
        List<Open> children = new ArrayList<>();

        static Open of(Long id) {
            Open open = new Open();
            open.id = id;
            return open;
        }
    }

    private static void requireKept(Unit unit, String... ids) {
        assertThat(unit.query("SELECT id FROM Open ORDER BY id")).containsExactly(ids);
    }

    @Case("id set before: persist")
    void persist() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.persist(Strict.of(5L));
            assertThat(unit.query("SELECT id FROM Strict")).containsExactly("5");
        }
    }

    @Case("id set before: merge, no such row")
    void merge() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.merge(Strict.of(5L));
            assertThat(unit.query("SELECT id FROM Strict")).containsExactly("5");
        }
    }

    @Case("id set before: merge of a row that exists")
    void mergeExisting() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            Strict strict = unit.persist(new Strict());
            strict.text = "changed";
            unit.merge(strict);
            assertThat(unit.query("SELECT text FROM Strict")).containsExactly("changed");
            unit.requireRows("Strict", "id", "ids");
        }
    }

    @Case("id set before: StatelessSession.insert")
    void insert() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.insert(Strict.of(5L));
            assertThat(unit.query("SELECT id FROM Strict")).containsExactly("5");
        }
    }

    @Case("id set before: StatelessSession.insertMultiple")
    void multiple() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.insertMultiple(new Strict(), Strict.of(5L));
            assertThat(unit.query("SELECT id FROM Strict")).contains("5");
        }
    }

    @Case("id set before: StatelessSession.upsert")
    void upsert() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.upsert(Strict.of(5L));
            assertThat(unit.query("SELECT id FROM Strict")).containsExactly("5");
        }
    }

    @Case("no id: StatelessSession.insert and .insertMultiple")
    void multipleNew() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.insertMultiple(new Strict(), new Strict());
            unit.insert(new Strict());
            unit.requireRows("Strict", "id", "ids");
        }
    }

    @Case("no id: StatelessSession.insert")
    void insertNew() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            Strict strict = new Strict();
            unit.insert(strict);
            assertThat(strict.id).isEqualTo(101);
            unit.requireRows("Strict", "id", "ids");
        }
    }

    @Case("no id: StatelessSession.upsert")
    void upsertNew() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            unit.upsert(new Strict());
            unit.requireRows("Strict", "id", "ids");
        }
    }

    @Case("no id: merge")
    void mergeNew() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            assertThat(unit.merge(new Strict()).id).isEqualTo(101);
            unit.requireRows("Strict", "id", "ids");
        }
    }

    @Case("assigned = true: persist, with and without id")
    void openPersist() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.persist(Open.of(5L));
            unit.persist(new Open());
            requireKept(unit, "5", "101");
        }
    }

    @Case("assigned = true: persist of a row that exists")
    void openPersistTwice() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.persist(Open.of(5L));
            unit.keepRows();
            unit.persist(Open.of(5L));
            throw new AssertionError("stored twice");
        }
    }

    @Case("assigned = true: merge, with and without id")
    void openMerge() {
        try (Unit unit = Unit.of(Open.class).start()) {
            assertThat(unit.merge(Open.of(5L)).id).isEqualTo(5);
            assertThat(unit.merge(new Open()).id).isEqualTo(101);
            requireKept(unit, "5", "101");
        }
    }

    @Case("assigned = true: merge of a row that exists")
    void openMergeExisting() {
        try (Unit unit = Unit.of(Open.class).start()) {
            Open open = unit.persist(new Open());
            open.text = "changed";
            unit.merge(open);
            assertThat(unit.query("SELECT text FROM Open")).containsExactly("changed");
            requireKept(unit, "101");
        }
    }

    @Case("assigned = true: StatelessSession.insert, with and without id")
    void openInsert() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.insert(Open.of(5L));
            unit.insert(new Open());
            requireKept(unit, "5", "101");
        }
    }

    @Case("assigned = true: StatelessSession.insertMultiple, with and without id")
    void openMultiple() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.insertMultiple(Open.of(5L), new Open(), Open.of(6L));
            requireKept(unit, "5", "6", "101");
        }
    }

    @Case("assigned = true: StatelessSession.upsert with id")
    void openUpsert() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.upsert(Open.of(5L));
            requireKept(unit, "5");
        }
    }

    @Case("assigned = true: StatelessSession.upsert without id")
    void openUpsertNew() {
        try (Unit unit = Unit.of(Open.class).start()) {
            unit.upsert(new Open());
            requireKept(unit, "101");
        }
    }

    @Case("assigned = true: persist and merge cascade to children, with and without id")
    void openCascade() {
        try (Unit unit = Unit.of(Open.class).start()) {
            Open parent = Open.of(5L);
            parent.children.addAll(List.of(Open.of(6L), new Open()));
            unit.persist(parent);
            Open other = Open.of(7L);
            other.children.addAll(List.of(Open.of(8L), new Open()));
            unit.merge(other);
            requireKept(unit, "5", "6", "7", "8", "101", "102");
        }
    }

    @Entity(name = "Versioned")
    static class Versioned {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id;

        @Version
        Integer version;

        static Versioned of(Long id) {
            Versioned versioned = new Versioned();
            versioned.id = id;
            return versioned;
        }
    }

    @Case("assigned = true: with @Version, persist, merge and insert")
    void versioned() {
        try (Unit unit = Unit.of(Versioned.class).start()) {
            unit.persist(Versioned.of(5L));
            unit.merge(Versioned.of(6L));
            unit.insert(Versioned.of(7L));
            unit.persist(new Versioned());
            assertThat(unit.query("SELECT id FROM Versioned ORDER BY id")).containsExactly("5", "6", "7", "101");
        }
    }

    @Entity(name = "OpenPrimitive")
    static class OpenPrimitive {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        long id;
    }

    @Case("assigned = true: of a primitive type")
    void primitive() {
        try (Unit unit = Unit.of(OpenPrimitive.class).start()) {
            unit.upsert(new OpenPrimitive());
            assertThat(unit.query("SELECT id FROM OpenPrimitive")).doesNotContain("0");
        }
    }

    @Embeddable
    record Key(@DistributedId(seq = "ids", assigned = true) Long id, Long userId) implements Serializable {}

    @Entity(name = "OfKey")
    static class OfKey {
        @EmbeddedId
        Key key;

        static OfKey of(Long id) {
            OfKey entity = new OfKey();
            entity.key = new Key(id, 7L);
            return entity;
        }
    }

    @Case("assigned = true: part of an @EmbeddedId, with and without id")
    void embedded() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            unit.persist(OfKey.of(5L));
            unit.merge(OfKey.of(6L));
            unit.insert(OfKey.of(7L));
            unit.persist(OfKey.of(null));
            unit.insert(OfKey.of(null));
            assertThat(unit.query("SELECT id FROM OfKey ORDER BY id")).containsExactly("5", "6", "7", "101", "102");
        }
    }

    @Entity(name = "OfIdClass")
    @IdClass(Key.class)
    static class OfIdClass {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id;

        @Id
        Long userId = 7L;

        static OfIdClass of(Long id) {
            OfIdClass entity = new OfIdClass();
            entity.id = id;
            return entity;
        }
    }

    @Case("assigned = true: part of an @IdClass, with and without id")
    void idClass() {
        try (Unit unit = Unit.of(OfIdClass.class).start()) {
            unit.persist(OfIdClass.of(5L));
            unit.merge(OfIdClass.of(6L));
            unit.insert(OfIdClass.of(7L));
            unit.persist(OfIdClass.of(null));
            unit.insert(OfIdClass.of(null));
            assertThat(unit.query("SELECT id FROM OfIdClass ORDER BY id")).containsExactly("5", "6", "7", "101", "102");
        }
    }
}
