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
 * UPDATE sequence SET id = id + n WHERE name = 'photos' RETURNING id;
 * </pre>
 */
final class PostgreSqlSequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT";
    }

    @Override
    public long add(Connection connection, String table, String name, long count) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = id + ? WHERE name = ? RETURNING id")) {
            update.setLong(1, count);
            update.setString(2, name);
            try (ResultSet row = update.executeQuery()) {
                return row.next() ? UnsignedColumn.read(row, 1) : -1;
            }
        }
    }

    @Override
    public void create(Connection connection, String table, String name) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + table + " (name, id) VALUES (?, 0) ON CONFLICT (name) DO NOTHING")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
    }
}
