package io.distributedid.sequencetable;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * PostgreSQL:
 *
 * <pre>
 * UPDATE sequence SET id = id + n WHERE name = 'photos' AND id &gt;= own
 *     AND EXISTS (SELECT 1 FROM sequence WHERE name = '&#64;servers' AND id = 1) RETURNING id;
 * </pre>
 */
final class PostgreSqlSequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, SequenceRow row, long amount, long own, long servers) throws SQLException {
        String sql = "UPDATE " + row.table() + " SET id = id + ? WHERE name = ? AND id >= ? AND EXISTS (SELECT 1 FROM "
                + row.table() + " WHERE name = '" + CLAIM.incrementKey() + "' AND id = ?) RETURNING id";
        return SequenceTableDialect.addReturning(connection, sql, row, amount, own, servers);
    }

    @Override
    public String insertSql(String table) {
        return "INSERT INTO " + table + " (name, id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    }
}
