package io.distributedid.sequencetable;

import io.distributedid.internal.UnsignedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * MySQL and MariaDB, as Yupoo had it:
 *
 * <pre>
 * UPDATE sequence SET id = LAST_INSERT_ID(id + n) WHERE name = 'photos';
 * SELECT LAST_INSERT_ID();
 * </pre>
 *
 * An UPDATE that matches no row leaves LAST_INSERT_ID as it was, and so does the INSERT of {@code INSERT ... ON DUPLICATE KEY
 * UPDATE id = LAST_INSERT_ID(...)}: the count of rows is checked, and a row is created by a statement of its own.
 */
final class MySqlSequenceTableDialect implements SequenceTableDialect {

    @Override
    public String idType() {
        return "BIGINT UNSIGNED";
    }

    @Override
    public String tableOptions() {
        return " ENGINE=InnoDB";
    }

    @Override
    public long add(Connection connection, String table, String name, long count) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = LAST_INSERT_ID(id + ?) WHERE name = ?")) {
            update.setLong(1, count);
            update.setString(2, name);
            if (update.executeUpdate() != 1) {
                return -1;
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return UnsignedColumn.read(row, 1);
        }
    }

    @Override
    public void create(Connection connection, String table, String name) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT IGNORE INTO " + table + " (name, id) VALUES (?, 0)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
    }
}
