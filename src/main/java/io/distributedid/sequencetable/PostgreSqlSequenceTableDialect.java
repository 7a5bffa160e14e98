package io.distributedid.sequencetable;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * PostgreSQL:
 *
 * <pre>
 * UPDATE sequence SET id = id + n WHERE name = 'photos'
 *     AND EXISTS (SELECT 1 FROM sequence WHERE name = '&#64;servers' AND id = 1) RETURNING id;
 * </pre>
 */
final class PostgreSqlSequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, String table, String name, long amount, long servers) throws SQLException {
        String sql = "UPDATE " + table + " SET id = id + ? WHERE name = ? AND EXISTS (SELECT 1 FROM " + table
                + " WHERE name = '" + CLAIM.incrementKey() + "' AND id = ?) RETURNING id";
        return SequenceTableDialect.addReturning(connection, sql, name, amount, servers);
    }

    @Override
    public String insertSql(String table) {
        return "INSERT INTO " + table + " (name, id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    }
}
