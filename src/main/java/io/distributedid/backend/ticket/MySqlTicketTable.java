package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.MySqlTable;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of a ticket table on MySQL or MariaDB.
 *
 * @param engine as the server spells it
 * @param end the largest number that the column holds, at most 2^63-1
 */
record MySqlTicketTable(TicketTable table, String engine, long end) {

    private static final Pattern INTEGER = Pattern.compile("(\\w*int)(\\(\\d+\\))?( unsigned)?.*");

    private static final Map<String, Integer> BITS =
            Map.of("tinyint", 8, "smallint", 16, "mediumint", 24, "int", 32, "bigint", 64);

    private static final Pattern ENGINE = Pattern.compile("InnoDB|MyISAM|Aria", Pattern.CASE_INSENSITIVE);

    private record Column(String type, boolean autoIncrement, boolean needsValue) {}

    /** What the server says of a table, see {@link #queries}. */
    static final class Answers {

        private final TicketTable table;

        private String engine = "unknown";

        private Map<String, Column> columns = Map.of();

        private boolean isTemporary;

        private List<List<String>> uniqueKeys = List.of();

        Answers(TicketTable table) {
            this.table = table;
        }

        List<String> queries() {
            return List.of(
                    "SHOW COLUMNS FROM " + table.name(),
                    MySqlTable.ddlQuery(table.name()),
                    MySqlTable.keysQuery(table.name()),
                    MySqlTable.engineQuery(table.name()));
        }

        /** @param query the number of the query */
        void read(int query, ResultSet rows) throws SQLException {
            switch (query) {
                case 0 -> columns = columns(rows);
                case 1 -> isTemporary = MySqlTable.isTemporary(rows);
                case 2 -> uniqueKeys = MySqlTable.uniqueKeys(rows);
                default -> engine = MySqlTable.engine(rows);
            }
        }

        /** Refuses a table that can't give tickets in its style. */
        MySqlTicketTable table(String label) {
            String where = "table=" + table.name() + " on " + label;
            Column id = columns.get("id");
            if (id == null || !id.autoIncrement) {
                throw new IdConfigurationException("A ticket table must number its rows: " + where + " id="
                        + (id == null ? "missing" : id.type)
                        + ", allowed: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT. Create it as distributedid ddl prints");
            }
            requireStyle(where);
            MySqlTicketTable found =
                    new MySqlTicketTable(table, isTemporary ? "TEMPORARY" : engine, end(id.type, where));
            if (!ENGINE.matcher(found.engine).matches()) {
                throw new IdConfigurationException("A ticket table must keep its counter: " + where + " engine="
                        + found.engine + ", allowed: InnoDB, MyISAM, Aria");
            }
            return found;
        }

        private void requireStyle(String where) {
            boolean oneRow = uniqueKeys.contains(List.of("stub"));
            if (table.style() == TicketTable.Style.REPLACE && !oneRow) {
                throw new IdConfigurationException(
                        "REPLACE needs a unique key on stub, or leaves a row for each ticket: " + where
                                + " unique keys=" + uniqueKeys + ". Add one: ALTER TABLE " + table.name()
                                + " ADD UNIQUE KEY (stub); or set distributedid.ticket.style=insert");
            }
            if (table.style() == TicketTable.Style.INSERT && oneRow) {
                throw new IdConfigurationException("INSERT needs a table that holds many rows: " + where
                        + " unique keys=" + uniqueKeys + ". Set distributedid.ticket.style=replace, or drop the unique"
                        + " key on stub");
            }
            columns.forEach((name, column) -> {
                boolean isOurs =
                        name.equals("id") || (table.style() == TicketTable.Style.REPLACE && name.equals("stub"));
                if (column.needsValue && !isOurs) {
                    throw new IdConfigurationException("A ticket table's other columns must have defaults: " + where
                            + " column=" + name + ". Give it one: ALTER TABLE " + table.name() + " ALTER " + name
                            + " SET DEFAULT ...");
                }
            });
        }
    }

    private static Map<String, Column> columns(ResultSet row) throws SQLException {
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

    private static long end(String type, String where) {
        Matcher integer = INTEGER.matcher(type);
        Integer bits = integer.matches() ? BITS.get(integer.group(1)) : null;
        if (bits == null) {
            throw new IdConfigurationException("A ticket table's ids must be whole numbers: " + where + " id=" + type
                    + ", allowed: INT or BIGINT, UNSIGNED or not");
        }
        int used = Math.min(63, bits - (integer.group(3) == null ? 1 : 0));
        return BigInteger.TWO.pow(used).subtract(BigInteger.ONE).longValueExact();
    }

    /**
     * The largest id that it gives. At the end of its column a server may give the largest number again and again,
     * whatever the increment: numbers less than one increment below that are never used.
     */
    long largest(Numbering numbering) {
        return end - numbering.increment();
    }

    /** Whether a draw is a transaction, and may give a block. */
    boolean isTransactional() {
        return engine.equalsIgnoreCase("InnoDB");
    }
}
