package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.PrimaryKeyJoinColumn;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.hibernate.annotations.Any;
import org.hibernate.annotations.AnyDiscriminatorValue;
import org.hibernate.annotations.AnyKeyJavaClass;
import org.hibernate.annotations.AnyKeyJdbcTypeCode;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.Order;

/** Columns and JDBC types that are narrower than their property. The ids are those of Snowflake, which need 63 bits. */
@Order(11)
class WidthCases {

    private static Unit snowflake(Class<?>... entities) {
        return Unit.of(entities).with("distributedid.backend", "snowflake").with("distributedid.snowflake.worker", "1");
    }

    /** The row has the entity's id. */
    private static void check(Unit configured, Object entity, String column) {
        try (Unit unit = configured.start()) {
            unit.persist(entity);
            Object id = unit.factory().getPersistenceUnitUtil().getIdentifier(entity);
            assertThat(unit.query("SELECT CAST(" + column + " AS DECIMAL(38)) FROM "
                            + entity.getClass().getSimpleName()))
                    .containsExactly(id.toString());
        }
    }

    private static void check(Object entity) {
        check(snowflake(entity.getClass()), entity, "id");
    }

    @Entity(name = "OfInteger")
    static class OfInteger {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.INTEGER)
        Long id;
    }

    @Case("width: @JdbcTypeCode(INTEGER) on a Long")
    void integer() {
        check(new OfInteger());
    }

    @Case("width: @JdbcTypeCode(INTEGER) on a Long, ids of a counter")
    void integerOfCounter() {
        check(Unit.of(OfInteger.class), new OfInteger(), "id");
    }

    @Entity(name = "OfSmallint")
    static class OfSmallint {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.SMALLINT)
        Long id;
    }

    @Case("width: @JdbcTypeCode(SMALLINT) on a Long")
    void smallint() {
        check(new OfSmallint());
    }

    @Entity(name = "OfTinyint")
    static class OfTinyint {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.TINYINT)
        Long id;
    }

    @Case("width: @JdbcTypeCode(TINYINT) on a Long")
    void tinyint() {
        check(new OfTinyint());
    }

    @Entity(name = "OfDouble")
    static class OfDouble {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.DOUBLE)
        Long id;
    }

    @Case("width: @JdbcTypeCode(DOUBLE) on a Long")
    void ofDouble() {
        check(new OfDouble());
    }

    private static Unit ofDouble53(Class<?> entity) {
        return snowflake(entity).with("distributedid.snowflake.layout", "js53");
    }

    /** Hibernate makes it {@code float(19)}, which has 24 bits. */
    @Case("width: @JdbcTypeCode(DOUBLE) on a Long, ids of 53 bits, the column is a float(19)")
    void floatOf53Bits() {
        check(ofDouble53(OfDouble.class), new OfDouble(), "id");
    }

    @Entity(name = "OfPreciseDouble")
    static class OfPreciseDouble {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.DOUBLE)
        @Column(columnDefinition = "double precision")
        Long id;
    }

    @Case("width: @JdbcTypeCode(DOUBLE) on a Long, ids of 53 bits, the column is a double precision")
    void doubleOf53Bits() {
        check(ofDouble53(OfPreciseDouble.class), new OfPreciseDouble(), "id");
    }

    @Entity(name = "OfFloat")
    static class OfFloat {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.FLOAT)
        Long id;
    }

    @Case("width: @JdbcTypeCode(FLOAT) on a Long")
    void ofFloat() {
        check(new OfFloat());
    }

    @Entity(name = "OfReal")
    static class OfReal {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.REAL)
        Long id;
    }

    @Case("width: @JdbcTypeCode(REAL) on a Long")
    void real() {
        check(new OfReal());
    }

    @Entity(name = "OfDefinition")
    static class OfDefinition {
        @Id
        @DistributedId(seq = "ids")
        @Column(columnDefinition = "int")
        Long id;
    }

    @Case("width: columnDefinition = \"int\" on a Long")
    void definition() {
        check(new OfDefinition());
    }

    @Entity(name = "OfPrecision")
    static class OfPrecision {
        @Id
        @DistributedId(seq = "ids")
        @Column(precision = 12, scale = 2)
        BigDecimal id;
    }

    @Case("width: precision = 12, scale = 2 on a BigDecimal")
    void precision() {
        check(new OfPrecision());
    }

    @Entity(name = "OfText")
    static class OfText {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.VARCHAR)
        @Column(length = 10)
        Long id;
    }

    @Case("width: a Long in a text of 10 characters")
    void text() {
        check(new OfText());
    }

    @Embeddable
    record NarrowKey(
            @DistributedId(seq = "ids") @JdbcTypeCode(SqlTypes.INTEGER)
            Long id,

            Long userId) implements Serializable {}

    @Entity(name = "OfNarrowKey")
    static class OfNarrowKey {
        @EmbeddedId
        NarrowKey key = new NarrowKey(null, 7L);
    }

    @Case("width: @JdbcTypeCode(INTEGER) on a part of an @EmbeddedId")
    void keyPart() {
        try (Unit unit = snowflake(OfNarrowKey.class).start()) {
            OfNarrowKey entity = unit.persist(new OfNarrowKey());
            assertThat(unit.query("SELECT id FROM OfNarrowKey")).containsExactly(entity.key.id.toString());
        }
    }

    static class PairKey implements Serializable {

        private static final long serialVersionUID = 1L;

        Long id;

        Long userId;

        @Override
        public boolean equals(Object other) {
            return other instanceof PairKey key && Objects.equals(id, key.id) && Objects.equals(userId, key.userId);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, userId);
        }
    }

    @Entity(name = "OfPair")
    @IdClass(PairKey.class)
    static class OfPair {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.INTEGER)
        Long id;

        @Id
        Long userId = 7L;
    }

    @Case("width: @JdbcTypeCode(INTEGER) on a part of an @IdClass")
    void idClassPart() {
        try (Unit unit = snowflake(OfPair.class).start()) {
            OfPair entity = unit.persist(new OfPair());
            assertThat(unit.query("SELECT id FROM OfPair")).containsExactly(entity.id.toString());
        }
    }

    @Entity(name = "OfNumber")
    static class OfNumber {
        @Id
        Long id = 1L;

        @DistributedValue(seq = "numbers")
        @JdbcTypeCode(SqlTypes.INTEGER)
        Long number;
    }

    @Case("width: @JdbcTypeCode(INTEGER) on a column")
    void value() {
        try (Unit unit = snowflake(OfNumber.class).start()) {
            OfNumber entity = unit.persist(new OfNumber());
            assertThat(unit.query("SELECT number FROM OfNumber")).containsExactly(entity.number.toString());
        }
    }

    /** Drops half of the bits, as such a converter does. */
    @Converter
    static class ToInteger implements AttributeConverter<Long, Integer> {

        @Override
        public Integer convertToDatabaseColumn(Long value) {
            return value == null ? null : value.intValue();
        }

        @Override
        public Long convertToEntityAttribute(Integer value) {
            return value == null ? null : value.longValue();
        }
    }

    @Entity(name = "OfConverter")
    static class OfConverter {
        @Id
        Long id = 1L;

        @DistributedValue(seq = "numbers")
        @Convert(converter = ToInteger.class)
        Long number;
    }

    @Case("width: a converter from Long to Integer on a column")
    void converter() {
        try (Unit unit = snowflake(OfConverter.class).start()) {
            OfConverter entity = unit.persist(new OfConverter());
            assertThat(unit.query("SELECT number FROM OfConverter")).containsExactly(entity.number.toString());
        }
    }

    @Entity(name = "OfBigint")
    static class OfBigint {
        @Id
        @DistributedId(seq = "ids")
        @Column(columnDefinition = "bigint not null")
        Long id;
    }

    @Entity(name = "OfNumeric")
    static class OfNumeric {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.NUMERIC)
        Long id;
    }

    @Entity(name = "OfDecimal")
    static class OfDecimal {
        @Id
        @DistributedId(seq = "ids")
        @Column(precision = 20)
        BigInteger id;
    }

    @Entity(name = "OfVarchar")
    static class OfVarchar {
        @Id
        @DistributedId(seq = "ids")
        @JdbcTypeCode(SqlTypes.VARCHAR)
        @Column(length = 20)
        Long id;
    }

    @Entity(name = "OfUnknown")
    static class OfUnknown {
        @Id
        @DistributedId(seq = "ids")
        @Column(columnDefinition = "own_number")
        Long id;
    }

    @Case("width: columns that hold 63 bits: bigint, NUMERIC, precision = 20, VARCHAR(20)")
    void wide() {
        for (Object entity : List.of(new OfBigint(), new OfNumeric(), new OfDecimal(), new OfVarchar())) {
            check(entity);
        }
    }

    @Case("width: columnDefinition of a type that the library does not know")
    void unknown() {
        Unit unit = snowflake(OfUnknown.class);
        unit.execute("CREATE DOMAIN own_number AS BIGINT");
        unit.execute("CREATE TABLE OfUnknown (id own_number NOT NULL PRIMARY KEY)");
        check(unit.with("hibernate.hbm2ddl.auto", "none"), new OfUnknown(), "id");
    }

    @Entity(name = "OfLong")
    static class OfLong {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "OfReference")
    static class OfReference {
        @Id
        Long id = 1L;

        @ManyToOne
        @JoinColumn(columnDefinition = "int")
        OfLong target;
    }

    /** 6.6 makes the column a bigint all the same. */
    @Case("width: columnDefinition = \"int\" on a @JoinColumn")
    void reference() {
        try (Unit unit = snowflake(OfLong.class, OfReference.class).start()) {
            OfReference reference = new OfReference();
            reference.target = new OfLong();
            unit.factory().inTransaction(session -> {
                session.persist(reference.target);
                session.persist(reference);
            });
            assertThat(unit.query("SELECT target_id FROM OfReference")).containsExactly(reference.target.id.toString());
        }
    }

    @Entity(name = "OfSet")
    static class OfSet {
        @Id
        @DistributedId(seq = "ids")
        Long id;

        @ElementCollection
        @CollectionTable(name = "OfSet_names", joinColumns = @JoinColumn(columnDefinition = "int"))
        Set<String> names = Set.of("name");
    }

    @Case("width: columnDefinition = \"int\" on the @JoinColumn of a collection")
    void collection() {
        try (Unit unit = snowflake(OfSet.class).start()) {
            OfSet entity = unit.persist(new OfSet());
            assertThat(unit.query("SELECT OfSet_id FROM OfSet_names")).containsExactly(entity.id.toString());
        }
    }

    @Entity(name = "Joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Joined {
        @Id
        @DistributedId(seq = "ids")
        Long id;
    }

    @Entity(name = "JoinedLeaf")
    @PrimaryKeyJoinColumn(columnDefinition = "int")
    static class JoinedLeaf extends Joined {}

    @Case("width: columnDefinition = \"int\" on a @PrimaryKeyJoinColumn")
    void joined() {
        try (Unit unit = snowflake(Joined.class, JoinedLeaf.class).start()) {
            JoinedLeaf entity = unit.persist(new JoinedLeaf());
            assertThat(unit.query("SELECT id FROM JoinedLeaf")).containsExactly(entity.id.toString());
        }
    }

    @Entity(name = "OfAny")
    static class OfAny {
        @Id
        Long id = 1L;

        @Any
        @AnyDiscriminatorValue(discriminator = "L", entity = OfLong.class)
        @AnyKeyJavaClass(Long.class)
        @AnyKeyJdbcTypeCode(SqlTypes.INTEGER)
        @Column(name = "kind")
        @JoinColumn(name = "target_id")
        Object target;
    }

    @Case("width: @AnyKeyJdbcTypeCode(INTEGER) on an @Any")
    void any() {
        try (Unit unit = snowflake(OfLong.class, OfAny.class).start()) {
            OfAny reference = new OfAny();
            OfLong target = new OfLong();
            reference.target = target;
            unit.factory().inTransaction(session -> {
                session.persist(target);
                session.persist(reference);
            });
            assertThat(unit.query("SELECT target_id FROM OfAny")).containsExactly(target.id.toString());
        }
    }

    @Entity(name = "OfTypedReference")
    static class OfTypedReference {
        @Id
        Long id = 1L;

        @ManyToOne
        @JdbcTypeCode(SqlTypes.INTEGER)
        OfLong target;
    }

    @Case("width: @JdbcTypeCode(INTEGER) on an association, which Hibernate ignores")
    void typedReference() {
        try (Unit unit = snowflake(OfLong.class, OfTypedReference.class).start()) {
            OfTypedReference reference = new OfTypedReference();
            reference.target = new OfLong();
            unit.factory().inTransaction(session -> {
                session.persist(reference.target);
                session.persist(reference);
            });
            assertThat(unit.query("SELECT target_id FROM OfTypedReference"))
                    .containsExactly(reference.target.id.toString());
        }
    }
}
