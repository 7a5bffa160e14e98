package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import java.io.Serializable;
import java.util.Objects;
import org.junit.jupiter.api.Order;

/** Ids of several columns, and ids that are those of another entity. */
@Order(3)
class CompositeCases {

    @Embeddable
    static class Key implements Serializable {

        private static final long serialVersionUID = 1L;

        @DistributedId(seq = "ids")
        Long id;

        Long userId;

        Key() {}

        Key(Long id, Long userId) {
            this.id = id;
            this.userId = userId;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Objects.equals(id, key.id) && Objects.equals(userId, key.userId);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, userId);
        }
    }

    @Entity(name = "OfKey")
    static class OfKey {
        @EmbeddedId
        Key key = new Key(null, 7L);

        @DistributedValue(seq = "numbers")
        Long number;
    }

    private static void check(Unit unit, String table) {
        unit.requireRows(table, "id", "ids");
        assertThat(unit.query("SELECT userId FROM " + table)).containsOnly("7");
    }

    @Case("composite: @EmbeddedId class, with another generated column")
    void embeddedId() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            OfKey entity = unit.persist(new OfKey());
            assertThat(entity.key).isEqualTo(new Key(101L, 7L));
            check(unit, "OfKey");
            unit.requireRows("OfKey", "number", "numbers");
        }
    }

    @Case("composite: @EmbeddedId class, StatelessSession.insert")
    void embeddedIdStateless() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            unit.insert(new OfKey());
            check(unit, "OfKey");
            unit.requireRows("OfKey", "number", "numbers");
        }
    }

    @Case("composite: @EmbeddedId class, merge")
    void embeddedIdMerge() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            unit.merge(new OfKey());
            check(unit, "OfKey");
        }
    }

    @Case("composite: @EmbeddedId class, its other part set after construction")
    void embeddedIdSetLater() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            OfKey entity = new OfKey();
            entity.key = new Key(null, 8L);
            unit.persist(entity);
            unit.requireRows("OfKey", "id", "ids");
        }
    }

    @Case("composite: part has an id, persist")
    void presetPart() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            OfKey entity = new OfKey();
            entity.key = new Key(5L, 7L);
            unit.persist(entity);
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfKey"));
        }
    }

    @Case("composite: part has an id, StatelessSession.insert")
    void presetPartStateless() {
        try (Unit unit = Unit.of(OfKey.class).start()) {
            OfKey entity = new OfKey();
            entity.key = new Key(5L, 7L);
            unit.insert(entity);
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfKey"));
        }
    }

    @Embeddable
    record RecordKey(@DistributedId(seq = "ids") Long id, Long userId) implements Serializable {}

    @Entity(name = "OfRecord")
    static class OfRecord {
        @EmbeddedId
        RecordKey key = new RecordKey(null, 7L);
    }

    @Case("composite: @EmbeddedId record")
    void embeddedRecord() {
        try (Unit unit = Unit.of(OfRecord.class).start()) {
            assertThat(unit.persist(new OfRecord()).key).isEqualTo(new RecordKey(101L, 7L));
            check(unit, "OfRecord");
        }
    }

    @Embeddable
    record Twice(
            @DistributedId(seq = "ids") Long id,
            @DistributedId(seq = "numbers") Long number) implements Serializable {}

    @Entity(name = "OfTwice")
    static class OfTwice {
        @EmbeddedId
        Twice key = new Twice(null, null);
    }

    @Case("composite: two generated parts")
    void twoParts() {
        try (Unit unit = Unit.of(OfTwice.class).start()) {
            unit.persist(new OfTwice());
            unit.requireRows("OfTwice", "id", "ids");
            unit.requireRows("OfTwice", "number", "numbers");
        }
    }

    /** Beside the entity's own properties. */
    record Spread(Long id, Long userId) implements Serializable {}

    @Entity(name = "OfIdClass")
    @IdClass(Key.class)
    static class OfIdClass {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Id
        Long userId = 7L;

        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("composite: @IdClass, with another generated column")
    void idClass() {
        try (Unit unit = Unit.of(OfIdClass.class).start()) {
            assertThat(unit.persist(new OfIdClass()).id).isEqualTo(101);
            check(unit, "OfIdClass");
            unit.requireRows("OfIdClass", "number", "numbers");
        }
    }

    @Case("composite: @IdClass, StatelessSession.insert")
    void idClassStateless() {
        try (Unit unit = Unit.of(OfIdClass.class).start()) {
            unit.insert(new OfIdClass());
            check(unit, "OfIdClass");
            unit.requireRows("OfIdClass", "number", "numbers");
        }
    }

    @Case("composite: @IdClass, part has an id, persist")
    void idClassPreset() {
        try (Unit unit = Unit.of(OfIdClass.class).start()) {
            OfIdClass entity = new OfIdClass();
            entity.id = 5L;
            unit.persist(entity);
            throw new AssertionError("stored as " + unit.query("SELECT id FROM OfIdClass"));
        }
    }

    @Entity(name = "OfIdRecord")
    @IdClass(Spread.class)
    static class OfIdRecord {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @Id
        Long userId = 7L;
    }

    @Case("composite: @IdClass record")
    void idRecord() {
        try (Unit unit = Unit.of(OfIdRecord.class).start()) {
            unit.persist(new OfIdRecord());
            check(unit, "OfIdRecord");
        }
    }

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "Details")
    static class Details {
        @Id
        Long id;

        @MapsId
        @OneToOne(cascade = CascadeType.PERSIST)
        Photo photo = new Photo();
    }

    @Case("composite: @MapsId, the id of another entity")
    void mapsId() {
        try (Unit unit = Unit.of(Photo.class, Details.class).start()) {
            unit.persist(new Details());
            unit.requireRows("Photo", "id", "ids");
            unit.requireRows("Details", "photo_id", "ids");
        }
    }

    @Entity(name = "Comment")
    static class Comment {
        @EmbeddedId
        CommentKey key = new CommentKey();

        @MapsId("photoId")
        @ManyToOne
        Photo photo;
    }

    @Embeddable
    static class CommentKey implements Serializable {

        private static final long serialVersionUID = 1L;

        @DistributedId(seq = "comments")
        Long id;

        Long photoId;

        @Override
        public boolean equals(Object other) {
            return other instanceof CommentKey key
                    && Objects.equals(id, key.id)
                    && Objects.equals(photoId, key.photoId);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, photoId);
        }
    }

    @Case("composite: @MapsId beside a generated part")
    void mapsPart() {
        try (Unit unit = Unit.of(Photo.class, Comment.class).start()) {
            Comment comment = new Comment();
            comment.photo = new Photo();
            unit.factory().inTransaction(session -> {
                session.persist(comment.photo);
                session.persist(comment);
            });
            unit.requireRows("Comment", "id", "comments");
            unit.requireRows("Comment", "photo_id", "ids");
        }
    }

    @Entity(name = "Referring")
    static class Referring {
        @Id
        @DistributedId(seq = "referring")
        Long id;

        @Embedded
        @AttributeOverride(name = "id", column = @Column(name = "key_id"))
        Key of;

        @Embedded
        @AttributeOverride(name = "id", column = @Column(name = "record_id"))
        @AttributeOverride(name = "userId", column = @Column(name = "record_user"))
        RecordKey ofRecord = new RecordKey(null, 7L);
    }

    @Case("composite: key embedded elsewhere as a reference is left alone")
    void reference() {
        try (Unit unit = Unit.of(OfKey.class, OfRecord.class, Referring.class).start()) {
            unit.persist(new Referring());
            assertThat(unit.query("SELECT key_id FROM Referring")).containsExactly((String) null);
            assertThat(MemoryBackend.given("ids")).isEmpty();
        }
    }
}
