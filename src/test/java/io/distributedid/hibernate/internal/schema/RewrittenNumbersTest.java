package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.Type;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.LongJavaType;
import org.hibernate.usertype.UserType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that the application writes itself: SQL knows the order of their values only if they are the numbers. */
class RewrittenNumbersTest {

    private static final String URL = "jdbc:h2:mem:rewritten;DB_CLOSE_DELAY=-1";

    private static final String CONVERTER = "an AttributeConverter writes its values";

    private abstract static class Converter<T, R> implements AttributeConverter<T, R> {

        private final Function<T, R> write;

        private final Function<R, T> read;

        Converter(Function<T, R> write, Function<R, T> read) {
            this.write = write;
            this.read = read;
        }

        @Override
        public R convertToDatabaseColumn(T number) {
            return number == null ? null : write.apply(number);
        }

        @Override
        public T convertToEntityAttribute(R value) {
            return value == null ? null : read.apply(value);
        }
    }

    static final class Negated extends Converter<Long, Long> {
        Negated() {
            super(number -> -number, value -> -value);
        }
    }

    static final class Hex extends Converter<Long, String> {
        Hex() {
            super(Long::toHexString, text -> Long.parseLong(text, 16));
        }
    }

    record Code(long value) {}

    /** Where a converter may not write large numbers. */
    static final class Digits extends Converter<Long, String> {
        Digits() {
            super(number -> Integer.toString(Math.toIntExact(number)), Long::valueOf);
        }
    }

    static final class Decimal extends Converter<Long, BigDecimal> {
        Decimal() {
            super(number -> new BigDecimal(number + ".00"), BigDecimal::longValueExact);
        }
    }

    static final class CodeDigits extends Converter<Code, String> {
        CodeDigits() {
            super(code -> Long.toString(code.value()), text -> new Code(Long.parseLong(text)));
        }
    }

    static final class NegatedLong extends LongJavaType {

        private static final long serialVersionUID = 1L;

        @Override
        public <X> X unwrap(Long value, Class<X> type, WrapperOptions options) {
            return super.unwrap(value == null ? null : -value, type, options);
        }

        @Override
        public <X> Long wrap(X value, WrapperOptions options) {
            Long number = super.wrap(value, options);
            return number == null ? null : -number;
        }
    }

    static final class NegatedType implements UserType<Long> {

        @Override
        public int getSqlType() {
            return Types.BIGINT;
        }

        @Override
        public Class<Long> returnedClass() {
            return Long.class;
        }

        @Override
        public boolean equals(Long first, Long second) {
            return Objects.equals(first, second);
        }

        @Override
        public int hashCode(Long number) {
            return number.hashCode();
        }

        @Override
        public Long nullSafeGet(ResultSet row, int position, SharedSessionContractImplementor session, Object owner)
                throws SQLException {
            long value = row.getLong(position);
            return row.wasNull() ? null : -value;
        }

        @Override
        public void nullSafeSet(
                PreparedStatement statement, Long number, int index, SharedSessionContractImplementor session)
                throws SQLException {
            statement.setObject(index, number == null ? null : -number, Types.BIGINT);
        }

        @Override
        public Long deepCopy(Long number) {
            return number;
        }

        @Override
        public boolean isMutable() {
            return false;
        }

        @Override
        public Serializable disassemble(Long number) {
            return number;
        }

        @Override
        public Long assemble(Serializable cached, Object owner) {
            return (Long) cached;
        }
    }

    @Entity(name = "OfNegated")
    static class OfNegated {
        @Id
        Long id;

        @Convert(converter = Negated.class)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfHex")
    static class OfHex {
        @Id
        Long id;

        @Convert(converter = Hex.class)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfExpression")
    static class OfExpression {
        @Id
        Long id;

        @ColumnTransformer(write = "0 - ?")
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfJavaType")
    static class OfJavaType {
        @Id
        Long id;

        @JavaType(NegatedLong.class)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfUserType")
    static class OfUserType {
        @Id
        Long id;

        @Type(NegatedType.class)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfDigits")
    static class OfDigits {
        @Id
        Long id;

        @Convert(converter = Digits.class)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfDecimal")
    static class OfDecimal {
        @Id
        Long id;

        @Convert(converter = Decimal.class)
        @Column(precision = 21, scale = 2)
        @DistributedValue(seq = "numbers")
        Long number;
    }

    @Entity(name = "OfCodeDigits")
    static class OfCodeDigits {
        @Id
        Long id;

        @Convert(converter = CodeDigits.class)
        @DistributedValue(seq = "numbers")
        Code number;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("rewritten");
    }

    private static SessionFactory start(Class<?> entity, String mode) {
        return new Configuration()
                .addAnnotatedClass(entity)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.existing_ids", mode)
                .buildSessionFactory();
    }

    private static void create(Class<?> entity, String type, String... values) throws SQLException {
        DatabaseRows.execute(
                URL,
                "CREATE TABLE " + entity.getSimpleName() + " (id BIGINT AUTO_INCREMENT PRIMARY KEY, number " + type
                        + ")");
        for (String value : values) {
            DatabaseRows.execute(URL, "INSERT INTO " + entity.getSimpleName() + " (number) VALUES ('" + value + "')");
        }
    }

    private static void warnsOf(Class<?> entity, String reason) {
        assertThat(warningOf(entity, "refuse")).contains(", because " + reason + ", which SQL can't compare. ");
    }

    private static String warningOf(Class<?> entity, String mode) {
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdsCheck.class)) {
            start(entity, mode).close();
            assertThat(warnings.messages()).hasSize(1);
            return warnings.messages().get(0);
        }
    }

    @Test
    void otherNumbersOfAConverterAreNotCompared() throws SQLException {
        create(OfNegated.class, "BIGINT", "-1", "-2", "-3");
        for (String mode : List.of("refuse", "raise")) {
            assertThat(warningOf(OfNegated.class, mode))
                    .isEqualTo(OfNegated.class.getName() + ".number (seq=numbers) is not compared with the ids that"
                            + " exist: table=OfNegated column=number, because " + CONVERTER + ", which SQL can't"
                            + " compare. If the sequence lies below them, it issues ids twice. Find the largest number"
                            + " that a value of the column stands for, and raise the sequence above it: distributedid"
                            + " raise numbers --above NUMBER. To end this warning, set"
                            + " distributedid.seq.numbers.existing_ids=ignore" + Pages.onCall("not-compared"));
        }
    }

    /** The largest text of digits is 19, that is 25, and 1a is 26. */
    @Test
    void otherTextsOfAConverterAreNotCompared() throws SQLException {
        create(OfHex.class, "VARCHAR(40)", "9", "19", "1a");
        warnsOf(OfHex.class, CONVERTER);
    }

    @Test
    void valuesOfAnExpressionAreNotCompared() throws SQLException {
        create(OfExpression.class, "BIGINT", "-1", "-2", "-3");
        warnsOf(OfExpression.class, "@ColumnTransformer(write) writes its values");
    }

    @Test
    void valuesOfAJavaTypeForABasicTypeAreNotCompared() throws SQLException {
        create(OfJavaType.class, "BIGINT", "-1", "-2", "-3");
        warnsOf(OfJavaType.class, "a JavaType writes its values");
    }

    @Test
    void valuesOfAUserTypeAreNotCompared() throws SQLException {
        create(OfUserType.class, "BIGINT", "-1", "-2", "-3");
        warnsOf(OfUserType.class, "a UserType writes its values");
    }

    private static void isCompared(Class<?> entity) {
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdsCheck.class)) {
            assertThatThrownBy(() -> start(entity, "refuse").close())
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("there is an id 10 already");
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfDigits.class, OfCodeDigits.class})
    void digitsOfAConverterAreCompared(Class<?> entity) throws SQLException {
        create(entity, "VARCHAR(40)", "9", "10");
        isCompared(entity);
    }

    @Test
    void numbersThatAConverterKeepsAreCompared() throws SQLException {
        create(OfDecimal.class, "NUMERIC(21, 2)", "9", "10");
        isCompared(OfDecimal.class);
    }
}
