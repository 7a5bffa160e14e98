package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.CreationTimestamp;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.UpdateTimestamp;
import org.junit.jupiter.api.Order;

/** Updates of an embedded object that has a generated number. */
@Order(9)
class EmbeddedValueCases {

    @Embeddable
    static class Numbered {
        @DistributedValue(seq = "numbers")
        Long number;

        String text;

        @Embedded
        Detail detail;
    }

    @Embeddable
    static class Detail {
        String more;
    }

    @Entity(name = "Embedding")
    static class Embedding {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Numbered numbered = new Numbered();
    }

    private static void requireRow(Unit unit, String text, long number) {
        assertThat(unit.query("SELECT text FROM Embedding")).as("text").containsExactly(text);
        assertThat(unit.query("SELECT number FROM Embedding")).as("number").containsExactly(Long.toString(number));
        assertThat(MemoryBackend.given("numbers")).hasSize(1);
    }

    @Case("column in an embedded object: dirty checking writes the object")
    void dirty() {
        try (Unit unit = Unit.of(Embedding.class).start()) {
            Embedding entity = unit.persist(new Embedding());
            unit.factory().inTransaction(session -> session.find(Embedding.class, entity.id).numbered.text = "changed");
            requireRow(unit, "changed", 101);
            unit.factory().inTransaction(session -> session.find(Embedding.class, entity.id).numbered.number = 5L);
            requireRow(unit, "changed", 5);
        }
    }

    @Case("column in an embedded object: merge writes the object")
    void merge() {
        try (Unit unit = Unit.of(Embedding.class).start()) {
            Embedding entity = unit.persist(new Embedding());
            entity.numbered.text = "changed";
            unit.merge(entity);
            requireRow(unit, "changed", 101);
        }
    }

    @Case("column in an embedded object: StatelessSession.update writes the object")
    void statelessUpdate() {
        try (Unit unit = Unit.of(Embedding.class).start()) {
            Embedding entity = unit.persist(new Embedding());
            entity.numbered.text = "changed";
            unit.factory().inStatelessTransaction(session -> session.update(entity));
            requireRow(unit, "changed", 101);
        }
    }

    @Case("column in an embedded object: StatelessSession.upsert writes the object")
    void upsert() {
        try (Unit unit = Unit.of(Embedding.class).start()) {
            Embedding entity = unit.persist(new Embedding());
            entity.numbered.text = "changed";
            unit.upsert(entity);
            requireRow(unit, "changed", 101);
        }
    }

    @Entity(name = "Embedding")
    @DynamicUpdate
    static class Dynamic {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Numbered numbered = new Numbered();
    }

    @Case("column in an embedded object: @DynamicUpdate writes the object")
    void dynamic() {
        try (Unit unit = Unit.of(Dynamic.class).start()) {
            Dynamic entity = unit.persist(new Dynamic());
            unit.factory().inTransaction(session -> session.find(Dynamic.class, entity.id).numbered.text = "changed");
            requireRow(unit, "changed", 101);
        }
    }

    @Case("column in an embedded object: HQL update writes the object")
    void hql() {
        try (Unit unit = Unit.of(Embedding.class).start()) {
            unit.persist(new Embedding());
            unit.hql("update Embedding set numbered.text = 'changed'");
            requireRow(unit, "changed", 101);
        }
    }

    @Embeddable
    static class Outer {
        String text;

        @Embedded
        Inner inner = new Inner();
    }

    @Embeddable
    static class Inner {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "Embedding")
    static class Nesting {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Outer outer = new Outer();
    }

    @Case("column: in an embedded object within another")
    void nested() {
        try (Unit unit = Unit.of(Nesting.class).start()) {
            Nesting entity = unit.persist(new Nesting());
            assertThat(entity.outer.inner.number).isEqualTo(101);
            entity.outer.text = "changed";
            unit.merge(entity);
            requireRow(unit, "changed", 101);
        }
    }

    @Embeddable
    static class Stamped {
        @DistributedValue(seq = "numbers")
        Long number;

        @CreationTimestamp
        Instant created;

        @UpdateTimestamp
        Instant updated;

        String text;
    }

    @Entity(name = "Embedding")
    static class Stamping {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Stamped stamped = new Stamped();
    }

    @Case("column in an embedded object: with @CreationTimestamp and @UpdateTimestamp")
    void stamped() {
        try (Unit unit = Unit.of(Stamping.class).start()) {
            Stamping entity = unit.persist(new Stamping());
            String created = unit.query("SELECT created FROM Embedding").get(0);
            String updated = unit.query("SELECT updated FROM Embedding").get(0);
            assertThat(List.of(created, updated)).doesNotContainNull();
            unit.factory().inTransaction(session -> session.find(Stamping.class, entity.id).stamped.text = "changed");
            requireRow(unit, "changed", 101);
            assertThat(unit.query("SELECT created FROM Embedding")).containsExactly(created);
            assertThat(unit.query("SELECT updated FROM Embedding").get(0)).isGreaterThan(updated);
        }
    }

    @Embeddable
    static class Marked {
        @DistributedValue(seq = "numbers")
        Long number;

        @Generated(sql = "'mark'")
        String mark;

        String text;
    }

    @Entity(name = "Embedding")
    static class Marking {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Embedded
        Marked marked = new Marked();
    }

    @Case("column in an embedded object: with a column that the database generates")
    void marked() {
        try (Unit unit = Unit.of(Marking.class).start()) {
            Marking entity = unit.persist(new Marking());
            assertThat(entity.marked.mark).isEqualTo("mark");
            entity.marked.text = "changed";
            unit.merge(entity);
            requireRow(unit, "changed", 101);
        }
    }
}
