package io.distributedid.internal.jdbc;

import io.distributedid.IdsExhaustedException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads BIGINT UNSIGNED columns, whose values may exceed a long. */
public final class UnsignedColumn {

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private UnsignedColumn() {}

    /** Reads a column of the current row, counted from 1, as {@link #of} does. */
    public static long read(ResultSet row, int column) throws SQLException {
        return of(row.getBigDecimal(column));
    }

    /** As {@link #read}, but a number above 2^63-1 is returned as that: no id lies above it. */
    public static long atMost(ResultSet row, int column) throws SQLException {
        return atMost(row.getBigDecimal(column));
    }

    /** As {@link #of}, but a number above 2^63-1 is returned as that: no id lies above it. */
    public static long atMost(@Nullable Object value) throws SQLException {
        return of(value == null ? null : new BigDecimal(value.toString()).min(MAX));
    }

    /**
     * Converts a whole number that a driver returned as an object; null is an SQLException.
     *
     * @throws IdsExhaustedException if it is above 2^63-1
     */
    public static long of(@Nullable Object value) throws SQLException {
        if (value == null) {
            throw new SQLException("A number was expected, but the server returned NULL");
        }
        BigDecimal number = new BigDecimal(value.toString());
        if (number.compareTo(MAX) > 0) {
            throw new IdsExhaustedException("The server's counter is above 2^63-1 and does not fit a Java long: id="
                    + number
                    + ". Give the sequence another table");
        }
        return number.longValueExact();
    }
}
