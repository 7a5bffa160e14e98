package io.distributedid.sequencetable;

import io.distributedid.internal.UnsignedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table
                + " SET id = id + ? WHERE name = ? AND EXISTS (SELECT 1 FROM " + table + " WHERE name = '"
                + CLAIM.incrementKey() + "' AND id = ?) RETURNING id")) {
            update.setLong(1, amount);
            update.setString(2, name);
            update.setLong(3, servers);
            try (ResultSet row = update.executeQuery()) {
                return row.next() ? UnsignedColumn.read(row, 1) : -1;
            }
        }
    }

    @Override
    public String insertSql(String table) {
        return "INSERT INTO " + table + " (name, id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    }
}
