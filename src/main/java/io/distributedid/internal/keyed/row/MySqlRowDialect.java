package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import java.util.Set;

/**
 * MySQL and MariaDB.
 *
 * <pre>
 * UPDATE keyed_sequence SET number = LAST_INSERT_ID(number + n)
 *     WHERE name = 'messages' AND key_text = '42' AND number &lt;= 9223372036854775807 - n;
 * INSERT IGNORE INTO keyed_sequence (name, key_text, number) SELECT o.name, '42', o.number
 *     FROM keyed_sequence o, keyed_sequence r
 *     WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record
 *     AND o.name = 'messages' AND o.key_text = ' floor' LOCK IN SHARE MODE;
 * </pre>
 *
 * <p>The sum comes in the UPDATE's own response (RETURN_GENERATED_KEYS). An UPDATE that matches no row leaves
 * LAST_INSERT_ID() as it was; hence the count of rows is checked.
 *
 * <p>In the caller's transaction, an UPDATE of a missing row would lock the gap around it at REPEATABLE READ. Two
 * transactions may hold that lock, and neither could then insert. So a key that this process has not seen yet takes one
 * statement that locks no gap unless the row is there:
 *
 * <pre>
 * INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', '42', n)
 *     ON DUPLICATE KEY UPDATE number = LAST_INSERT_ID(number + n);
 * </pre>
 *
 * <p>If it has inserted (count 1), LAST_INSERT_ID() is stale, and the number is n. If it has updated, the count is 2. A
 * sum beyond 2^63-1 is an error of the server.
 */
final class MySqlRowDialect implements RowDialect {

    private static final int INSERTED = 1;

    @Override
    public String textType(int length) {
        return StoredText.type(DatabaseProduct.MYSQL, length);
    }

    @Override
    public String tableOptions() {
        return " ENGINE=InnoDB";
    }

    @Override
    public PreparedStatement prepareAdd(Connection connection, String table, String condition) throws SQLException {
        return connection.prepareStatement(
                "UPDATE " + table + " SET number = LAST_INSERT_ID(number + ?)"
                        + " WHERE name = ? AND key_text = ? AND number <= ?" + condition,
                Statement.RETURN_GENERATED_KEYS);
    }

    /** Only a join could read it, which locks it until the commit. */
    @Override
    public String whileRecorded(String table) {
        return "";
    }

    @Override
    public OptionalLong sum(PreparedStatement update, RowKey row) throws SQLException {
        int rows = update.executeUpdate();
        if (rows > 1) {
            throw new SQLException("A key has several rows: " + row + ". The table needs its primary key");
        }
        return rows == 0 ? OptionalLong.empty() : OptionalLong.of(sum(update));
    }

    private static long sum(PreparedStatement statement) throws SQLException {
        try (ResultSet key = statement.getGeneratedKeys()) {
            if (!key.next()) {
                throw new SQLException("The driver does not return the value of LAST_INSERT_ID after an UPDATE");
            }
            return UnsignedColumn.read(key, 1);
        }
    }

    @Override
    public RowBatch batch(Connection connection, DatabaseProduct product) throws SQLException {
        MySqlTrips trips = MySqlTrips.on(connection);
        return trips.isShared() && ServerVersion.skipsLocked(connection, product)
                ? new MySqlRowBatch(trips)
                : RowBatch.NONE;
    }

    @Override
    public boolean insert(Connection connection, RowKey row, long number) throws SQLException {
        return RowDialect.insert(
                        connection,
                        "INSERT IGNORE INTO " + row.table() + " (name, key_text, number) VALUES (?, ?, ?)",
                        row,
                        number)
                == 1;
    }

    @Override
    public boolean insertBeside(Connection connection, RowKey row, String other, boolean copiesNumber, long record)
            throws SQLException {
        return RowDialect.insertBeside(connection, "INSERT IGNORE", latest(), row, other, copiesNumber, record);
    }

    /** There are no other schemas. */
    @Override
    public OptionalLong takeInTransaction(
            Connection connection, RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        if (isKnown) {
            OptionalLong last = add(connection, row, count);
            if (last.isPresent()) {
                return last;
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO " + row.table() + " (name, key_text, number) VALUES (?, ?, ?)"
                        + " ON DUPLICATE KEY UPDATE number = LAST_INSERT_ID(number + ?)",
                Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, row.sequence());
            insert.setString(2, row.key());
            insert.setLong(3, count);
            insert.setLong(4, count);
            return OptionalLong.of(insert.executeUpdate() == INSERTED ? count : sum(insert));
        } catch (SQLException e) {
            if (SqlErrors.isOutOfRange(e)) {
                throw RowDialect.exhausted(row, count);
            }
            throw e;
        }
    }

    /** A schema is a catalog. */
    @Override
    public String schemas() {
        return "''";
    }

    @Override
    public String transaction() {
        return "CAST(CONNECTION_ID() AS CHAR)";
    }

    /** A lock wait that has lasted too long undoes its statement only, unless the server is set otherwise. */
    @Override
    public boolean keepsTransaction(Connection connection, SQLException error) throws SQLException {
        if (!SqlErrors.isLockWaitTimeout(error)) {
            return false;
        }
        try (Statement select = connection.createStatement();
                ResultSet row = select.executeQuery("SELECT @@innodb_rollback_on_timeout")) {
            return row.next() && row.getInt(1) == 0;
        }
    }

    /** Works on MariaDB and on MySQL before 8, which have no FOR SHARE. */
    @Override
    public String latest() {
        return " LOCK IN SHARE MODE";
    }

    /** A read that locks ignores the snapshot. */
    @Override
    public boolean findsNewest(Connection connection) {
        return true;
    }
}
