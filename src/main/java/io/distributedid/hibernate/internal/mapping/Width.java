package io.distributedid.hibernate.internal.mapping;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.type.BasicType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.converter.spi.BasicValueConverter;

/**
 * The largest id that fits a type or a column.
 *
 * @param maxValue all ids up to it are stored exactly
 * @param limit the type or column that sets it, for messages
 */
record Width(long maxValue, String limit) {

    static final Width UNLIMITED = new Width(Long.MAX_VALUE, "");

    /** The exact bits of a {@code float} and a {@code double}. */
    static final int SINGLE = 24;

    static final int DOUBLE = 53;

    static Width ofBits(int bits, String limit) {
        return bits >= Long.SIZE - 1 ? UNLIMITED : new Width((1L << bits) - 1, limit);
    }

    static Width ofDigits(int digits, String limit) {
        if (digits > 18) {
            return UNLIMITED;
        }
        return new Width(digits < 1 ? 0 : (long) Math.pow(10, digits) - 1, limit);
    }

    /** The width on the way to the driver. Hibernate truncates values that the JDBC or converter type can't hold. */
    static Width of(BasicType<?> type) {
        IntStream codes = IntStream.of(
                type.getJdbcType().getJdbcTypeCode(), type.getJdbcType().getDefaultSqlTypeCode());
        Stream<Width> widths = codes.mapToObj(Width::ofJdbcType);
        BasicValueConverter<?, ?> converter = type.getValueConverter();
        if (converter != null) {
            Class<?> relational = converter.getRelationalJavaType().getJavaTypeClass();
            widths = Stream.concat(widths, Stream.of(ofJavaType(relational)));
        }
        return widths.reduce(UNLIMITED, Width::narrower);
    }

    private static Width narrower(Width one, Width other) {
        return other.maxValue < one.maxValue ? other : one;
    }

    private static Width ofJdbcType(int code) {
        return switch (code) {
            case SqlTypes.BIT -> ofBits(1, "JDBC type BIT");
            case SqlTypes.BOOLEAN -> ofBits(1, "JDBC type BOOLEAN");
            case SqlTypes.TINYINT -> ofBits(Byte.SIZE - 1, "JDBC type TINYINT");
            case SqlTypes.SMALLINT -> ofBits(Short.SIZE - 1, "JDBC type SMALLINT");
            case SqlTypes.INTEGER -> ofBits(Integer.SIZE - 1, "JDBC type INTEGER");
            case SqlTypes.REAL -> ofBits(SINGLE, "JDBC type REAL");
            // Hibernate binds it with setFloat.
            case SqlTypes.FLOAT -> ofBits(SINGLE, "JDBC type FLOAT");
            case SqlTypes.DOUBLE -> ofBits(DOUBLE, "JDBC type DOUBLE");
            default -> UNLIMITED;
        };
    }

    private static Width ofJavaType(Class<?> type) {
        String limit = "converter to " + type.getSimpleName();
        if (type == Byte.class) {
            return ofBits(Byte.SIZE - 1, limit);
        } else if (type == Short.class) {
            return ofBits(Short.SIZE - 1, limit);
        } else if (type == Integer.class) {
            return ofBits(Integer.SIZE - 1, limit);
        } else if (type == Float.class) {
            return ofBits(SINGLE, limit);
        }
        return type == Double.class ? ofBits(DOUBLE, limit) : UNLIMITED;
    }
}
