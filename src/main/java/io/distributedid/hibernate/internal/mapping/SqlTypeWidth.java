package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.Width;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.dialect.CockroachDialect;
import org.hibernate.dialect.DB2Dialect;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.OracleDialect;
import org.hibernate.dialect.SQLServerDialect;
import org.jspecify.annotations.Nullable;

/**
 * The largest id that a column holds, by its SQL type: that of a {@code columnDefinition}, or of Hibernate's schema
 * export.
 */
final class SqlTypeWidth {

    /** {@code int(10) unsigned not null}, {@code numeric(12, 2)}, {@code number(*,0)}. */
    private static final Pattern TYPE = Pattern.compile(
            "\\s*([a-z][a-z0-9_]*)\\s*(?:\\(\\s*(\\d{1,9}|\\*)\\s*(?:,\\s*(-?\\d{1,9})\\s*)?\\))?(?![a-z0-9_(.\"])(.*)",
            Pattern.DOTALL);

    private static final Pattern TEXT = Pattern.compile(
            "\\s*(?:(?:tiny|medium|long)?text|n?clob|string|n?varchar2?"
                    + "|(?:national\\s+)?(?:character|char)\\s+(?:varying|large))\\b.*",
            Pattern.DOTALL);

    private static final Pattern UNSIGNED = Pattern.compile("\\s*unsigned\\b.*", Pattern.DOTALL);

    private final Dialect dialect;

    private final String limit;

    private SqlTypeWidth(Dialect dialect, String limit) {
        this.dialect = dialect;
        this.limit = limit;
    }

    /** Empty if the type is unknown. */
    static Optional<Width> of(String sqlType, Dialect dialect) {
        String type = sqlType.toLowerCase(Locale.ROOT);
        SqlTypeWidth width = new SqlTypeWidth(dialect, "column type " + sqlType.strip());
        OptionalInt characters = TextColumn.length(sqlType);
        if (characters.isPresent()) {
            return Optional.of(Width.ofDigits(characters.getAsInt(), width.limit));
        }
        if (TEXT.matcher(type).matches()) {
            return Optional.of(Width.UNLIMITED);
        }
        Matcher number = TYPE.matcher(type);
        return number.matches()
                ? Optional.ofNullable(width.of(number.group(1), number.group(2), number.group(3), number.group(4)))
                : Optional.empty();
    }

    private @Nullable Width of(String name, @Nullable String precision, @Nullable String scale, String rest) {
        int unsigned = UNSIGNED.matcher(rest).matches() ? 1 : 0;
        return switch (name) {
            case "tinyint", "int1" -> Width.ofBits(7 + unsigned, limit);
            case "int2", "smallserial", "serial2" -> Width.ofBits(15 + unsigned, limit);
            case "smallint" -> wideInteger() ? Width.UNLIMITED : Width.ofBits(15 + unsigned, limit);
            case "mediumint", "middleint", "int3" -> Width.ofBits(23 + unsigned, limit);
            case "int4", "serial4" -> Width.ofBits(31 + unsigned, limit);
            // MySQL's is BIGINT UNSIGNED.
            case "serial" -> dialect instanceof MySQLDialect ? Width.UNLIMITED : of("int", precision, scale, rest);
            case "int", "integer" ->
                wideInteger() || isDialect("SQLite") || dialect instanceof CockroachDialect
                        ? Width.UNLIMITED
                        : Width.ofBits(31 + unsigned, limit);
            case "bigint", "int8", "int64", "bigserial", "serial8" -> Width.UNLIMITED;
            case "numeric", "decimal", "dec", "number", "fixed" -> ofDecimal(precision, scale);
            case "real", "float", "float4", "float8", "double", "binary_float", "binary_double" ->
                ofFloat(name, precision);
            case "char", "character", "nchar" -> Width.ofDigits(1, limit);
            case "boolean", "bool" -> Width.ofBits(1, limit);
            default -> null;
        };
    }

    /** Oracle's integers are NUMBER(38). */
    private boolean wideInteger() {
        return dialect instanceof OracleDialect;
    }

    /** For a dialect in another jar of Hibernate's. */
    private boolean isDialect(String name) {
        return dialect.getClass().getSimpleName().startsWith(name);
    }

    private Width ofDecimal(@Nullable String precision, @Nullable String scale) {
        int fraction = scale == null ? 0 : Integer.parseInt(scale);
        if (fraction < 0) {
            // A negative scale rounds to tens or more.
            return Width.ofDigits(0, limit);
        }
        if (precision != null && !precision.equals("*")) {
            return Width.ofDigits(Integer.parseInt(precision) - fraction, limit);
        }
        return precision == null ? Width.ofDigits(defaultPrecision(), limit) : Width.UNLIMITED;
    }

    /** The precision of a decimal without one. */
    private int defaultPrecision() {
        if (dialect instanceof MySQLDialect) {
            return 10;
        } else if (dialect instanceof SQLServerDialect || isDialect("Sybase")) {
            return 18;
        }
        return dialect instanceof DB2Dialect || isDialect("Derby") ? 5 : 38;
    }

    private Width ofFloat(String name, @Nullable String precision) {
        boolean oracle = dialect instanceof OracleDialect;
        boolean mysql = dialect instanceof MySQLDialect;
        int bits = switch (name) {
            case "float4", "binary_float" -> Width.SINGLE;
            case "real" -> oracle ? 63 : mysql ? Width.DOUBLE : Width.SINGLE;
            case "double" -> oracle ? 126 : Width.DOUBLE;
            case "float" -> ofFloat(precision, oracle, mysql);
            default -> Width.DOUBLE;
        };
        return Width.ofBits(bits, limit);
    }

    private static int ofFloat(@Nullable String precision, boolean oracle, boolean mysql) {
        if (precision == null || precision.equals("*")) {
            return oracle ? 126 : mysql ? Width.SINGLE : Width.DOUBLE;
        }
        int bits = Integer.parseInt(precision);
        return oracle ? bits : bits <= Width.SINGLE ? Width.SINGLE : Width.DOUBLE;
    }
}
