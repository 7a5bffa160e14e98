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
 * What a sequence table is like. A table is refused that may give an id twice: one whose column {@code id} ends before
 * 2^63-1 or rounds, one that a crash empties, and one that may hold a name twice.
 *
 * <pre>
 * SELECT * FROM sequence WHERE 1 = 0;
 * SELECT COUNT(*) FROM (SELECT name FROM sequence WHERE 1 = 0 UNION ALL SELECT 'a') probe WHERE name = 'A';
 * </pre>
 *
 * <p>The first shows the columns, the second whether names compare without regard to case: the union has the column's
 * collation. How the table is kept is asked in the product's own words, see {@link SequenceTableKeeping}.
 *
 * @param largest the largest id that the column holds, at most 2^63-1
 * @param namesIgnoreCase whether {@code Photos} and {@code photos} are one name
 */
record SequenceTableLook(long largest, boolean namesIgnoreCase) {

    private static final String KEEP_ROWS = "A sequence table must keep its rows over a crash: ";

    private record Column(String type, long largest) {}

    /**
     * Looks at a table.
     *
     * @throws SQLException if there is no such table, or the server failed
     * @throws IdConfigurationException if the table must not be used
     */
    static SequenceTableLook require(Connection connection, String table, String label) throws SQLException {
        String where = "table=" + table + " on " + label;
        SequenceTableKeeping keeping = SequenceTableKeeping.of(DatabaseProduct.of(connection));
        try (Statement statement = connection.createStatement()) {
            SequenceTableKeeping.Kept kept = keeping.read(connection, table);
            requireKept(kept, keeping, table, where);
            Column id = requireColumns(statement, table, where, keeping);
            if (id.largest < Long.MAX_VALUE) {
                throw new IdConfigurationException("A sequence table's ids must be whole numbers of 64 bits: " + where
                        + " id=" + id.type + ", allowed: " + keeping.idTypes() + ". Give the column that type: "
                        + keeping.widen(table));
            }
            if (!kept.uniqueNames()) {
                throw new IdConfigurationException("A sequence table must have one row for a name: " + where
                        + " has no primary or unique key on the column name alone. Keep the highest row of each name,"
                        + " and add one: ALTER TABLE " + table + " ADD UNIQUE (name)");
            }
            return new SequenceTableLook(id.largest, namesIgnoreCase(statement, table));
        }
    }

    private static void requireKept(
            SequenceTableKeeping.Kept kept, SequenceTableKeeping keeping, String table, String where) {
        String allowed = where + " " + keeping.property() + "=" + kept.value() + ", allowed: " + keeping.allowed();
        switch (kept.verdict()) {
            case KEPT -> {}
            case LOST ->
                throw new IdConfigurationException(KEEP_ROWS + allowed + ". Change it: " + keeping.keep(table)
                        + ". If the server has crashed since the table was created, first raise its rows above every"
                        + " id in use");
            case NO_TABLE ->
                throw new IdConfigurationException(
                        KEEP_ROWS + allowed + ". Name a plain table: distributedid.sequence_table.table");
        }
    }

    /** The column of ids. */
    private static Column requireColumns(Statement statement, String table, String where, SequenceTableKeeping keeping)
            throws SQLException {
        Map<String, Column> found = new HashMap<>();
        try (ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            ResultSetMetaData columns = none.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                found.put(
                        columns.getColumnLabel(i).toLowerCase(Locale.ROOT),
                        new Column(columns.getColumnTypeName(i), largest(columns, i, keeping.decimalsAreExact())));
            }
        }
        Column id = found.get("id");
        if (id == null || !found.containsKey("name")) {
            throw new IdConfigurationException("A sequence table must have the columns name and id: " + where
                    + " columns=" + new TreeSet<>(found.keySet()) + ", allowed: name VARCHAR(50), id "
                    + keeping.idTypes() + ". Name such a table: distributedid.sequence_table.table");
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

    private static boolean namesIgnoreCase(Statement statement, String table) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM (SELECT name FROM " + table
                + " WHERE 1 = 0 UNION ALL SELECT 'a') probe WHERE name = 'A'")) {
            row.next();
            return row.getLong(1) > 0;
        }
    }
}
