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
 *
 * <p>No statement of H2 both inserts and locks another row. So a row above the floor takes a transaction, which locks
 * the floor by adding 0 to it.
 */
final class H2RowDialect implements RowDialect {

    @Override
    public String textType(int length) {
        return "VARCHAR(" + length + ")";
    }

    @Override
    public PreparedStatement prepareAdd(Connection connection, String table) throws SQLException {
        return connection.prepareStatement("SELECT number FROM FINAL TABLE (UPDATE " + table
                + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?)");
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

    @Override
    public boolean insertAboveFloor(Connection connection, RowKey row) throws SQLException {
        connection.setAutoCommit(false);
        try {
            OptionalLong floor = add(connection, row.floor(), 0);
            boolean isDone = floor.isPresent() && insert(connection, row, floor.getAsLong());
            connection.commit();
            return isDone;
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
