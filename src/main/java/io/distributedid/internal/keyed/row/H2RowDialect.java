package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * H2.
 *
 * <pre>
 * SELECT number FROM FINAL TABLE (UPDATE keyed_sequence SET number = number + n
 *     WHERE name = 'messages' AND key_text = '42' AND number &lt;= 9223372036854775807 - n);
 * INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', '42', 0);
 * </pre>
 */
final class H2RowDialect implements RowDialect {

    @Override
    public String textType(int length) {
        return "VARCHAR(" + length + ")";
    }

    @Override
    public OptionalLong add(Connection connection, RowKey row, long count) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("SELECT number FROM FINAL TABLE (UPDATE "
                + row.table() + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?)")) {
            update.setLong(1, count);
            update.setString(2, row.sequence());
            update.setString(3, row.key());
            update.setLong(4, Long.MAX_VALUE - count);
            return RowDialect.single(update, row);
        }
    }

    /** A duplicate key undoes the statement alone, not the transaction. */
    @Override
    public boolean insert(Connection connection, RowKey row, long number) throws SQLException {
        try {
            RowDialect.insert(
                    connection,
                    "INSERT INTO " + row.table() + " (name, key_text, number) VALUES (?, ?, ?)",
                    row,
                    number);
            return true;
        } catch (SQLException e) {
            if (SqlErrors.isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }
}
