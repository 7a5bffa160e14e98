package io.distributedid.matrix;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.matrix.CompositeCases.Key;
import jakarta.persistence.Access;
import jakarta.persistence.AccessType;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Transient;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.CollectionId;
import org.hibernate.annotations.CollectionIdJdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Order;

/** Annotations that would have no effect: each is refused at start. */
@Order(8)
class BootCases {

    private static void refused(Class<?>... entities) {
        try (Unit unit = Unit.of(entities).start()) {
            throw new AssertionError("started: " + unit.url());
        }
    }

    @MappedSuperclass
    static class Base {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "OnColumn")
    static class OnColumn extends Base {
        @DistributedId(seq = "numbers")
        Long number;
    }

    @Case("start: @DistributedId on a column that is no id")
    void onColumn() {
        refused(OnColumn.class);
    }

    @Entity(name = "ValueOnId")
    static class ValueOnId {
        @Id
        @DistributedValue(seq = "ids")
        Long id;
    }

    @Case("start: @DistributedValue on an id")
    void valueOnId() {
        refused(ValueOnId.class);
    }

    @Entity(name = "OnTransient")
    static class OnTransient extends Base {
        @Transient
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Case("start: on a field that is @Transient")
    void onTransient() {
        refused(OnTransient.class);
    }

    @Entity(name = "OnStatic")
    static class OnStatic extends Base {
        @DistributedValue(seq = "numbers")
        static Long number;
    }

    @Case("start: on a static field")
    void onStatic() {
        refused(OnStatic.class);
    }

    @Entity(name = "OnFieldOfGetter")
    @Access(AccessType.PROPERTY)
    static class OnFieldOfGetter {
        @DistributedId(seq = "ids")
        private Long id;

        @Id
        Long getId() {
            return id;
        }

        void setId(Long id) {
            this.id = id;
        }
    }

    @Case("start: on a field whose getter is mapped")
    void onFieldOfGetter() {
        refused(OnFieldOfGetter.class);
    }

    @Entity(name = "OnGetterOfField")
    static class OnGetterOfField {
        @Id
        private Long id;

        @DistributedId(seq = "ids")
        Long getId() {
            return id;
        }
    }

    @Case("start: on a getter whose field is mapped")
    void onGetterOfField() {
        refused(OnGetterOfField.class);
    }

    @Entity(name = "OnCollection")
    static class OnCollection extends Base {
        @ElementCollection
        @CollectionId(column = @Column(name = "row_id"), generator = "increment")
        @CollectionIdJdbcTypeCode(SqlTypes.BIGINT)
        @DistributedId(seq = "rows")
        List<String> all = new ArrayList<>();
    }

    @Case("start: @CollectionId")
    void onCollection() {
        refused(OnCollection.class);
    }

    @Entity(name = "OnAssociation")
    static class OnAssociation extends Base {
        @OneToOne
        @DistributedId(seq = "others")
        Wide other;
    }

    @Case("start: on an association")
    void onAssociation() {
        refused(OnAssociation.class, Wide.class);
    }

    @Entity(name = "OnlyIdClass")
    @IdClass(Key.class)
    static class OnlyIdClass {
        @Id
        Long id;

        @Id
        Long userId = 7L;
    }

    @Case("start: on the @IdClass only")
    void onlyIdClass() {
        refused(OnlyIdClass.class);
    }

    @Entity(name = "OnlyEmbedded")
    static class OnlyEmbedded {
        @Id
        Long own;

        @Embedded
        Key key;
    }

    @Case("start: @DistributedId in an embedded object that is nowhere an id")
    void onlyEmbedded() {
        refused(OnlyEmbedded.class);
    }

    @Embeddable
    record Outer(@Embedded Key inner, Long more) implements Serializable {}

    @Entity(name = "OfNested")
    static class OfNested {
        @EmbeddedId
        Outer key;
    }

    @Case("start: in an embedded object within an @EmbeddedId")
    void nested() {
        refused(OfNested.class);
    }

    @Embeddable
    record ValueKey(@DistributedValue(seq = "ids") Long id, Long userId) implements Serializable {}

    @Entity(name = "OfValueKey")
    static class OfValueKey {
        @EmbeddedId
        ValueKey key;
    }

    @Case("start: @DistributedValue in an @EmbeddedId")
    void valueKey() {
        refused(OfValueKey.class);
    }

    @Entity(name = "Narrow")
    static class Narrow {
        @Id
        @DistributedId(seq = "ids")
        Integer id;
    }

    @Entity(name = "Wide")
    static class Wide extends Base {}

    @Case("start: one sequence for Integer and Long")
    void twoWidths() {
        refused(Narrow.class, Wide.class);
    }

    @Entity(name = "ShortNumber")
    static class ShortNumber extends Base {
        @DistributedValue(seq = "numbers")
        Short number;
    }

    @Case("start: a column of type Short")
    void shortNumber() {
        refused(ShortNumber.class);
    }
}
