package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.PrePersist;
import java.util.function.Function;
import org.junit.jupiter.api.Order;

/** A {@code @PrePersist} that sets the id: the entity and its row never have two ids. */
@Order(11)
class CallbackCases {

    @Entity(name = "Called")
    static class Strict {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @PrePersist
        void set() {
            id = 777L;
        }
    }

    @Entity(name = "Called")
    static class Open {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id;

        @PrePersist
        void set() {
            id = 777L;
        }
    }

    @Entity(name = "Called")
    static class OfKey {
        @EmbeddedId
        AssignedCases.Key key = new AssignedCases.Key(null, 7L);

        @PrePersist
        void set() {
            key = new AssignedCases.Key(777L, 7L);
        }
    }

    @Entity(name = "Called")
    @IdClass(AssignedCases.Key.class)
    static class OfIdClass {
        @Id
        @DistributedId(seq = "ids", assigned = true)
        Long id;

        @Id
        Long userId = 7L;

        @PrePersist
        void set() {
            id = 777L;
        }
    }

    private static <T> void requireOne(Unit unit, T entity, Function<T, Long> id) {
        assertThat(unit.query("SELECT id FROM Called")).containsExactly(String.valueOf(id.apply(entity)));
    }

    private static <T> void insert(T entity, Function<T, Long> id) {
        try (Unit unit = Unit.of(entity.getClass()).start()) {
            unit.insert(entity);
            requireOne(unit, entity, id);
        }
    }

    private static <T> void persist(T entity, Function<T, Long> id) {
        try (Unit unit = Unit.of(entity.getClass()).start()) {
            unit.persist(entity);
            requireOne(unit, entity, id);
        }
    }

    @Case("@PrePersist sets the id: persist")
    void persistStrict() {
        persist(new Strict(), entity -> entity.id);
    }

    @Case("@PrePersist sets the id: merge")
    void mergeStrict() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            requireOne(unit, unit.merge(new Strict()), entity -> entity.id);
        }
    }

    @Case("@PrePersist sets the id: StatelessSession.insert")
    void insertStrict() {
        insert(new Strict(), entity -> entity.id);
    }

    @Case("@PrePersist sets the id: StatelessSession.insertMultiple")
    void insertMultiple() {
        try (Unit unit = Unit.of(Strict.class).start()) {
            Strict strict = new Strict();
            unit.insertMultiple(strict);
            requireOne(unit, strict, entity -> entity.id);
        }
    }

    @Case("@PrePersist sets the id, assigned = true: persist")
    void persistOpen() {
        persist(new Open(), entity -> entity.id);
    }

    @Case("@PrePersist sets the id, assigned = true: StatelessSession.insert")
    void insertOpen() {
        insert(new Open(), entity -> entity.id);
    }

    @Case("@PrePersist sets the id, assigned = true: part of an @EmbeddedId, persist")
    void persistKey() {
        persist(new OfKey(), entity -> entity.key.id());
    }

    @Case("@PrePersist sets the id, assigned = true: part of an @EmbeddedId, StatelessSession.insert")
    void insertKey() {
        insert(new OfKey(), entity -> entity.key.id());
    }

    @Case("@PrePersist sets the id, assigned = true: part of an @IdClass, persist")
    void persistIdClass() {
        persist(new OfIdClass(), entity -> entity.id);
    }

    @Case("@PrePersist sets the id, assigned = true: part of an @IdClass, StatelessSession.insert")
    void insertIdClass() {
        insert(new OfIdClass(), entity -> entity.id);
    }
}
