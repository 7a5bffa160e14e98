package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;
import org.junit.jupiter.api.Order;

/** Types of an id of one column, and where it is declared. */
@Order(1)
class IdCases {

    static void check(Object entity, Object first) {
        try (Unit unit = Unit.of(entity.getClass()).start()) {
            check(unit, entity, first);
        }
    }

    private static void check(Unit unit, Object entity, Object first) {
        unit.persist(entity);
        assertThat(unit.factory().getPersistenceUnitUtil().getIdentifier(entity))
                .isEqualTo(first);
        assertThat((Object) unit.factory().fromSession(session -> session.find(entity.getClass(), first)))
                .isNotNull();
        unit.requireRows(
                entity.getClass().getSimpleName(), "id", entity.getClass().getSimpleName());
    }

    @Entity(name = "PrimitiveLong")
    static class PrimitiveLong {
        @Id
        @DistributedId
        long id;
    }

    @Case("id: long")
    void primitiveLong() {
        check(new PrimitiveLong(), 101L);
    }

    @Entity(name = "BoxedLong")
    static class BoxedLong {
        @Id
        @DistributedId
        Long id;
    }

    @Case("id: Long")
    void boxedLong() {
        check(new BoxedLong(), 101L);
    }

    @Entity(name = "PrimitiveInt")
    static class PrimitiveInt {
        @Id
        @DistributedId
        int id;
    }

    @Case("id: int")
    void primitiveInt() {
        check(new PrimitiveInt(), 101);
    }

    @Entity(name = "BoxedInteger")
    static class BoxedInteger {
        @Id
        @DistributedId
        Integer id;
    }

    @Case("id: Integer")
    void boxedInteger() {
        check(new BoxedInteger(), 101);
    }

    @Entity(name = "OfBigInteger")
    static class OfBigInteger {
        @Id
        @DistributedId
        BigInteger id;
    }

    @Case("id: BigInteger")
    void bigInteger() {
        check(new OfBigInteger(), BigInteger.valueOf(101));
    }

    @Entity(name = "OfBigDecimal")
    static class OfBigDecimal {
        @Id
        @DistributedId
        @Column(precision = 19, scale = 0)
        BigDecimal id;
    }

    @Case("id: BigDecimal")
    void bigDecimal() {
        check(new OfBigDecimal(), BigDecimal.valueOf(101));
    }

    @Entity(name = "OfString")
    static class OfString {
        @Id
        @DistributedId
        String id;
    }

    @Case("id: String")
    void string() {
        check(new OfString(), "101");
    }

    @Entity(name = "OfUuid")
    static class OfUuid {
        @Id
        @DistributedId
        UUID id;
    }

    @Case("id: UUID")
    void uuid() {
        check(new OfUuid(), new UUID(0, 101));
    }

    @Entity(name = "OfGetter")
    static class OfGetter {
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

    @Case("id: on the getter")
    void getter() {
        check(new OfGetter(), 101L);
    }

    @Entity(name = "WithGeneratedValue")
    static class WithGeneratedValue {
        @Id
        @GeneratedValue
        @DistributedId
        Long id;
    }

    @Case("id: @GeneratedValue beside it")
    void generatedValue() {
        check(new WithGeneratedValue(), 101L);
    }

    /** A type of the application. */
    public record PhotoNumber(long value) implements Serializable {}

    @Converter(autoApply = true)
    public static class PhotoNumberConverter implements AttributeConverter<PhotoNumber, Long> {

        @Override
        public Long convertToDatabaseColumn(PhotoNumber number) {
            return number == null ? null : number.value;
        }

        @Override
        public PhotoNumber convertToEntityAttribute(Long column) {
            return column == null ? null : new PhotoNumber(column);
        }
    }

    @Entity(name = "AutoConverted")
    static class AutoConverted {
        @Id
        @DistributedId
        PhotoNumber id;
    }

    @Case("id: own type, converter with autoApply")
    void autoConverted() {
        Unit unit = Unit.of(AutoConverted.class).withConverter(PhotoNumberConverter.class);
        try (unit) {
            check(unit.start(), new AutoConverted(), new PhotoNumber(101));
        }
    }

    @Entity(name = "Converted")
    static class Converted {
        @Id
        @DistributedId
        @Convert(converter = PhotoNumberConverter.class)
        PhotoNumber id;
    }

    @Case("id: own type, @Convert")
    void converted() {
        check(new Converted(), new PhotoNumber(101));
    }

    @MappedSuperclass
    static class Generic<T> {
        @Id
        @DistributedId
        T id;
    }

    @Entity(name = "OfGeneric")
    static class OfGeneric extends Generic<Integer> {}

    @Case("id: in a generic mapped superclass")
    void generic() {
        check(new OfGeneric(), 101);
    }

    @MappedSuperclass
    static class GenericGetter<T extends Number> {
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

    @Entity(name = "OfGenericGetter")
    static class OfGenericGetter extends GenericGetter<Long> {}

    @Case("id: on the getter of a generic mapped superclass")
    void genericGetter() {
        check(new OfGenericGetter(), 101L);
    }
}
