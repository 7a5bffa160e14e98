package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.matrix.CompositeCases.OfKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import org.junit.jupiter.api.Order;

/** Inserts by HQL. */
@Order(6)
class HqlCases {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        String text;
    }

    @Entity(name = "Source")
    static class Source {
        @Id
        Long id;

        String text;

        static void two(Unit unit) {
            unit.execute("INSERT INTO Source (id, text) VALUES (1, 'a'), (2, 'b')");
            unit.keepRows();
        }
    }

    @Entity(name = "Parent")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Parent {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        String text;
    }

    @Entity(name = "Child")
    static class Child extends Parent {
        String more;
    }

    @Case("HQL: insert ... values, one row")
    void one() {
        try (Unit unit = Unit.of(Photo.class).start()) {
            unit.hql("insert into Photo (text) values ('a')");
            unit.requireRows("Photo", "id", "ids");
        }
    }

    @Case("HQL: insert ... values, three rows")
    void three() {
        try (Unit unit = Unit.of(Photo.class).start()) {
            unit.hql("insert into Photo (text) values ('a'), ('b'), ('c')");
            unit.requireRows("Photo", "id", "ids");
            assertThat(MemoryBackend.given("ids")).hasSize(3);
        }
    }

    @Case("HQL: insert ... values that names the id")
    void named() {
        try (Unit unit = Unit.of(Photo.class).start()) {
            unit.hql("insert into Photo (id, text) values (5, 'a')");
            assertThat(unit.query("SELECT id FROM Photo")).containsExactly("5");
            assertThat(MemoryBackend.given("ids")).isEmpty();
        }
    }

    @Case("HQL: insert ... select")
    void select() {
        try (Unit unit = Unit.of(Photo.class, Source.class).start()) {
            Source.two(unit);
            unit.hql("insert into Photo (text) select s.text from Source s");
            unit.requireRows("Photo", "id", "ids");
        }
    }

    @Case("HQL: insert ... select that names the id")
    void selectNamed() {
        try (Unit unit = Unit.of(Photo.class, Source.class).start()) {
            Source.two(unit);
            unit.hql("insert into Photo (id, text) select s.id, s.text from Source s");
            assertThat(unit.query("SELECT id FROM Photo ORDER BY id")).containsExactly("1", "2");
            assertThat(MemoryBackend.given("ids")).isEmpty();
        }
    }

    @Case("HQL: insert ... values into a joined subclass")
    void joined() {
        try (Unit unit = Unit.of(Parent.class, Child.class).start()) {
            unit.hql("insert into Child (text, more) values ('a', 'b'), ('c', 'd')");
            unit.requireRows("Parent", "id", "ids");
            unit.requireRows("Child", "id", "ids");
        }
    }

    @Case("HQL: insert ... select into a joined subclass")
    void joinedSelect() {
        try (Unit unit = Unit.of(Parent.class, Child.class, Source.class).start()) {
            Source.two(unit);
            unit.hql("insert into Child (text, more) select s.text, s.text from Source s");
            unit.requireRows("Parent", "id", "ids");
            unit.requireRows("Child", "id", "ids");
        }
    }

    @Case("HQL: insert ... values without a generated part of a composite id")
    void composite() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            unit.hql("insert into OfKey (key.userId, number) values (7, 8)");
            unit.requireRows("OfKey", "id", "ids");
        }
    }
}
