package io.distributedid.internal;

import io.distributedid.IdsExhaustedException;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;

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
            throw new SQLException("A number was expected, but the server returned NULL");
        }
        if (value.compareTo(MAX) > 0) {
            throw new IdsExhaustedException("The server's counter is above 2^63-1 and fits no Java long: id=" + value
                    + ". Set it back or use another table");
        }
        return value.longValueExact();
    }
}
