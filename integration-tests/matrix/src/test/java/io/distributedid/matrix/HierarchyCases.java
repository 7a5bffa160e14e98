package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import java.util.List;
import org.junit.jupiter.api.Order;

/** Classes that inherit from entities: one sequence for all, and numbers of subclasses. */
@Order(2)
class HierarchyCases {

    @Entity(name = "Single")
    @Inheritance(strategy = InheritanceType.SINGLE_TABLE)
    static class Single {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "SingleLeft")
    static class SingleLeft extends Single {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("hierarchy: single table")
    void single() {
        try (Unit unit = Unit.of(Single.class, SingleLeft.class).start()) {
            unit.persist(new Single());
            unit.persist(new SingleLeft());
            unit.requireRows("Single", "id", "ids");
            assertThat(unit.query("SELECT number FROM Single WHERE number IS NOT NULL"))
                    .containsExactly("101");
            assertThat(MemoryBackend.given("numbers")).hasSize(1);
        }
    }

    @Entity(name = "Joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "JoinedLeft")
    static class JoinedLeft extends Joined {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("hierarchy: joined")
    void joined() {
        try (Unit unit = Unit.of(Joined.class, JoinedLeft.class).start()) {
            unit.persist(new Joined());
            unit.persist(new JoinedLeft());
            unit.requireRows("Joined", "id", "ids");
            unit.requireRows("JoinedLeft", "number", "numbers");
        }
    }

    @Entity(name = "PerClass")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class PerClass {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "PerClassLeft")
    static class PerClassLeft extends PerClass {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("hierarchy: table per class")
    void perClass() {
        try (Unit unit = Unit.of(PerClass.class, PerClassLeft.class).start()) {
            unit.persist(new PerClass());
            unit.persist(new PerClassLeft());
            assertThat(List.of(
                            unit.query("SELECT id FROM PerClass").get(0),
                            unit.query("SELECT id FROM PerClassLeft").get(0)))
                    .containsExactly("101", "102");
            unit.requireRows("PerClassLeft", "number", "numbers");
            assertThat(MemoryBackend.given("ids")).hasSize(2);
        }
    }
}
