package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdsExhaustedException;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Which sequence an annotated property uses; how it may be mapped is in the matrix. */
class MappingTest {

    @Entity(name = "OfLong")
    static class OfLong {
        @Id
        @DistributedId
        Long id;
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

    @Entity(name = "Ticket")
    static class Ticket {
        @Id
        @DistributedId(seq = "tickets")
        @Column(columnDefinition = "int")
        Long id;

        @DistributedValue(seq = "tickets")
        Long number;
    }

    @Test
    void oneSequenceForAColumnAndANarrowerOneIsRefused() {
        assertThat(BootErrorTest.refusal(Unit.of(Ticket.class)))
                .startsWith("All properties of a sequence must have the same width: seq=tickets ")
                .contains("Ticket.id, column type int up to 2147483647, ", "Ticket.number up to 9223372036854775807. ");
    }

    @Entity(name = "Coupon")
    static class Coupon {
        @Id
        @DistributedId(seq = "coupons")
        @Column(columnDefinition = "coupon_number")
        Long id;
    }

    @Test
    void aColumnOfATypeThatIsNotKnownIsLogged() {
        Unit unit = Unit.of(Coupon.class);
        unit.execute("CREATE DOMAIN coupon_number AS BIGINT");
        try (LogRecorder log = new LogRecorder();
                SessionFactory factory = unit.start()) {
            assertThat(Unit.persist(factory, new Coupon()).id).isEqualTo(1);
            assertThat(log.text())
                    .contains("The type of a column is unknown. Make sure that the column can hold the ids:"
                            + " io.distributedid.it.MappingTest$Coupon.id (seq=coupons) column id coupon_number");
        }
    }
}
