package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.Width;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.type.BasicType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.converter.spi.BasicValueConverter;

/** The largest id that fits between Hibernate and the JDBC driver. */
final class JdbcWidth {

    private JdbcWidth() {}

    /** The width on the way to the driver. Hibernate truncates values that the JDBC or converter type can't hold. */
    static Width of(BasicType<?> type) {
        IntStream codes = IntStream.of(
                type.getJdbcType().getJdbcTypeCode(), type.getJdbcType().getDefaultSqlTypeCode());
        Stream<Width> widths = codes.mapToObj(JdbcWidth::ofJdbcType);
        BasicValueConverter<?, ?> converter = type.getValueConverter();
        if (converter != null) {
            Class<?> relational = converter.getRelationalJavaType().getJavaTypeClass();
            widths = Stream.concat(widths, Stream.of(ofJavaType(relational)));
        }
        return widths.reduce(Width.UNLIMITED, Width::narrower);
    }

    private static Width ofJdbcType(int code) {
        return switch (code) {
            case SqlTypes.BIT -> Width.ofBits(1, "JDBC type BIT");
            case SqlTypes.BOOLEAN -> Width.ofBits(1, "JDBC type BOOLEAN");
            case SqlTypes.TINYINT -> Width.ofBits(Byte.SIZE - 1, "JDBC type TINYINT");
            case SqlTypes.SMALLINT -> Width.ofBits(Short.SIZE - 1, "JDBC type SMALLINT");
            case SqlTypes.INTEGER -> Width.ofBits(Integer.SIZE - 1, "JDBC type INTEGER");
            case SqlTypes.REAL -> Width.ofBits(Width.SINGLE, "JDBC type REAL");
            // Hibernate binds it with setFloat.
            case SqlTypes.FLOAT -> Width.ofBits(Width.SINGLE, "JDBC type FLOAT");
            case SqlTypes.DOUBLE -> Width.ofBits(Width.DOUBLE, "JDBC type DOUBLE");
            default -> Width.UNLIMITED;
        };
    }

    private static Width ofJavaType(Class<?> type) {
        String limit = "converter to " + type.getSimpleName();
        if (type == Byte.class) {
            return Width.ofBits(Byte.SIZE - 1, limit);
        } else if (type == Short.class) {
            return Width.ofBits(Short.SIZE - 1, limit);
        } else if (type == Integer.class) {
            return Width.ofBits(Integer.SIZE - 1, limit);
        } else if (type == Float.class) {
            return Width.ofBits(Width.SINGLE, limit);
        }
        return type == Double.class ? Width.ofBits(Width.DOUBLE, limit) : Width.UNLIMITED;
    }
}
