package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.distributedid.DistributedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The classes of one hierarchy have their ids from one sequence, in however many tables they lie. */
class InheritanceTest {

    @Entity(name = "OneTable")
    static class OneTable {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "OneTableLeft")
    static class OneTableLeft extends OneTable {}

    @Entity(name = "OneTableRight")
    static class OneTableRight extends OneTable {}

    @Entity(name = "Joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "JoinedLeft")
    static class JoinedLeft extends Joined {}

    @Entity(name = "JoinedRight")
    static class JoinedRight extends Joined {}

    @Entity(name = "PerClass")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    static class PerClass {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "PerClassLeft")
    static class PerClassLeft extends PerClass {}

    @Entity(name = "PerClassRight")
    static class PerClassRight extends PerClass {}

    static Stream<Arguments> hierarchies() {
        return Stream.of(
                arguments(OneTable.class, OneTableLeft.class, OneTableRight.class),
                arguments(Joined.class, JoinedLeft.class, JoinedRight.class),
                arguments(PerClass.class, PerClassLeft.class, PerClassRight.class));
    }

    @ParameterizedTest
    @MethodSource("hierarchies")
    void classesOfOneHierarchyShareTheSequenceOfTheRoot(Class<?> root, Class<?> left, Class<?> right) throws Exception {
        Unit unit = Unit.of(root, left, right);
        try (SessionFactory factory = unit.start()) {
            List<Object> ids = new ArrayList<>();
            for (Class<?> type : List.of(left, root, right, right, left)) {
                ids.add(Unit.id(
                        factory,
                        Unit.persist(factory, type.getDeclaredConstructor().newInstance())));
            }

            assertThat(ids).doesNotHaveDuplicates();
            assertThat(unit.sequences()).containsExactly(root.getSimpleName());
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

    @Test
    void rootWithoutTableStillNamesTheSequence() {
        Unit unit = Unit.of(NoTable.class, NoTableLeft.class, NoTableRight.class);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new NoTableLeft()).id)
                    .isNotEqualTo(Unit.persist(factory, new NoTableRight()).id);
            assertThat(unit.sequences()).containsExactly("NoTable");
        }
    }
}
