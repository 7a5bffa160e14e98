package io.distributedid.backend.sequencetable;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.UnsignedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Reads and writes several rows in one statement. For one thread at a time. */
final class RowSet {

    private final Connection connection;

    RowSet(Connection connection) {
        this.connection = connection;
    }

    /** A query of the ids of rows, by name. */
    static String selectIds(String table, Collection<String> names) {
        return "SELECT name, id FROM " + table + " WHERE name " + InList.of(names.size());
    }

    /**
     * Runs a query of a text and a number, with names as its parameters. A number above 2^63-1 is returned as that: no
     * id lies above it.
     */
    Map<String, Long> read(String sql, Collection<String> names) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            InList.set(select, 0, names);
            Map<String, Long> found = new HashMap<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    found.put(row.getString(1), number(row));
                }
            }
            return found;
        }
    }

    private static long number(ResultSet row) throws SQLException {
        try {
            return UnsignedColumn.read(row, 2);
        } catch (IdsExhaustedException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Runs an update with names as its parameters. Fails unless it changes as many rows. */
    void update(String sql, Collection<String> names) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            InList.set(update, 0, names);
            requireAll(names, update.executeUpdate());
        }
    }

    private static void requireAll(Collection<String> names, int changed) throws SQLException {
        if (changed != names.size()) {
            throw new SQLException(
                    "An UPDATE must change the rows that are locked: names=" + names + " changed=" + changed);
        }
    }

    /** Raises ids of a sequence table, and lowers none. Fails unless all rows are there. */
    void raise(String table, Map<String, Long> ids) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE " + table + " SET id = CASE"
                + " WHEN name = ? AND id < ? THEN ?".repeat(ids.size()) + " ELSE id END WHERE name "
                + InList.of(ids.size()))) {
            int parameter = 0;
            for (Map.Entry<String, Long> each : ids.entrySet()) {
                update.setString(++parameter, each.getKey());
                update.setLong(++parameter, each.getValue());
                update.setLong(++parameter, each.getValue());
            }
            InList.set(update, parameter, ids.keySet());
            requireAll(ids.keySet(), update.executeUpdate());
        }
    }

    /** Inserts rows of a sequence table. {@code ifThere} is the end of the statement. Returns the count of changes. */
    int insert(String table, Map<String, Long> ids, String ifThere) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(insertInto(table, ids) + ifThere)) {
            setPairs(insert, 0, ids);
            return insert.executeUpdate();
        }
    }

    /**
     * MySQL and MariaDB: sets the ids of rows that hold the ids that were read, even if nothing locks them. Finds each
     * row by its key: an UPDATE might scan the table, and wait for locks of other rows.
     *
     * @param read by name, also of other rows
     * @return how many rows were changed
     */
    int replace(String table, Map<String, Long> read, Map<String, Long> ids) throws SQLException {
        Map<String, Long> expected = new LinkedHashMap<>();
        ids.keySet().forEach(name -> expected.put(name, Objects.requireNonNull(read.get(name))));
        try (PreparedStatement replace = connection.prepareStatement(insertInto(table, ids)
                + " ON DUPLICATE KEY UPDATE id = IF((name, id) IN (" + pairs(ids) + "), VALUES(id), id)")) {
            setPairs(replace, setPairs(replace, 0, ids), expected);
            // A row that is changed counts twice.
            return replace.executeUpdate() / 2;
        }
    }

    private static String insertInto(String table, Map<String, Long> ids) {
        return "INSERT INTO " + table + " (name, id) VALUES " + pairs(ids);
    }

    private static String pairs(Map<String, Long> ids) {
        return String.join(", ", Collections.nCopies(ids.size(), "(?, ?)"));
    }

    /** Sets parameters after the first {@code before} ones. Returns the number of the last. */
    private static int setPairs(PreparedStatement statement, int before, Map<String, Long> ids) throws SQLException {
        int parameter = before;
        for (Map.Entry<String, Long> each : ids.entrySet()) {
            statement.setString(++parameter, each.getKey());
            statement.setLong(++parameter, each.getValue());
        }
        return parameter;
    }
}
