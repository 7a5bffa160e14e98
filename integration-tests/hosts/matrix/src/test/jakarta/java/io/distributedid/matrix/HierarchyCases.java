package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
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
        @DistributedId
        Long id;
    }

    @Entity(name = "SingleLeft")
    static class SingleLeft extends Single {
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Embeddable
    static class InRow {
        @DistributedValue(seq = "more")
        Long more;
    }

    @Entity(name = "SingleRight")
    static class SingleRight extends Single {
        @Embedded
        InRow embedded = new InRow();
    }

    @Case("hierarchy: single table")
    void single() {
        try (Unit unit =
                Unit.of(Single.class, SingleLeft.class, SingleRight.class).start()) {
            unit.persist(new Single());
            unit.persist(new SingleLeft());
            unit.persist(new SingleRight());
            unit.requireRows("Single", "id", "Single");
            assertThat(unit.query("SELECT number FROM Single WHERE number IS NOT NULL"))
                    .containsExactly("101");
            assertThat(unit.query("SELECT more FROM Single WHERE more IS NOT NULL"))
                    .containsExactly("101");
            assertThat(MemoryBackend.given("numbers")).hasSize(1);
            assertThat(MemoryBackend.given("more")).hasSize(1);
        }
    }

    @Entity(name = "Joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        @DistributedId
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
            unit.requireRows("Joined", "id", "Joined");
            unit.requireRows("JoinedLeft", "number", "numbers");
        }
    }

    @Entity(name = "PerClass")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class PerClass {
        @Id
        @DistributedId
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
            assertThat(MemoryBackend.given("PerClass")).hasSize(2);
        }
    }

    @Entity(name = "NoTable")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    abstract static class NoTable {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "NoTableLeft")
    static class NoTableLeft extends NoTable {}

    @Entity(name = "NoTableRight")
    static class NoTableRight extends NoTable {}

    @Case("hierarchy: table per class, root without table")
    void noTable() {
        try (Unit unit =
                Unit.of(NoTable.class, NoTableLeft.class, NoTableRight.class).start()) {
            unit.persist(new NoTableLeft());
            unit.requireRows("NoTableLeft", "id", "NoTable");
            unit.persist(new NoTableRight());
            assertThat(unit.query("SELECT id FROM NoTableRight")).containsExactly("102");
        }
    }
}
