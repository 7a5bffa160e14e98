package io.distributedid.internal.keyed.row;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * PostgreSQL, in one statement.
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
 */
record PostgreSqlRowBatch(Connection connection) implements RowBatch {

    @Override
    public Map<RowKey, Long> take(List<Take> takes) throws SQLException {
        String table = takes.get(0).row().table();
        Map<RowKey, Long> last = new HashMap<>();
        try (PreparedStatement update = connection.prepareStatement(sql(table))) {
            update.setArray(1, array("varchar", takes, each -> each.row().sequence()));
            update.setArray(2, array("varchar", takes, each -> each.row().key()));
            update.setArray(3, array("bigint", takes, Take::count));
            update.setArray(4, array("bigint", takes, Take::record));
            try (ResultSet row = update.executeQuery()) {
                while (row.next()) {
                    last.put(new RowKey(table, row.getString(1), row.getString(2)), row.getLong(3));
                }
            }
        }
        return last;
    }

    private Array array(String type, List<Take> takes, Function<Take, Object> column) throws SQLException {
        return connection.createArrayOf(type, takes.stream().map(column).toArray());
    }

    private static String sql(String table) {
        return "WITH f AS MATERIALIZED (SELECT t.name, t.key_text, v.amount FROM unnest(?, ?, ?, ?)"
                + " v (name, key_text, amount, record) JOIN " + table
                + " t ON t.name = v.name AND t.key_text = v.key_text WHERE t.number <= " + Long.MAX_VALUE
                + " - v.amount AND EXISTS (SELECT 1 FROM " + table + " r WHERE r.name = v.name AND r.key_text = '"
                + RowKey.RECORD + "' AND r.number = v.record) FOR UPDATE OF t SKIP LOCKED) UPDATE " + table
                + " t SET number = t.number + f.amount FROM f WHERE t.name = f.name AND t.key_text = f.key_text"
                + " RETURNING t.name, t.key_text, t.number";
    }
}
