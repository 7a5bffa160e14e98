package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB.
 *
 * <pre>
 * UPDATE keyed_sequence SET number = LAST_INSERT_ID(number + n)
 *     WHERE name = 'messages' AND key_text = '42' AND number &lt;= 9223372036854775807 - n;
 * INSERT IGNORE INTO keyed_sequence (name, key_text, number) SELECT f.name, '42', f.number
 *     FROM keyed_sequence f, keyed_sequence r
 *     WHERE r.name = 'messages' AND r.key_text = ' @record' AND r.number = record
 *     AND f.name = 'messages' AND f.key_text = ' floor' LOCK IN SHARE MODE;
 * </pre>
 *
 * <p>The sum comes in the UPDATE's own response (RETURN_GENERATED_KEYS). An UPDATE that matches no row leaves
 * LAST_INSERT_ID() as it was; hence the count of rows is checked.
 *
 * <p>Several keys at once take two trips of several statements each, see {@link MySqlTrips}. Each statement finds one
 * row by its key: one for all rows might read the whole table, and lock it. Texts are sent as hexadecimal digits, so
 * that no setting of the server decides where they end.
 *
 * <pre>
 * START TRANSACTION;
 * SELECT number FROM keyed_sequence WHERE name = 'messages' AND key_text = '42' FOR UPDATE SKIP LOCKED;
 * ...
 *
 * UPDATE keyed_sequence SET number = 8 WHERE name = 'messages' AND key_text = '42' AND number = 7;
 * ...
 * COMMIT;
 * </pre>
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
final class MySqlRows extends RowSql {

    private static final int INSERTED = 1;

    private final DatabaseProduct product;

    /** Null unless the connection is kept, and rows that others have locked can be skipped. */
    private @Nullable MySqlTrips together;

    MySqlRows(Connection connection, String table, DatabaseProduct product) {
        super(connection, table);
        this.product = product;
    }

    @Override
    void keep() throws SQLException {
        MySqlTrips trips = MySqlTrips.on(connection());
        together = trips.isShared() && ServerVersion.skipsLocked(connection(), product) ? trips : null;
    }

    @Override
    String insertion() {
        return "INSERT IGNORE";
    }

    @Override
    PreparedStatement prepareAdd(String condition) throws SQLException {
        return connection()
                .prepareStatement(
                        "UPDATE " + table() + " SET number = LAST_INSERT_ID(number + ?)"
                                + " WHERE name = ? AND key_text = ? AND number <= ?" + condition,
                        Statement.RETURN_GENERATED_KEYS);
    }

    /** Only a join could read it, which locks it until the commit. */
    @Override
    String whileRecorded() {
        return "";
    }

    @Override
    OptionalLong sum(PreparedStatement update, RowKey row) throws SQLException {
        int rows = update.executeUpdate();
        if (rows > 1) {
            throw several(row);
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
    public Map<RowKey, Long> addTogether(List<Take> takes) throws SQLException {
        MySqlTrips trips = together;
        if (trips == null) {
            return Map.of();
        }
        try {
            Map<RowKey, Long> before = lock(trips, takes);
            return addTo(
                    before,
                    trips,
                    takes.stream()
                            .filter(each -> before.containsKey(each.row()))
                            .toList());
        } catch (SQLException e) {
            trips.rollBack(e);
            throw e;
        }
    }

    private Map<RowKey, Long> lock(MySqlTrips trips, List<Take> takes) throws SQLException {
        List<String> selects = new ArrayList<>(List.of("START TRANSACTION"));
        takes.forEach(
                each -> selects.add("SELECT number FROM " + table() + where(each.row()) + " FOR UPDATE SKIP LOCKED"));
        Map<RowKey, Long> found = new HashMap<>();
        trips.run(selects, (query, row) -> {
            Take take = takes.get(query);
            if (row.next() && row.getLong(1) <= Long.MAX_VALUE - take.count()) {
                found.put(take.row(), row.getLong(1));
            }
        });
        return found;
    }

    /** A proxy that has changed the server since gets none. */
    private Map<RowKey, Long> addTo(Map<RowKey, Long> before, MySqlTrips trips, List<Take> free) throws SQLException {
        List<String> updates = new ArrayList<>();
        for (Take each : free) {
            long number = before.get(each.row());
            updates.add("UPDATE " + table() + " SET number = " + (number + each.count()) + where(each.row())
                    + " AND number = " + number);
        }
        updates.add("COMMIT");
        List<Integer> changed = trips.run(updates, (query, row) -> {});
        Map<RowKey, Long> last = new HashMap<>();
        for (int i = 0; i < free.size(); i++) {
            if (changed.get(i) == 1) {
                Take take = free.get(i);
                last.put(take.row(), before.get(take.row()) + take.count());
            }
        }
        return last;
    }

    private static String where(RowKey row) {
        return " WHERE name = " + text(row.sequence()) + " AND key_text = " + text(row.key());
    }

    private static String text(String value) {
        return "_utf8mb4 X'" + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** There are no other schemas. */
    @Override
    public OptionalLong take(RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException {
        if (isKnown) {
            OptionalLong last = add(row, count);
            if (last.isPresent()) {
                return last;
            }
        }
        try (PreparedStatement insert = connection()
                .prepareStatement(
                        "INSERT INTO " + table() + " (name, key_text, number) VALUES (?, ?, ?)"
                                + " ON DUPLICATE KEY UPDATE number = LAST_INSERT_ID(number + ?)",
                        Statement.RETURN_GENERATED_KEYS)) {
            set(insert, row.sequence(), row.key(), count, count);
            return OptionalLong.of(insert.executeUpdate() == INSERTED ? count : sum(insert));
        } catch (SQLException e) {
            if (SqlErrors.isOutOfRange(e)) {
                throw row.exhausted(count);
            }
            throw e;
        }
    }

    /** A lock wait that has lasted too long undoes its statement only, unless the server is set otherwise. */
    @Override
    public boolean keepsTransaction(SQLException error) throws SQLException {
        if (!SqlErrors.isLockWaitTimeout(error)) {
            return false;
        }
        try (Statement select = connection().createStatement();
                ResultSet row = select.executeQuery("SELECT @@innodb_rollback_on_timeout")) {
            return row.next() && row.getInt(1) == 0;
        }
    }

    @Override
    String lockingBoth() {
        return latest();
    }

    /** Works on MariaDB and on MySQL before 8, which have no FOR SHARE. */
    @Override
    String latest() {
        return " LOCK IN SHARE MODE";
    }

    /** A read that locks ignores the snapshot. */
    @Override
    public boolean findsNewest() {
        return true;
    }

    /** A schema is a catalog. */
    @Override
    String schemasInSql() {
        return "''";
    }

    @Override
    String transactionInSql() {
        return "CAST(CONNECTION_ID() AS CHAR)";
    }
}
