package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.DatabaseProduct;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Checks the definition of a sequence table. Refuses a table that may give an id twice: its column {@code id} ends
 * before 2^63-1 or rounds, a crash empties it, or it may hold a name twice.
 *
 * <pre>
 * SELECT * FROM sequence WHERE 1 = 0;
 * </pre>
 *
 * <p>The query shows the columns. {@link SequenceTableStorage} asks each product's catalog whether the table survives a
 * crash.
 */
final class SequenceTableLook {

    private record Column(String type, long largest) {}

    private SequenceTableLook() {}

    static void require(Connection connection, String table, String label) throws SQLException {
        String where = "table=" + table + " on " + label;
        SequenceTableStorage storage = SequenceTableStorage.of(DatabaseProduct.of(connection));
        try (Statement statement = connection.createStatement()) {
            SequenceTableStorage.Found found = storage.read(connection, table);
            requireDurable(found, storage, table, where);
            Column id = requireColumns(statement, table, where, storage);
            if (id.largest < Long.MAX_VALUE) {
                throw new IdConfigurationException("A sequence table's ids must be whole numbers of 64 bits: " + where
                        + " id=" + id.type + ", allowed: " + storage.idTypes() + ". Give the column that type: "
                        + storage.widen(table));
            }
            if (!found.uniqueNames()) {
                throw new IdConfigurationException("A sequence table must have one row for a name: " + where
                        + " has no primary or unique key on the column name alone. Keep the highest row of each name,"
                        + " and add one: ALTER TABLE " + table + " ADD UNIQUE (name)");
            }
        }
    }

    private static void requireDurable(
            SequenceTableStorage.Found found, SequenceTableStorage storage, String table, String where) {
        String broken = "A sequence table must keep its rows over a crash: " + where + " " + found.property();
        switch (found.verdict()) {
            case DURABLE -> {}
            case VOLATILE ->
                throw new IdConfigurationException(broken + ". Change it: " + storage.makeDurable(table)
                        + ". If the server has crashed since the table was created, first raise its rows above every"
                        + " id in use");
            case NO_TABLE ->
                throw new IdConfigurationException(broken + ". Name a plain table: distributedid.sequence_table.table");
        }
    }

    /** Returns the column {@code id}. */
    private static Column requireColumns(Statement statement, String table, String where, SequenceTableStorage storage)
            throws SQLException {
        Map<String, Column> found = new HashMap<>();
        try (ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            ResultSetMetaData columns = none.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                found.put(
                        columns.getColumnLabel(i).toLowerCase(Locale.ROOT),
                        new Column(columns.getColumnTypeName(i), largest(columns, i, storage.decimalsAreExact())));
            }
        }
        Column id = found.get("id");
        if (id == null || !found.containsKey("name")) {
            throw new IdConfigurationException("A sequence table must have the columns name and id: " + where
                    + " columns=" + new TreeSet<>(found.keySet()) + ", allowed: name VARCHAR(50), id "
                    + storage.idTypes() + ". Name such a table: distributedid.sequence_table.table");
        }
        return id;
    }

    private static long largest(ResultSetMetaData columns, int column, boolean decimalsAreExact) throws SQLException {
        return switch (columns.getColumnType(column)) {
            case Types.BIGINT -> Long.MAX_VALUE;
            case Types.INTEGER -> columns.isSigned(column) ? Integer.MAX_VALUE : 2L * Integer.MAX_VALUE + 1;
            case Types.DECIMAL, Types.NUMERIC ->
                decimalsAreExact && columns.getScale(column) == 0
                        ? BigInteger.TEN
                                .pow(columns.getPrecision(column))
                                .subtract(BigInteger.ONE)
                                .min(BigInteger.valueOf(Long.MAX_VALUE))
                                .longValueExact()
                        : 0;
            default -> 0;
        };
    }
}
