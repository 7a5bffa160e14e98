package io.distributedid.internal.counter;

import io.distributedid.internal.UnsignedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Two rows of a table of counters that hold the {@link Numbering} which its clients agreed on, so that a client that is
 * configured with other servers, or in another order, is noticed.
 *
 * @param keyColumn the column that names a row
 * @param incrementKey the name of the row that holds the increment
 * @param offsetKey the name of the row that holds the offset
 */
public record ClaimRows(String keyColumn, String incrementKey, String offsetKey) {

    /**
     * Reads them.
     *
     * @param statement to be used
     * @param table with columns {@link #keyColumn} and {@code id}
     * @return empty unless both are there
     * @throws SQLException if the server failed
     */
    public Optional<Numbering> read(Statement statement, String table) throws SQLException {
        long increment = 0;
        long offset = 0;
        try (ResultSet row = statement.executeQuery("SELECT " + keyColumn + ", id FROM " + table + " WHERE " + keyColumn
                + " IN ('" + incrementKey + "', '" + offsetKey + "')")) {
            while (row.next()) {
                long value = UnsignedColumn.read(row, 2);
                if (row.getString(1).equals(incrementKey)) {
                    increment = value;
                } else {
                    offset = value;
                }
            }
        }
        return increment < 1 || offset < 1 ? Optional.empty() : Optional.of(new Numbering(increment, offset));
    }
}
