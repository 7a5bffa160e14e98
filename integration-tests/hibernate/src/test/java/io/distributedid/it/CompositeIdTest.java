package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import java.io.Serializable;
import java.util.Objects;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** An annotated property that is one part of the key, or the key of another entity. */
class CompositeIdTest {

    @Embeddable
    static class Key implements Serializable {

        private static final long serialVersionUID = 1L;

        @DistributedId(seq = "photos")
        Long id;

        Long owner;

        Key() {}

        Key(Long id, Long owner) {
            this.id = id;
            this.owner = owner;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Objects.equals(id, key.id) && Objects.equals(owner, key.owner);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, owner);
        }
    }

    @Entity(name = "EmbeddingKey")
    static class EmbeddingKey {
        @EmbeddedId
        Key key = new Key(null, 7L);
    }

    @Test
    void embeddedId() {
        try (SessionFactory factory = Unit.of(EmbeddingKey.class).start()) {
            EmbeddingKey entity = Unit.persist(factory, new EmbeddingKey());

            assertThat(entity.key).isEqualTo(new Key(1L, 7L));
            assertThat(factory.<EmbeddingKey>fromSession(session -> session.find(EmbeddingKey.class, entity.key)))
                    .isNotNull();
        }
    }

    @Entity(name = "SpreadingKey")
    @IdClass(Key.class)
    static class SpreadingKey {
        @Id
        @DistributedId(seq = "photos")
        Long id;

        @Id
        Long owner = 7L;
    }

    @Test
    void idClass() {
        try (SessionFactory factory = Unit.of(SpreadingKey.class).start()) {
            SpreadingKey entity = Unit.persist(factory, new SpreadingKey());

            assertThat(entity.id).isEqualTo(1);
            assertThat(factory.<SpreadingKey>fromSession(session -> session.find(SpreadingKey.class, new Key(1L, 7L))))
                    .isNotNull();
        }
    }

    @Entity(name = "PhotoDetails")
    static class PhotoDetails {
        @Id
        Long id;

        @MapsId
        @OneToOne(cascade = CascadeType.PERSIST)
        Photo photo = new Photo();
    }

    @Test
    void mapsId() {
        try (SessionFactory factory = Unit.of(Photo.class, PhotoDetails.class).start()) {
            PhotoDetails details = Unit.persist(factory, new PhotoDetails());

            assertThat(details.id).isEqualTo(1).isEqualTo(details.photo.id);
        }
    }
}
