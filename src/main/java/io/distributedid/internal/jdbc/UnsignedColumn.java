package io.distributedid.internal.jdbc;

import io.distributedid.IdsExhaustedException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads BIGINT UNSIGNED columns, which may hold more than a long does. */
public final class UnsignedColumn {

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private UnsignedColumn() {}

    /**
     * Reads a whole number.
     *
     * @param row at a row
     * @param column from 1
     * @return the number
     * @throws SQLException if the column is NULL, or the server failed
     * @throws IdsExhaustedException if it is above 2^63-1
     */
    public static long read(ResultSet row, int column) throws SQLException {
        BigDecimal value = row.getBigDecimal(column);
        if (value == null) {
            throw missing();
        }
        return exact(value);
    }

    /**
     * Converts a whole number.
     *
     * @param value as a driver returned it
     * @return the number
     * @throws SQLException if it is NULL
     * @throws IdsExhaustedException if it is above 2^63-1
     */
    public static long of(@Nullable Object value) throws SQLException {
        if (value == null) {
            throw missing();
        }
        return exact(new BigDecimal(value.toString()));
    }

    private static SQLException missing() {
        return new SQLException("A number was expected, but the server returned NULL");
    }

    private static long exact(BigDecimal value) {
        if (value.compareTo(MAX) > 0) {
            throw new IdsExhaustedException("The server's counter is above 2^63-1 and fits no Java long: id=" + value
                    + ". Give the sequence another table");
        }
        return value.longValueExact();
    }
}
