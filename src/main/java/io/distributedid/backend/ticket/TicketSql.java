package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.Fence;
import java.util.List;

/**
 * The statements of a {@link TicketStyle} on MySQL and MariaDB.
 *
 * @param draw draws the next number
 * @param last reads the last one
 * @param table the table's name
 * @param style whose statements these are
 */
record TicketSql(String draw, String last, String table, TicketStyle style) {

    /** Rows that one clean-up deletes at most. */
    private static final int CLEAN_UP_ROWS = 10_000;

    static TicketSql of(TicketTable table) {
        String name = table.name();
        return switch (table.style()) {
            case REPLACE ->
                new TicketSql(
                        "REPLACE INTO " + name + " (stub) VALUES ('" + TicketDialect.STUB + "')",
                        "SELECT id FROM " + name + " WHERE stub = '" + TicketDialect.STUB + "'",
                        name,
                        table.style());
            case INSERT ->
                new TicketSql(
                        "INSERT INTO " + name + " () VALUES ()",
                        "SELECT MAX(id) FROM " + name + " HAVING MAX(id) IS NOT NULL",
                        name,
                        table.style());
        };
    }

    /** Puts a row with that id: the next numbers lie above it. */
    String insertId(Object id) {
        return switch (style) {
            case REPLACE -> "REPLACE INTO " + table + " (stub, id) VALUES ('" + TicketDialect.STUB + "', " + id + ")";
            case INSERT -> "INSERT INTO " + table + " (id) VALUES (" + id + ")";
        };
    }

    /** Reads the table's engine. */
    String engine() {
        return ofTable("ENGINE");
    }

    /** Reads what the server's counter would give next; NULL if it does not say. */
    String nextNumber() {
        return ofTable("AUTO_INCREMENT");
    }

    private String ofTable(String column) {
        int dot = table.lastIndexOf('.');
        return "SELECT " + column + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                + (dot < 0 ? "DATABASE()" : "'" + table.substring(0, dot) + "'") + " AND TABLE_NAME = '"
                + table.substring(dot + 1) + "'";
    }

    /** Reads the generation of the counter's record. */
    static String generation(Fence fence) {
        return "SELECT generation FROM " + fence.table() + " WHERE counter = '" + fence.key() + "' AND server = 0";
    }

    /** Whether a row of {@link #generation} is the one that is expected. */
    static boolean isCurrent(Fence fence, List<Object> row) {
        return !row.isEmpty() && String.valueOf(row.get(0)).equals(Long.toString(fence.generation()));
    }

    /** Whether rows pile up, so that old ones have to be deleted. */
    boolean leavesRows() {
        return style == TicketStyle.INSERT;
    }

    /** Deletes rows with smaller ids; the row with the largest has to stay. */
    String deleteBelow(long id) {
        return "DELETE FROM " + table + " WHERE id < " + id + " ORDER BY id LIMIT " + CLEAN_UP_ROWS;
    }
}
