package io.distributedid.sequencetable;

import io.distributedid.internal.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * H2:
 *
 * <pre>
 * SELECT id FROM FINAL TABLE (UPDATE sequence SET id = id + n WHERE name = 'photos' AND id &gt;= own
 *     AND EXISTS (SELECT 1 FROM sequence WHERE name = '&#64;servers' AND id = 1));
 * </pre>
 */
final class H2SequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, SequenceRow row, long amount, long own, long servers) throws SQLException {
        String sql = "SELECT id FROM FINAL TABLE (UPDATE " + row.table()
                + " SET id = id + ? WHERE name = ? AND id >= ? AND EXISTS (SELECT 1 FROM " + row.table()
                + " WHERE name = '"
                + CLAIM.incrementKey() + "' AND id = ?))";
        return SequenceTableDialect.addReturning(connection, sql, row, amount, own, servers);
    }

    /** Two MERGEs at once may both try to insert; the second then finds the key taken. */
    @Override
    public void insert(Connection connection, String table, String name, long id) throws SQLException {
        try {
            SequenceTableDialect.super.insert(connection, table, name, id);
        } catch (SQLException e) {
            if (!SqlStates.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    @Override
    public String insertSql(String table) {
        return "MERGE INTO " + table
                + " t USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))) v (name, id) ON t.name = v.name"
                + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
    }
}
