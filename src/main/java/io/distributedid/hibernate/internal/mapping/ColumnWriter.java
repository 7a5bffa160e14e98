package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.StoredNumbers;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.hibernate.type.CustomType;
import org.hibernate.type.Type;
import org.hibernate.type.descriptor.converter.spi.BasicValueConverter;
import org.hibernate.type.descriptor.converter.spi.JpaAttributeConverter;
import org.jspecify.annotations.Nullable;

/**
 * What the application has for writing a column: a converter, a type, or an expression of SQL. It may make other values
 * of the numbers, such as -17 or INV-17. Then the largest value need not stand for the largest number.
 *
 * @param name for messages
 * @param written what is written for a number in the property's basic type; null if that is not known
 */
record ColumnWriter(String name, UnaryOperator<@Nullable Object> written) {

    /** Of any length, with digits that other bases, groups and leading zeros change. */
    private static final long[] SAMPLES = {
        1, 9, 10, 17, 255, 1_000, 99_999, 1_234_567, Integer.MAX_VALUE, 1L << 40, 1L << 53, Long.MAX_VALUE
    };

    /** For a property of a basic type. */
    static Optional<ColumnWriter> of(@Nullable Type mapped) {
        if (!(mapped instanceof BasicType<?> basic)) {
            return Optional.empty();
        }
        if (basic.getValueConverter() != null) {
            return Optional.of(converter(basic.getValueConverter()));
        }
        if (mapped instanceof CustomType) {
            return Optional.of(unknown("a UserType"));
        }
        return basic.getJavaTypeDescriptor().getClass().getName().startsWith("org.hibernate.")
                ? Optional.empty()
                : Optional.of(unknown("a JavaType"));
    }

    private static <T, R> ColumnWriter converter(BasicValueConverter<T, R> converter) {
        Class<T> domain = converter.getDomainJavaType().getJavaTypeClass();
        return converter(number -> converter.toRelationalValue(domain.cast(number)));
    }

    /** For a property whose type the converter makes of a basic type. */
    static <T, R> ColumnWriter roundTrip(JpaAttributeConverter<T, R> converter) {
        Class<R> relational = converter.getRelationalJavaType().getJavaTypeClass();
        return converter(number -> converter.toRelationalValue(converter.toDomainValue(relational.cast(number))));
    }

    private static ColumnWriter converter(UnaryOperator<@Nullable Object> written) {
        return new ColumnWriter("an AttributeConverter", written);
    }

    /** The expression of a {@code @ColumnTransformer}; empty if there is none. */
    static Optional<ColumnWriter> expression(@Nullable Value value) {
        return value != null
                        && value.getColumns().size() == 1
                        && isExpression(value.getColumns().get(0))
                ? Optional.of(unknown("@ColumnTransformer(write)"))
                : Optional.empty();
    }

    private static boolean isExpression(Column column) {
        String write = column.getCustomWriteExpression();
        return write != null && !write.strip().equals("?");
    }

    private static ColumnWriter unknown(String name) {
        return new ColumnWriter(name, number -> null);
    }

    /** Whether the numbers are written as they are, or as their digits. Only a converter can be asked. */
    boolean writesNumbers(IdFormat format) {
        boolean isAnyWritten = false;
        for (long number : SAMPLES) {
            if (number <= format.width().maxValue()) {
                Object given = format.convert(number);
                try {
                    if (!isSame(given, written.apply(given))) {
                        return false;
                    }
                    isAnyWritten = true;
                } catch (RuntimeException e) {
                    // The converter does not write this number, so no row has it.
                }
            }
        }
        return isAnyWritten;
    }

    private static boolean isSame(Object given, @Nullable Object value) {
        return value instanceof String
                ? value.equals(given.toString())
                : value instanceof Number && number(value).equals(number(given));
    }

    private static OptionalLong number(@Nullable Object value) {
        return StoredNumbers.read(value);
    }
}
