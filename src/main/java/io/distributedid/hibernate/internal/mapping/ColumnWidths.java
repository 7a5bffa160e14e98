package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.Width;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.JDBCType;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.mapping.Column;
import org.hibernate.type.BasicType;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.converter.spi.BasicValueConverter;
import org.jspecify.annotations.Nullable;

/**
 * The largest id that fits on the way into a column, and that the column holds. Its SQL type is that of a
 * {@code columnDefinition}, or of Hibernate's schema export, with {@code length} and {@code precision}.
 */
final class ColumnWidths {

    private static final Logger LOG = System.getLogger(ColumnWidths.class.getName());

    /**
     * {@code int(10) unsigned not null}, {@code numeric(12, 2)}, {@code number(*,0)}, {@code NVARCHAR2 (20 CHAR)},
     * {@code character varying(20)}.
     */
    private static final Pattern TYPE = Pattern.compile(
            "\\s*(?:national\\s+)?([a-z][a-z0-9_]*(?:\\s+(?:varying|large))?)"
                    + "\\s*(?:\\(\\s*(\\d{1,9}|\\*|max)\\s*(?:,\\s*(-?\\d{1,9})\\s*)?(?:char|byte)?\\s*\\))?"
                    + "(?![a-z0-9_(.\"])(.*)",
            Pattern.DOTALL);

    private static final Pattern UNSIGNED = Pattern.compile("\\s*unsigned\\b.*", Pattern.DOTALL);

    private static final Map<Integer, Integer> JDBC_BITS = Map.of(
            SqlTypes.BIT,
            1,
            SqlTypes.BOOLEAN,
            1,
            SqlTypes.TINYINT,
            Byte.SIZE - 1,
            SqlTypes.SMALLINT,
            Short.SIZE - 1,
            SqlTypes.INTEGER,
            Integer.SIZE - 1,
            SqlTypes.REAL,
            Width.SINGLE,
            // Hibernate binds it with setFloat.
            SqlTypes.FLOAT,
            Width.SINGLE,
            SqlTypes.DOUBLE,
            Width.DOUBLE);

    private static final Map<Class<?>, Integer> JAVA_BITS = Map.of(
            Byte.class, Byte.SIZE - 1,
            Short.class, Short.SIZE - 1,
            Integer.class, Integer.SIZE - 1,
            Float.class, Width.SINGLE,
            Double.class, Width.DOUBLE);

    private ColumnWidths() {}

    /** The width on the way to the driver. Hibernate truncates values that the JDBC or converter type can't hold. */
    static Width of(BasicType<?> type) {
        Width width = Width.narrower(
                ofJdbcType(type.getJdbcType().getJdbcTypeCode()),
                ofJdbcType(type.getJdbcType().getDefaultSqlTypeCode()));
        BasicValueConverter<?, ?> converter = type.getValueConverter();
        if (converter == null) {
            return width;
        }
        Class<?> relational = converter.getRelationalJavaType().getJavaTypeClass();
        return Width.narrower(
                width,
                Width.ofBits(
                        JAVA_BITS.getOrDefault(relational, Long.SIZE), "converter to " + relational.getSimpleName()));
    }

    private static Width ofJdbcType(int code) {
        Integer bits = JDBC_BITS.get(code);
        return bits == null
                ? Width.UNLIMITED
                : Width.ofBits(bits, "JDBC type " + JDBCType.valueOf(code).getName());
    }

    /** Empty, and logged, if the column's type is unknown. */
    static Optional<Width> of(Column column, Metadata metadata, String usedBy) {
        String type = sqlType(column, metadata);
        Optional<Width> width = of(type, metadata.getDatabase().getDialect());
        if (width.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "The type of a column is unknown. Make sure that the column can hold the ids: {0} column {1} {2}",
                    usedBy,
                    column.getName(),
                    type);
        }
        return width;
    }

    /** Uses a copy, since Hibernate stores the result in the column. */
    private static String sqlType(Column column, Metadata metadata) {
        try {
            return column.clone().getSqlType(metadata);
        } catch (MappingException e) {
            LOG.log(Level.DEBUG, "Hibernate knows no type of a column: " + column.getName(), e);
            return "?";
        }
    }

    /** Empty if the type is unknown. Names have the meaning that they have on MySQL, MariaDB, PostgreSQL and H2. */
    static Optional<Width> of(String sqlType, Dialect dialect) {
        Matcher type = TYPE.matcher(sqlType.toLowerCase(Locale.ROOT));
        return type.matches()
                ? Optional.ofNullable(of(type, "column type " + sqlType.strip(), dialect instanceof MySQLDialect))
                : Optional.empty();
    }

    private static @Nullable Width of(Matcher type, String limit, boolean isMySql) {
        String length = type.group(2);
        int unsigned = UNSIGNED.matcher(type.group(4)).matches() ? 1 : 0;
        return switch (type.group(1).replaceAll("\\s+", " ")) {
            case "boolean", "bool" -> Width.ofBits(1, limit);
            case "tinyint", "int1" -> Width.ofBits(7 + unsigned, limit);
            case "smallint", "int2", "smallserial", "serial2" -> Width.ofBits(15 + unsigned, limit);
            case "mediumint", "middleint", "int3" -> Width.ofBits(23 + unsigned, limit);
            case "int", "integer", "int4", "serial4" -> Width.ofBits(31 + unsigned, limit);
            // MySQL's is BIGINT UNSIGNED.
            case "serial" -> isMySql ? Width.UNLIMITED : Width.ofBits(31, limit);
            case "bigint", "int8", "int64", "bigserial", "serial8" -> Width.UNLIMITED;
            case "numeric", "decimal", "dec", "number", "fixed" -> ofDecimal(length, type.group(3), limit, isMySql);
            case "float4", "binary_float" -> Width.ofBits(Width.SINGLE, limit);
            case "real" -> Width.ofBits(isMySql ? Width.DOUBLE : Width.SINGLE, limit);
            case "float" -> Width.ofBits(isSingle(length, isMySql) ? Width.SINGLE : Width.DOUBLE, limit);
            case "float8", "double", "binary_double" -> Width.ofBits(Width.DOUBLE, limit);
            case "char", "character", "nchar" -> ofText(length == null ? 1 : digits(length));
            case "varchar", "nvarchar", "varchar2", "nvarchar2", "char varying", "character varying", "nchar varying" ->
                ofText(length == null ? Integer.MAX_VALUE : digits(length));
            case "tinytext", "text", "mediumtext", "longtext", "clob", "nclob", "string" -> Width.UNLIMITED;
            case "char large", "character large" -> Width.UNLIMITED;
            default -> null;
        };
    }

    private static Width ofText(int characters) {
        return Width.ofDigits(characters, characters + " characters");
    }

    private static int digits(String length) {
        return Character.isDigit(length.charAt(0)) ? Integer.parseInt(length) : Integer.MAX_VALUE;
    }

    private static Width ofDecimal(@Nullable String precision, @Nullable String scale, String limit, boolean isMySql) {
        int digits = precision == null ? (isMySql ? 10 : Integer.MAX_VALUE) : digits(precision);
        int fraction = scale == null ? 0 : Integer.parseInt(scale);
        // A negative scale rounds to tens or more.
        return Width.ofDigits(fraction < 0 ? 0 : digits - fraction, limit);
    }

    private static boolean isSingle(@Nullable String bits, boolean isMySql) {
        return bits == null ? isMySql : digits(bits) <= Width.SINGLE;
    }
}
