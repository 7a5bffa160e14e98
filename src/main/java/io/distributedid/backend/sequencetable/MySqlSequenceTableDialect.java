package io.distributedid.backend.sequencetable;

import io.distributedid.internal.jdbc.UnsignedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * MySQL and MariaDB: Yupoo's UPDATE, fenced by the record's generation.
 *
 * <pre>
 * UPDATE (SELECT MAX(generation) AS generation FROM distributedid_record
 *         WHERE counter = 'sequence/photos' AND server = 0 LOCK IN SHARE MODE) fence
 *     STRAIGHT_JOIN sequence s SET s.id = LAST_INSERT_ID(s.id + n)
 *     WHERE fence.generation = 1 AND s.name = 'photos' AND s.id &gt;= lastKnown;
 * </pre>
 *
 * The inner query is an aggregate: the server runs it, and locks the record's row, before the outer UPDATE locks the
 * sequence's row. The new value comes in the UPDATE's own response (RETURN_GENERATED_KEYS), so no proxy can run another
 * statement in between.
 *
 * <p>An UPDATE that matches no row does not change LAST_INSERT_ID; hence the count of rows is checked. Nor does the
 * INSERT of {@code INSERT ... ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(...)}; hence a separate statement creates the
 * row.
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
    public long add(Connection connection, Addition addition) throws SQLException {
        String fenced = addition.fence()
                .map(fence -> "(SELECT MAX(generation) AS generation FROM " + fence.table()
                        + " WHERE counter = ? AND server = 0 LOCK IN SHARE MODE) fence STRAIGHT_JOIN ")
                .orElse("");
        String where = addition.fence().isPresent() ? " AND fence.generation = ?" : "";
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE " + fenced + addition.table()
                        + " s SET s.id = LAST_INSERT_ID(s.id + ?) WHERE s.name = ? AND s.id >= ?" + where,
                Statement.RETURN_GENERATED_KEYS)) {
            int parameter = 0;
            if (addition.fence().isPresent()) {
                update.setString(++parameter, addition.fence().get().key());
            }
            update.setLong(++parameter, addition.amount());
            update.setString(++parameter, addition.name());
            update.setLong(++parameter, addition.lastKnown());
            if (addition.fence().isPresent()) {
                update.setLong(++parameter, addition.fence().get().generation());
            }
            if (update.executeUpdate() != 1) {
                return -1;
            }
            try (ResultSet key = update.getGeneratedKeys()) {
                if (!key.next()) {
                    throw new SQLException("The driver does not return the value of LAST_INSERT_ID after an UPDATE");
                }
                return UnsignedColumn.read(key, 1);
            }
        }
    }

    @Override
    public String insertSql(String table) {
        return "INSERT IGNORE INTO " + table + " (name, id) VALUES (?, ?)";
    }
}
