package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.SqlErrors;
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
final class H2Rows extends RowSql {

    H2Rows(Connection connection, String table) {
        super(connection, table);
    }

    @Override
    PreparedStatement prepareAdd(String condition) throws SQLException {
        return connection()
                .prepareStatement("SELECT number FROM FINAL TABLE (UPDATE " + table()
                        + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?" + condition + ")");
    }

    /** A duplicate key undoes the statement alone, not the transaction. */
    @Override
    public boolean insert(RowKey row, long number) throws SQLException {
        try {
            return super.insert(row, number);
        } catch (SQLException e) {
            if (SqlErrors.isDuplicateKey(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void insertAboveFloor(RowKey row, long record) throws SQLException {
        connection().setAutoCommit(false);
        try {
            OptionalLong recorded = lock(RowKey.record(row.sequence()));
            OptionalLong floor = lock(RowKey.floor(row.sequence()));
            if (recorded.equals(OptionalLong.of(record)) && floor.isPresent()) {
                insert(row, floor.getAsLong());
            }
            connection().commit();
        } catch (SQLException e) {
            connection().rollback();
            throw e;
        } finally {
            connection().setAutoCommit(true);
        }
    }

    private OptionalLong lock(RowKey row) throws SQLException {
        return number(
                "SELECT number FROM FINAL TABLE (UPDATE " + table()
                        + " SET number = number WHERE name = ? AND key_text = ?)",
                row,
                row.sequence(),
                row.key());
    }

    @Override
    public OptionalLong take(RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        OptionalLong last = schemas.isEmpty() ? add(row, count) : addIn(schemas, row, count);
        if (last.isPresent() || (!schemas.isEmpty() && !schemas.contains(schemas()))) {
            return last;
        }
        insert(row, 0);
        last = add(row, count);
        if (last.isEmpty()) {
            throw refused(row, count);
        }
        return last;
    }

    private OptionalLong addIn(Set<String> schemas, RowKey row, long count) throws SQLException {
        try (PreparedStatement update = prepareAdd(" AND " + isOneOf())) {
            return added(update, row, count, array(schemas));
        }
    }

    @Override
    String lockingBoth() {
        return "";
    }

    /** FOR UPDATE would let one transaction at a time begin a key. */
    @Override
    String latest() {
        return "";
    }

    @Override
    String schemasInSql() {
        return "CURRENT_SCHEMA";
    }

    @Override
    String transactionInSql() {
        return "SESSION_ID() || ' ' || TRANSACTION_ID()";
    }
}
