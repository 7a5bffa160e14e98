package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.List;

/**
 * How a session of MySQL numbers its rows: {@code auto_increment_increment} and {@code auto_increment_offset} are set for it, and
 * verified with each number that is read. For one thread at a time.
 */
final class SessionNumbers {

    /** A server cuts the session's increment to this, with no more than a warning. */
    private static final long MAX_INCREMENT = 65_535;

    /** Out of range for the column; no auto-increment value left. */
    private static final int OUT_OF_RANGE = 1264;

    private static final int NO_VALUE_LEFT = 1467;

    private final Numbering numbering;

    private final long largest;

    /** What the session was set to before the last row. */
    private long increment;

    /**
     * Sets nothing yet.
     *
     * @param numbering the server's part of the numbers
     * @param largest the largest number that the column holds
     */
    SessionNumbers(Numbering numbering, long largest) {
        this.numbering = numbering;
        this.largest = largest;
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

    /** The query that {@link #blockFrom} needs. */
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
     * At the end of its column a server gives the largest number again and again, whatever the increment: ids less than one increment
     * below it are never used.
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
}
