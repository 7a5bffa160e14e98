package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;

/**
 * H2.
 *
 * <pre>
 * SELECT number FROM FINAL TABLE (UPDATE keyed_sequence SET number = number + n
 *     WHERE name = 'messages' AND key_text = '42' AND number &lt;= 9223372036854775807 - n AND EXISTS
 *     (SELECT 1 FROM keyed_sequence r WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record));
 * INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', '42', 0);
 * </pre>
 *
 * <p>No statement of H2 both inserts and locks other rows. So that takes a transaction, which locks the others by
 * UPDATEs that change nothing.
 */
final class H2RowDialect implements RowDialect {

    @Override
    public String textType(int length) {
        return StoredText.type(DatabaseProduct.H2, length);
    }

    @Override
    public PreparedStatement prepareAdd(Connection connection, String table, String condition) throws SQLException {
        return connection.prepareStatement("SELECT number FROM FINAL TABLE (UPDATE " + table
                + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?" + condition + ")");
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
    public OptionalLong takeInTransaction(
            Connection connection, RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        OptionalLong last = schemas.isEmpty() ? add(connection, row, count) : addIn(schemas, connection, row, count);
        if (last.isPresent() || (!schemas.isEmpty() && !schemas.contains(readSchemas(connection)))) {
            return last;
        }
        insert(connection, row, 0);
        last = add(connection, row, count);
        return last.isPresent() ? last : OptionalLong.of(refuse(connection, row, count));
    }

    private OptionalLong addIn(Set<String> schemas, Connection connection, RowKey row, long count) throws SQLException {
        try (PreparedStatement update = prepareAdd(connection, row.table(), " AND " + isOneOf())) {
            RowDialect.set(update, row, count);
            RowDialect.set(update, 5, schemas);
            return RowDialect.single(update, row);
        }
    }

    @Override
    public String schemas() {
        return "CURRENT_SCHEMA";
    }

    @Override
    public String transaction() {
        return "SESSION_ID() || ' ' || TRANSACTION_ID()";
    }

    /** FOR UPDATE would let one transaction at a time begin a key. */
    @Override
    public String latest() {
        return "";
    }

    @Override
    public boolean insertBeside(Connection connection, RowKey row, String other, boolean copiesNumber, long record)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            OptionalLong recorded = lock(connection, new RowKey(row.table(), row.sequence(), RowKey.RECORD));
            OptionalLong number = lock(connection, new RowKey(row.table(), row.sequence(), other));
            boolean isDone = recorded.equals(OptionalLong.of(record))
                    && number.isPresent()
                    && insert(connection, row, copiesNumber ? number.getAsLong() : 0);
            connection.commit();
            return isDone;
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static OptionalLong lock(Connection connection, RowKey row) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("SELECT number FROM FINAL TABLE (UPDATE "
                + row.table() + " SET number = number WHERE name = ? AND key_text = ?)")) {
            update.setString(1, row.sequence());
            update.setString(2, row.key());
            return RowDialect.single(update, row);
        }
    }
}
