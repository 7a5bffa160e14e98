package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.MySqlTable;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of a ticket table on MySQL or MariaDB, from {@code SHOW COLUMNS} and {@link MySqlTable}.
 *
 * @param isTransactional whether the engine is InnoDB
 * @param largest the largest id that the column holds, at most 2^63-1
 */
record MySqlTicketTable(boolean isTransactional, long largest) {

    static final String INNODB = "InnoDB";

    private static final Pattern INTEGER = Pattern.compile("(tiny|small|medium|big)?int(\\(\\d+\\))?( unsigned)?.*");

    private static final Map<String, Integer> BITS = Map.of("tiny", 8, "small", 16, "medium", 24, "int", 32, "big", 64);

    record Column(String type, boolean autoIncrement, boolean needsValue) {}

    /** Reads a table, and refuses one that can't give tickets in the configured style. */
    static MySqlTicketTable read(Connection connection, TicketTable table, String label) throws SQLException {
        Map<String, Column> columns;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(columnsQuery(table))) {
            columns = columns(rows);
        }
        return of(table, columns, MySqlTable.read(connection, table.name()), label);
    }

    /** As {@link #read}, for a table that was read. */
    static MySqlTicketTable of(TicketTable table, Map<String, Column> columns, MySqlTable found, String label) {
        String where = table + " on " + label;
        Column id = columns.get("id");
        if (id == null || !id.autoIncrement) {
            throw new IdConfigurationException("A ticket table must number its rows: " + where + " id="
                    + (id == null ? "missing" : id.type)
                    + ", allowed: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT. Create it as distributedid ddl prints");
        }
        requireStyle(table, where, columns, found.uniqueKeys());
        return new MySqlTicketTable(isTransactional(found.engine(), where), largest(id.type, where));
    }

    private static void requireStyle(
            TicketTable table, String where, Map<String, Column> columns, List<List<String>> keys) {
        boolean oneRow = keys.contains(List.of("stub"));
        if (table.style() == TicketStyle.REPLACE && !oneRow) {
            throw new IdConfigurationException("REPLACE needs a unique key on stub, or leaves a row for each ticket: "
                    + where + " unique keys=" + keys + ". Add one: ALTER TABLE " + table.name()
                    + " ADD UNIQUE KEY (stub); or set distributedid.ticket.style=insert");
        }
        if (table.style() == TicketStyle.INSERT && oneRow) {
            throw new IdConfigurationException("INSERT needs a table that holds many rows: " + where + " unique keys="
                    + keys + ". Set distributedid.ticket.style=replace, or drop the unique key on stub");
        }
        columns.forEach((name, column) -> {
            boolean isOurs = name.equals("id") || (table.style() == TicketStyle.REPLACE && name.equals("stub"));
            if (column.needsValue && !isOurs) {
                throw new IdConfigurationException("A ticket table's other columns must have defaults: " + where
                        + " column=" + name + ". Give it one: ALTER TABLE " + table.name() + " ALTER " + name
                        + " SET DEFAULT ...");
            }
        });
    }

    static String columnsQuery(TicketTable table) {
        return "SHOW COLUMNS FROM " + table.name();
    }

    /** Reads the rows of {@link #columnsQuery}. Returns the columns by name, in lower case. */
    static Map<String, Column> columns(ResultSet row) throws SQLException {
        Map<String, Column> columns = new TreeMap<>();
        while (row.next()) {
            boolean autoIncrement =
                    row.getString("Extra").toLowerCase(Locale.ROOT).contains("auto_increment");
            boolean needsValue =
                    row.getString("Null").equals("NO") && row.getString("Default") == null && !autoIncrement;
            columns.put(
                    row.getString("Field").toLowerCase(Locale.ROOT),
                    new Column(row.getString("Type").toLowerCase(Locale.ROOT), autoIncrement, needsValue));
        }
        return columns;
    }

    private static boolean isTransactional(String engine, String where) {
        return switch (engine.toLowerCase(Locale.ROOT)) {
            case "innodb" -> true;
            case "myisam", "aria" -> false;
            default ->
                throw new IdConfigurationException("A ticket table must keep its counter: " + where + " engine="
                        + engine + ", allowed: InnoDB, MyISAM, Aria");
        };
    }

    private static long largest(String type, String where) {
        Matcher integer = INTEGER.matcher(type);
        if (!integer.matches()) {
            throw new IdConfigurationException("A ticket table's ids must be whole numbers: " + where + " id=" + type
                    + ", allowed: INT or BIGINT, UNSIGNED or not");
        }
        String size = integer.group(1) == null ? "int" : integer.group(1);
        int bits = BITS.getOrDefault(size, 64) - (integer.group(3) == null ? 1 : 0);
        return BigInteger.TWO.pow(Math.min(bits, 63)).subtract(BigInteger.ONE).longValueExact();
    }
}
