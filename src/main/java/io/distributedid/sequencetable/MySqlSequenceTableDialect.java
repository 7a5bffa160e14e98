package io.distributedid.sequencetable;

import io.distributedid.internal.UnsignedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * MySQL and MariaDB, as Yupoo had it, and fenced:
 *
 * <pre>
 * UPDATE sequence SET id = LAST_INSERT_ID(id + n) WHERE name = 'photos' AND id &gt;= own
 *     AND EXISTS (SELECT 1 FROM (SELECT id FROM sequence WHERE name = '&#64;servers' LIMIT 1) claim WHERE claim.id = 1);
 * SELECT LAST_INSERT_ID();
 * </pre>
 *
 * An UPDATE that matches no row leaves LAST_INSERT_ID as it was, and so does the INSERT of {@code INSERT ... ON DUPLICATE KEY
 * UPDATE id = LAST_INSERT_ID(...)}: the count of rows is checked, and a row is created by a statement of its own. The LIMIT
 * keeps the optimizer from merging the inner query, which would then read the table that is updated.
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
    public long add(Connection connection, SequenceRow row, long amount, long own, long servers) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + row.table()
                + " SET id = LAST_INSERT_ID(id + ?) WHERE name = ? AND id >= ? AND EXISTS (SELECT 1 FROM (SELECT id FROM "
                + row.table()
                + " WHERE name = '" + CLAIM.incrementKey() + "' LIMIT 1) claim WHERE claim.id = ?)")) {
            SequenceTableDialect.set(update, row, amount, own, servers);
            if (update.executeUpdate() != 1) {
                return -1;
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet last = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            last.next();
            return UnsignedColumn.read(last, 1);
        }
    }

    @Override
    public List<String> swap(String table, String old, String next) {
        return List.of("RENAME TABLE " + table + " TO " + old + ", " + next + " TO " + table);
    }

    @Override
    public String insertSql(String table) {
        return "INSERT IGNORE INTO " + table + " (name, id) VALUES (?, ?)";
    }
}
