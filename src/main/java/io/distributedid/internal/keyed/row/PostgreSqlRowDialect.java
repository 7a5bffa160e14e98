package io.distributedid.internal.keyed.row;

import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;

/**
 * PostgreSQL.
 *
 * <pre>
 * UPDATE keyed_sequence SET number = number + n WHERE name = 'messages' AND key_text = '42'
 *     AND number &lt;= 9223372036854775807 - n AND EXISTS
 *     (SELECT 1 FROM keyed_sequence r WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record)
 *     RETURNING number;
 * INSERT INTO keyed_sequence (name, key_text, number) SELECT o.name, '42', o.number
 *     FROM keyed_sequence o, keyed_sequence r
 *     WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record
 *     AND o.name = 'messages' AND o.key_text = ' floor' FOR SHARE ON CONFLICT (name, key_text) DO NOTHING;
 * </pre>
 *
 * <p>In the caller's transaction, one statement, whether the row is there or not:
 *
 * <pre>
 * INSERT INTO keyed_sequence AS t (name, key_text, number)
 *     SELECT 'messages', '42', n WHERE CAST(current_schemas(false) AS VARCHAR) = ANY ('{"{public}", "{tenant1}"}')
 *     ON CONFLICT (name, key_text) DO UPDATE SET number = t.number + EXCLUDED.number
 *     WHERE t.number &lt;= 9223372036854775807 - n RETURNING number;
 * </pre>
 *
 * <p>At READ COMMITTED it adds to the latest committed row. Above that, the server refuses with 40001 if the row has
 * changed since the transaction began. So it does for the record, which is read FOR KEY SHARE, if that is gone since.
 */
final class PostgreSqlRowDialect implements RowDialect {

    @Override
    public String textType(int length) {
        return "VARCHAR(" + length + ") COLLATE \"C\"";
    }

    @Override
    public PreparedStatement prepareAdd(Connection connection, String table, String condition) throws SQLException {
        return connection.prepareStatement("UPDATE " + table
                + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?" + condition
                + " RETURNING number");
    }

    @Override
    public RowBatch batch(Connection connection, DatabaseProduct product) {
        return new PostgreSqlRowBatch(connection);
    }

    @Override
    public boolean insertBeside(Connection connection, RowKey row, String other, boolean copiesNumber, long record)
            throws SQLException {
        return RowDialect.insertBeside(
                connection,
                "INSERT",
                " FOR SHARE ON CONFLICT (name, key_text) DO NOTHING",
                row,
                other,
                copiesNumber,
                record);
    }

    @Override
    public OptionalLong takeInTransaction(
            Connection connection, RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        OptionalLong last = insertOrAdd(connection, row, count, schemas);
        if (last.isEmpty() && (schemas.isEmpty() || schemas.contains(readSchemas(connection)))) {
            throw RowDialect.exhausted(row, count);
        }
        return last;
    }

    private OptionalLong insertOrAdd(Connection connection, RowKey row, long count, Set<String> schemas)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + row.table()
                + " AS t (name, key_text, number) SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT)"
                + (schemas.isEmpty() ? "" : " WHERE " + isOneOf())
                + " ON CONFLICT (name, key_text) DO UPDATE SET number = t.number + EXCLUDED.number"
                + " WHERE t.number <= ? RETURNING number")) {
            insert.setString(1, row.sequence());
            insert.setString(2, row.key());
            insert.setLong(3, count);
            if (!schemas.isEmpty()) {
                RowDialect.set(insert, 4, schemas);
            }
            insert.setLong(schemas.isEmpty() ? 4 : 5, Long.MAX_VALUE - count);
            return RowDialect.single(insert, row);
        }
    }

    /** Connection.getSchema() would be a statement of its own. */
    @Override
    public String schemas() {
        return "CAST(current_schemas(false) AS VARCHAR)";
    }

    @Override
    public String transaction() {
        return "CAST(txid_current_if_assigned() AS VARCHAR)";
    }

    /** The lock of a foreign key. */
    @Override
    public String latest() {
        return " FOR KEY SHARE";
    }

    @Override
    public boolean insert(Connection connection, RowKey row, long number) throws SQLException {
        return RowDialect.insert(
                        connection,
                        "INSERT INTO " + row.table() + " (name, key_text, number) VALUES (?, ?, ?)"
                                + " ON CONFLICT (name, key_text) DO NOTHING",
                        row,
                        number)
                == 1;
    }
}
