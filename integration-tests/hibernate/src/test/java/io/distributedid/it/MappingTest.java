package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.distributedid.DistributedId;
import io.distributedid.IdsExhaustedException;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How an annotated property may be mapped, and which sequence it uses. */
class MappingTest {

    @Entity(name = "OfPrimitiveLong")
    static class OfPrimitiveLong {
        @Id
        @DistributedId
        long id;
    }

    @Entity(name = "OfLong")
    static class OfLong {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "OfPrimitiveInt")
    static class OfPrimitiveInt {
        @Id
        @DistributedId
        int id;
    }

    @Entity(name = "OfInteger")
    static class OfInteger {
        @Id
        @DistributedId
        Integer id;
    }

    @Entity(name = "OfBigInteger")
    static class OfBigInteger {
        @Id
        @DistributedId
        BigInteger id;
    }

    @Entity(name = "OfBigDecimal")
    static class OfBigDecimal {
        @Id
        @DistributedId
        @Column(precision = 19, scale = 0)
        BigDecimal id;
    }

    @Entity(name = "OfString")
    static class OfString {
        @Id
        @DistributedId
        String id;
    }

    @Entity(name = "GeneratedLong")
    static class GeneratedLong {
        @Id
        @GeneratedValue
        @DistributedId
        Long id;
    }

    @Entity(name = "GeneratedPrimitiveInt")
    static class GeneratedPrimitiveInt {
        @Id
        @GeneratedValue
        @DistributedId
        int id;
    }

    @Entity(name = "GeneratedBigInteger")
    static class GeneratedBigInteger {
        @Id
        @GeneratedValue
        @DistributedId
        BigInteger id;
    }

    @Entity(name = "GeneratedString")
    static class GeneratedString {
        @Id
        @GeneratedValue
        @DistributedId
        String id;
    }

    @Entity(name = "GetterOfPrimitiveLong")
    static class GetterOfPrimitiveLong {
        private long id;

        @Id
        @DistributedId
        long getId() {
            return id;
        }

        void setId(long id) {
            this.id = id;
        }
    }

    @Entity(name = "GetterOfString")
    static class GetterOfString {
        private String id;

        @Id
        @DistributedId
        String getId() {
            return id;
        }

        void setId(String id) {
            this.id = id;
        }
    }

    @Entity(name = "GeneratedGetterOfInteger")
    static class GeneratedGetterOfInteger {
        private Integer id;

        @Id
        @GeneratedValue
        @DistributedId
        Integer getId() {
            return id;
        }

        void setId(Integer id) {
            this.id = id;
        }
    }

    @MappedSuperclass
    abstract static class Base {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "OfBase")
    static class OfBase extends Base {}

    @Entity(name = "AlsoOfBase")
    static class AlsoOfBase extends Base {}

    @MappedSuperclass
    abstract static class Generic<T> {
        @Id
        @DistributedId
        T id;
    }

    @Entity(name = "GenericLong")
    static class GenericLong extends Generic<Long> {}

    @Entity(name = "GenericInteger")
    static class GenericInteger extends Generic<Integer> {}

    @MappedSuperclass
    abstract static class GenericGetter<T extends Number> {
        private T id;

        @Id
        @DistributedId
        T getId() {
            return id;
        }

        void setId(T id) {
            this.id = id;
        }
    }

    @Entity(name = "GenericGetterLong")
    static class GenericGetterLong extends GenericGetter<Long> {}

    @Entity(name = "GenericGetterInteger")
    static class GenericGetterInteger extends GenericGetter<Integer> {}

    static Stream<Arguments> mappings() {
        return Stream.of(
                arguments(new OfPrimitiveLong(), 1L),
                arguments(new OfLong(), 1L),
                arguments(new OfPrimitiveInt(), 1),
                arguments(new OfInteger(), 1),
                arguments(new OfBigInteger(), BigInteger.ONE),
                arguments(new OfBigDecimal(), BigDecimal.ONE),
                arguments(new OfString(), "1"),
                arguments(new GeneratedLong(), 1L),
                arguments(new GeneratedPrimitiveInt(), 1),
                arguments(new GeneratedBigInteger(), BigInteger.ONE),
                arguments(new GeneratedString(), "1"),
                arguments(new GetterOfPrimitiveLong(), 1L),
                arguments(new GetterOfString(), "1"),
                arguments(new GeneratedGetterOfInteger(), 1),
                arguments(new OfBase(), 1L),
                arguments(new GenericLong(), 1L),
                arguments(new GenericInteger(), 1),
                arguments(new GenericGetterLong(), 1L),
                arguments(new GenericGetterInteger(), 1));
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void idHasTheTypeOfItsProperty(Object entity, Object expected) {
        try (SessionFactory factory = Unit.of(entity.getClass()).start()) {
            Unit.persist(factory, entity);

            assertThat(Unit.id(factory, entity)).isEqualTo(expected);
            Object read = factory.fromSession(session -> session.find(entity.getClass(), expected));
            assertThat(Unit.id(factory, read)).isEqualTo(expected);
        }
    }

    @Test
    void entitiesOfOneGenericSuperclassKeepTheirOwnTypes() {
        try (SessionFactory factory =
                Unit.of(GenericLong.class, GenericInteger.class).start()) {
            assertThat(Unit.persist(factory, new GenericLong()).id).isEqualTo(1L);
            assertThat(Unit.persist(factory, new GenericInteger()).id).isEqualTo(1);
        }
    }

    @Test
    void entitiesOfOneMappedSuperclassHaveTheirOwnSequences() {
        Unit unit = Unit.of(OfBase.class, AlsoOfBase.class);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new OfBase()).id).isEqualTo(1);
            assertThat(Unit.persist(factory, new AlsoOfBase()).id).isEqualTo(1);
            assertThat(unit.sequences()).containsExactly("AlsoOfBase", "OfBase");
        }
    }

    @Entity(name = "Album")
    @Table(name = "t_albums")
    static class Album {
        @Id
        @DistributedId
        Long id;
    }

    @Entity(name = "AlbumSummary")
    @Table(name = "t_albums")
    static class AlbumSummary {
        @Id
        @DistributedId
        Long id;
    }

    @Test
    void sequenceWithoutNameIsNamedAfterTheTable() {
        Unit unit = Unit.of(Album.class, OfLong.class);
        try (SessionFactory factory = unit.start()) {
            Unit.persist(factory, new Album());
            Unit.persist(factory, new OfLong());

            assertThat(unit.sequences()).containsExactly("OfLong", "t_albums");
        }
    }

    @Test
    void entitiesOnOneTableShareItsSequence() {
        Unit unit = Unit.of(Album.class, AlbumSummary.class);
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Album()).id)
                    .isNotEqualTo(Unit.persist(factory, new AlbumSummary()).id);
            assertThat(unit.sequences()).containsExactly("t_albums");
        }
    }

    @Entity(name = "Video")
    static class Video {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Test
    void entitiesThatNameOneSequenceNeverGetTheSameId() {
        Unit unit = Unit.of(Photo.class, Video.class);
        try (SessionFactory factory = unit.start()) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                ids.add(Unit.persist(factory, new Photo()).id);
                ids.add(Unit.persist(factory, new Video()).id);
            }

            assertThat(ids).doesNotHaveDuplicates();
            assertThat(unit.sequences()).containsExactly("photos");
        }
    }

    @Entity(name = "Tag")
    static class Tag {
        @Id
        @DistributedId(seq = "tags")
        Integer id;
    }

    @Test
    void sequenceOfAnIntegerEndsBeforeItOverflows() {
        Unit unit = Unit.of(Tag.class);
        unit.start().close();
        unit.count("tags", Integer.MAX_VALUE - 1);
        unit.with("hibernate.hbm2ddl.auto", "validate");
        try (SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Tag()).id).isEqualTo(Integer.MAX_VALUE);
            assertThatThrownBy(() -> Unit.persist(factory, new Tag()))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContainingAll("Tag.id", "allowed: up to 2147483647");
        }
    }
}
