package io.distributedid.internal.keyed.row;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * PostgreSQL.
 *
 * <pre>
 * UPDATE keyed_sequence SET number = number + n WHERE name = 'messages' AND key_text = '42'
 *     AND number &lt;= 9223372036854775807 - n AND EXISTS
 *     (SELECT 1 FROM keyed_sequence r WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record)
 *     RETURNING number;
 * INSERT INTO keyed_sequence (name, key_text, number) SELECT f.name, '42', f.number
 *     FROM keyed_sequence f, keyed_sequence r
 *     WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record
 *     AND f.name = 'messages' AND f.key_text = ' floor' FOR SHARE ON CONFLICT (name, key_text) DO NOTHING;
 * </pre>
 *
 * <p>Several keys at once:
 *
 * <pre>
 * WITH f AS MATERIALIZED (SELECT t.name, t.key_text, v.amount
 *     FROM unnest(?, ?, ?, ?) v (name, key_text, amount, record)
 *     JOIN keyed_sequence t ON t.name = v.name AND t.key_text = v.key_text
 *     WHERE t.number &lt;= 9223372036854775807 - v.amount AND EXISTS
 *     (SELECT 1 FROM keyed_sequence r WHERE r.name = v.name AND r.key_text = ' @record' AND r.number = v.record)
 *     FOR UPDATE OF t SKIP LOCKED)
 * UPDATE keyed_sequence t SET number = t.number + f.amount FROM f
 *     WHERE t.name = f.name AND t.key_text = f.key_text RETURNING t.name, t.key_text, t.number;
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
final class PostgreSqlRows extends RowSql {

    /** Of the connection before it was kept. */
    private int isolation = Connection.TRANSACTION_READ_COMMITTED;

    PostgreSqlRows(Connection connection, String table) {
        super(connection, table);
    }

    @Override
    void keep() throws SQLException {
        isolation = connection().getTransactionIsolation();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Override
    public void restore() throws SQLException {
        super.restore();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection().setTransactionIsolation(isolation);
        }
    }

    @Override
    String unlessThere() {
        return " ON CONFLICT (name, key_text) DO NOTHING";
    }

    @Override
    PreparedStatement prepareAdd(String condition) throws SQLException {
        return connection()
                .prepareStatement("UPDATE " + table()
                        + " SET number = number + ? WHERE name = ? AND key_text = ? AND number <= ?" + condition
                        + " RETURNING number");
    }

    @Override
    public Map<RowKey, Long> addTogether(List<Take> takes) throws SQLException {
        Map<RowKey, Long> last = new HashMap<>();
        try (PreparedStatement update = connection()
                .prepareStatement("WITH f AS MATERIALIZED (SELECT t.name, t.key_text, v.amount FROM unnest(?, ?, ?, ?)"
                        + " v (name, key_text, amount, record) JOIN " + table()
                        + " t ON t.name = v.name AND t.key_text = v.key_text WHERE t.number <= " + Long.MAX_VALUE
                        + " - v.amount AND EXISTS (SELECT 1 FROM " + table()
                        + " r WHERE r.name = v.name AND r.key_text = '" + RowKey.RECORD
                        + "' AND r.number = v.record) FOR UPDATE OF t SKIP LOCKED) UPDATE " + table()
                        + " t SET number = t.number + f.amount FROM f WHERE t.name = f.name AND t.key_text = f.key_text"
                        + " RETURNING t.name, t.key_text, t.number")) {
            set(
                    update,
                    array("varchar", takes, each -> each.row().sequence()),
                    array("varchar", takes, each -> each.row().key()),
                    array("bigint", takes, Take::count),
                    array("bigint", takes, Take::record));
            try (ResultSet row = update.executeQuery()) {
                while (row.next()) {
                    last.put(new RowKey(row.getString(1), row.getString(2)), row.getLong(3));
                }
            }
        }
        return last;
    }

    private Array array(String type, List<Take> takes, Function<Take, Object> column) throws SQLException {
        return connection().createArrayOf(type, takes.stream().map(column).toArray());
    }

    @Override
    public OptionalLong take(RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        List<Object> values = new ArrayList<>(Arrays.asList(row.sequence(), row.key(), count));
        if (!schemas.isEmpty()) {
            values.add(array(schemas));
        }
        values.add(Long.MAX_VALUE - count);
        OptionalLong last = number(
                "INSERT INTO " + table()
                        + " AS t (name, key_text, number) SELECT CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS BIGINT)"
                        + (schemas.isEmpty() ? "" : " WHERE " + isOneOf())
                        + " ON CONFLICT (name, key_text) DO UPDATE SET number = t.number + EXCLUDED.number"
                        + " WHERE t.number <= ? RETURNING number",
                row,
                values.toArray());
        if (last.isEmpty() && (schemas.isEmpty() || schemas.contains(schemas()))) {
            throw row.exhausted(count);
        }
        return last;
    }

    @Override
    String lockingBoth() {
        return " FOR SHARE";
    }

    /** The lock of a foreign key. */
    @Override
    String latest() {
        return " FOR KEY SHARE";
    }

    /** Connection.getSchema() would be a statement of its own. */
    @Override
    String schemasInSql() {
        return "CAST(current_schemas(false) AS VARCHAR)";
    }

    @Override
    String transactionInSql() {
        return "CAST(txid_current_if_assigned() AS VARCHAR)";
    }
}
