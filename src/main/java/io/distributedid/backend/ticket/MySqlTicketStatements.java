package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Fence;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of a ticket table on MySQL and MariaDB, and how the session numbers its rows:
 * {@code auto_increment_increment} and {@code auto_increment_offset} are set for it, and verified with each number that
 * is read.
 *
 * <p>Several statements are one round trip where the connection allows it ({@code allowMultiQueries}, which connections
 * that are configured by URL have), else they run one after the other. After the first that fails no other is run. For
 * one thread at a time.
 */
final class MySqlTicketStatements {

    /** A server cuts the session's increment to this, with no more than a warning. */
    private static final long MAX_INCREMENT = 65_535;

    /** Rows that one clean-up deletes at most. */
    private static final int CLEAN_UP_ROWS = 10_000;

    /** Out of range for the column; no auto-increment value left. */
    private static final int OUT_OF_RANGE = 1264;

    private static final int NO_VALUE_LEFT = 1467;

    private final Connection connection;

    private final boolean inOneTrip;

    private final String table;

    private final TicketStyle style;

    private final Numbering numbering;

    private final long largest;

    /** What the session was set to before the last row. */
    private long increment;

    private MySqlTicketStatements(TicketCounter.Place place, long largest, boolean inOneTrip) {
        this.connection = place.connection();
        this.inOneTrip = inOneTrip;
        this.table = place.table().name();
        this.style = place.table().style();
        this.numbering = place.numbering();
        this.largest = largest;
    }

    /**
     * Tries whether the connection runs several statements in one round trip.
     *
     * @param largest the largest number that the column holds
     */
    static MySqlTicketStatements of(TicketCounter.Place place, long largest) throws SQLException {
        try (Statement statement = place.connection().createStatement()) {
            statement.execute("DO 0; DO 0");
            return new MySqlTicketStatements(place, largest, true);
        } catch (SQLException e) {
            if (e.getSQLState() != null && e.getSQLState().startsWith("42")) {
                return new MySqlTicketStatements(place, largest, false);
            }
            throw e;
        }
    }

    /**
     * Returns the first row of each query, as objects; an empty list for one without a row. Statements that return no
     * rows add nothing.
     */
    List<List<Object>> run(List<String> statements) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            if (inOneTrip) {
                run(statement, String.join("; ", statements), rows);
            } else {
                for (String each : statements) {
                    run(statement, each, rows);
                }
            }
        }
        return rows;
    }

    private static void run(Statement statement, String sql, List<List<Object>> rows) throws SQLException {
        boolean isQuery = statement.execute(sql);
        while (isQuery || statement.getUpdateCount() >= 0) {
            if (isQuery) {
                try (ResultSet result = statement.getResultSet()) {
                    rows.add(result.next() ? row(result) : List.of());
                }
            }
            isQuery = statement.getMoreResults();
        }
    }

    private static List<Object> row(ResultSet result) throws SQLException {
        List<Object> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
            row.add(result.getObject(column));
        }
        return row;
    }

    /** The largest number of ids in a block. */
    long longest() {
        return MAX_INCREMENT / numbering.increment();
    }

    /** How far the last of so many ids lies above the first. */
    long span(long length) {
        return (length - 1) * numbering.increment();
    }

    /** The statement that makes the session's next row move the counter on by {@code rows} ids. */
    String moveOnBy(long rows) {
        increment = rows * numbering.increment();
        return "SET SESSION auto_increment_increment = " + increment + ", auto_increment_offset = "
                + numbering.offset();
    }

    /** The query whose row {@link #blockFrom} needs. */
    static String drawn() {
        return "SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset";
    }

    /** The row's number, as the first of {@code length} ids. */
    Block blockFrom(List<Object> row, long length) throws SQLException {
        long first = UnsignedColumn.of(row.get(0));
        Numbering session = new Numbering(UnsignedColumn.of(row.get(1)), UnsignedColumn.of(row.get(2)));
        Numbering expected = new Numbering(increment, numbering.offset());
        if (!session.equals(expected) || !numbering.holds(first)) {
            throw new SQLException("The server did not number as its session was told to: id=" + first + " " + session
                    + ", expected: " + expected + ". Is there a proxy that shares sessions?");
        }
        return inRange(first, length);
    }

    /** Refuses a counter at which a client with another numbering has drawn. */
    void requireOurs(long last) {
        if (last > 0 && !numbering.holds(last)) {
            throw new IdConfigurationException("A ticket table has an id that its server never gives: id=" + last + ", "
                    + numbering + ". Does a client draw without the numbering, or did my.cnf change? Stop it and run:"
                    + " distributedid repair SEQ");
        }
    }

    /**
     * At the end of its column a server gives the largest number again and again, whatever the increment: ids less than
     * one increment below it are never used.
     */
    private Block inRange(long first, long length) {
        if (first > largest - length * numbering.increment()) {
            throw exhausted("id=" + first);
        }
        return new Block(first, numbering.increment(), length);
    }

    /** Whether a server says that the column holds no larger number. */
    static boolean isExhausted(SQLException e) {
        return e.getErrorCode() == OUT_OF_RANGE || e.getErrorCode() == NO_VALUE_LEFT;
    }

    IdsExhaustedException exhausted(String said) {
        return new IdsExhaustedException("A ticket table has come to the end of its column: " + said
                + ", allowed: up to " + (largest - numbering.increment())
                + ". Give the column id a wider type, or the sequence another table");
    }

    String table() {
        return table;
    }

    /** Draws the next number. */
    String draw() {
        return switch (style) {
            case REPLACE -> "REPLACE INTO " + table + " (stub) VALUES ('" + TicketDialect.STUB + "')";
            case INSERT -> "INSERT INTO " + table + " () VALUES ()";
        };
    }

    /** Reads the last number. */
    String last() {
        return switch (style) {
            case REPLACE -> "SELECT id FROM " + table + " WHERE stub = '" + TicketDialect.STUB + "'";
            case INSERT -> "SELECT MAX(id) FROM " + table + " HAVING MAX(id) IS NOT NULL";
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
