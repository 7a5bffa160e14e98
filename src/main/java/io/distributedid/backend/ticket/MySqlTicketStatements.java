package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Fence;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.internal.counting.sql.SkipLocked;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The statements of a ticket table on MySQL and MariaDB. They set {@code auto_increment_increment} and
 * {@code auto_increment_offset} for the session, and verify both with each number that they read.
 *
 * <p>Several statements take one round trip where {@link MySqlTrips} can. For one thread at a time.
 */
final class MySqlTicketStatements {

    private static final Logger LOG = System.getLogger(MySqlTicketStatements.class.getName());

    /** A server reduces a larger increment to this, with only a warning. */
    private static final long MAX_INCREMENT = 65_535;

    /** The most rows that one clean-up deletes. */
    private static final int CLEAN_UP_ROWS = 10_000;

    /** ER_WARN_DATA_OUT_OF_RANGE. */
    private static final int OUT_OF_RANGE = 1264;

    /** ER_AUTOINC_READ_FAILED. */
    private static final int NO_VALUE_LEFT = 1467;

    private final MySqlTrips trips;

    private final TicketTable counter;

    private final String table;

    private final TicketStyle style;

    private final Numbering numbering;

    private final long largest;

    /** The session's increment for the next row, as {@link #moveOnBy} set it. */
    private long increment;

    private MySqlTicketStatements(TicketCounter.Place place, long largest, MySqlTrips trips) {
        this.trips = trips;
        this.counter = place.table();
        this.table = place.table().name();
        this.style = place.table().style();
        this.numbering = place.numbering();
        this.largest = largest;
    }

    /** The column holds numbers up to {@code largest}. */
    static MySqlTicketStatements of(TicketCounter.Place place, long largest, MySqlTrips trips) {
        return new MySqlTicketStatements(place, largest, trips);
    }

    /** The largest number that the column holds. */
    long largest() {
        return largest;
    }

    MySqlTrips trips() {
        return trips;
    }

    /**
     * Returns the first row of each query; an empty list if the query found no row. Other statements add nothing.
     *
     * @throws IdsExhaustedException if the column holds no larger number
     */
    List<List<Object>> run(List<String> statements) throws SQLException {
        try {
            return trips.run(statements).stream()
                    .map(rows -> rows.isEmpty() ? List.of() : rows.get(0))
                    .toList();
        } catch (SQLException e) {
            if (isExhausted(e)) {
                throw exhausted(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    /** Whether a column holds no larger number. */
    static boolean isExhausted(SQLException e) {
        return e.getErrorCode() == OUT_OF_RANGE || e.getErrorCode() == NO_VALUE_LEFT;
    }

    /** The most ids that a block can have. */
    long longest() {
        return MAX_INCREMENT / numbering.increment();
    }

    /** The difference between the last and the first of {@code length} ids. */
    long span(long length) {
        return (length - 1) * numbering.increment();
    }

    /** With this statement the session's next row moves the counter on by {@code rows} ids. */
    String moveOnBy(long rows) {
        increment = rows * numbering.increment();
        return "SET SESSION auto_increment_increment = " + increment + ", auto_increment_offset = "
                + numbering.offset();
    }

    /** The query whose row {@link #blockFrom} needs. */
    static String drawn() {
        return "SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset";
    }

    /** The block of {@code length} ids whose first is the row's number. */
    Block blockFrom(List<Object> row, long length) throws SQLException {
        long first = UnsignedColumn.of(row.get(0));
        Numbering session = new Numbering(UnsignedColumn.of(row.get(1)), UnsignedColumn.of(row.get(2)));
        Numbering expected = new Numbering(increment, numbering.offset());
        if (!session.equals(expected) || !numbering.holds(first)) {
            throw new SQLException("The server must number rows as the session has set it: id=" + first + " " + session
                    + ", expected: " + expected + ". Does a proxy share sessions between clients?");
        }
        return inRange(first, length);
    }

    /** Refuses a counter from which a client with another numbering has drawn. */
    void requireOurs(long last) {
        if (last > 0 && !numbering.holds(last)) {
            throw new IdConfigurationException("A ticket table has an id that its server never gives: id=" + last + ", "
                    + numbering + ". Does a client draw without the numbering, or did my.cnf change? Stop it and run:"
                    + " distributedid repair SEQ");
        }
    }

    /**
     * At the end of its column a server gives the largest number again and again, whatever the increment. The ids less
     * than one increment below the largest are therefore never used.
     */
    private Block inRange(long first, long length) {
        if (first > largest - length * numbering.increment()) {
            throw exhausted("id=" + first);
        }
        return new Block(first, numbering.increment(), length);
    }

    private IdsExhaustedException exhausted(String detail) {
        return new IdsExhaustedException("A ticket table has come to the end of its column: " + detail
                + ", allowed: up to " + (largest - numbering.increment())
                + ". Give the column id a wider type, or the sequence another table");
    }

    String table() {
        return table;
    }

    String draw() {
        return switch (style) {
            case REPLACE -> "REPLACE INTO " + table + " (stub) VALUES ('" + TicketDialect.STUB + "')";
            case INSERT -> "INSERT INTO " + table + " () VALUES ()";
        };
    }

    /** Reads the last number; 0 if there is no row. */
    long readLast(String lockClause) throws SQLException {
        List<Object> row = run(List.of(last() + lockClause)).get(0);
        return row.isEmpty() ? 0 : UnsignedColumn.of(row.get(0));
    }

    String last() {
        return switch (style) {
            case REPLACE -> "SELECT id FROM " + table + " WHERE stub = '" + TicketDialect.STUB + "'";
            case INSERT -> "SELECT MAX(id) FROM " + table + " HAVING MAX(id) IS NOT NULL";
        };
    }

    /** As {@link #last}, for the first statement of a draw. Locks the row that it will replace. */
    String lastLocked() {
        return leavesRows() ? last() : last() + " FOR UPDATE";
    }

    /** Writes a row with that id. The next numbers lie above it. */
    String insertId(Object id) {
        return switch (style) {
            case REPLACE -> "REPLACE INTO " + table + " (stub, id) VALUES ('" + TicketDialect.STUB + "', " + id + ")";
            case INSERT -> "INSERT INTO " + table + " (id) VALUES (" + id + ")";
        };
    }

    /** As {@link #last}. Locks the row, unless another transaction has: then it is not found. */
    String lastUnlessLocked(SkipLocked locks) {
        return last() + locks.update();
    }

    /** Writes a row that moves the counter on to above {@code last}, after a draw has shown that it lies below. */
    String raiseAbove(long last) {
        LOG.log(
                Level.WARNING,
                "The counter of a ticket table lay below its own ids, and is raised: table={0} id={1}. Was its engine"
                        + " changed while ids were drawn?",
                table,
                String.valueOf(last));
        return switch (style) {
            case REPLACE -> insertId(last);
            case INSERT -> insertId(last + numbering.increment());
        };
    }

    String engine() {
        return ofTable("ENGINE");
    }

    /** The server's AUTO_INCREMENT of the table, which is its next number; may be NULL. */
    String nextNumber() {
        return ofTable("AUTO_INCREMENT");
    }

    private String ofTable(String column) {
        return "SELECT " + column + " FROM information_schema.TABLES WHERE TABLE_SCHEMA = " + schema()
                + " AND TABLE_NAME = '" + unqualified() + "'";
    }

    /** The table's schema, in SQL. */
    String schema() {
        return counter.schema();
    }

    /** The table's name without its schema. */
    String unqualified() {
        return counter.unqualified();
    }

    static String generation(Fence fence) {
        return "SELECT generation FROM " + fence.table() + " WHERE counter = '" + fence.key() + "' AND server = 0";
    }

    /**
     * The highest id in the counter's own record: its floor, or how far it had come. If it is a number of the server or
     * lies above one, the server gave ids, or was raised.
     */
    String recorded(Fence fence) {
        return "SELECT MAX(last_id) FROM " + fence.table() + " WHERE counter = '" + fence.key() + "' AND server IN (0, "
                + numbering.offset() + ")";
    }

    /** Whether a counter without a row has had one, by a row of {@link #recorded}. */
    boolean hadRow(List<Object> row) throws SQLException {
        Object highest = row.isEmpty() ? null : row.get(0);
        return highest != null && Long.parseLong(String.valueOf(highest)) >= numbering.after(0);
    }

    /** The draw's note, in SQL; empty if there is none. {@code last}: the id of the row, 0 if there was no row. */
    Optional<String> note(Draw draw, long last) {
        return (last > 0 ? draw.note() : draw.firstNote(numbering)).map(note -> note.sql("'" + note.key() + "'"));
    }

    /** Whether a row of {@link #generation} has the generation that the fence expects. */
    static boolean isCurrent(Fence fence, List<Object> row) {
        return !row.isEmpty() && String.valueOf(row.get(0)).equals(Long.toString(fence.generation()));
    }

    /** Whether each draw adds a row, so that old rows must be deleted. */
    boolean leavesRows() {
        return style == TicketStyle.INSERT;
    }

    /** Deletes rows with smaller ids. The row with the largest id must stay. */
    String deleteBelow(long id) {
        return "DELETE FROM " + table + " WHERE id < " + id + " ORDER BY id LIMIT " + CLEAN_UP_ROWS;
    }
}
