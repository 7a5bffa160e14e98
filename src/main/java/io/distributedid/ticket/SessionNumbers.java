package io.distributedid.ticket;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

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

    private final Connection connection;

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
    SessionNumbers(Connection connection, Numbering numbering, long largest) {
        this.connection = connection;
        this.numbering = numbering;
        this.largest = largest;
    }

    /** The largest number of ids in a block. */
    long longest() {
        return MAX_INCREMENT / numbering.increment();
    }

    /** Makes the session's next row move the counter on by {@code rows} ids. */
    void moveOnBy(long rows) throws SQLException {
        increment = rows * numbering.increment();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + increment + ", auto_increment_offset = "
                    + numbering.offset());
        }
    }

    /** The row's number, as the first of {@code length} ids. */
    Block blockFrom(Statement statement, long length) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset")) {
            row.next();
            long first = UnsignedColumn.read(row, 1);
            Numbering session = new Numbering(row.getLong(2), row.getLong(3));
            Numbering expected = new Numbering(increment, numbering.offset());
            if (!session.equals(expected) || !numbering.holds(first)) {
                throw new SQLException("The server did not number as its session was told to: id=" + first + " "
                        + session + ", expected: " + expected + ". Is there a proxy that shares sessions?");
            }
            return inRange(first, length);
        }
    }

    /** At the end of its column a server gives the largest number again and again, so that one is never used. */
    private Block inRange(long first, long length) {
        if (first > largest - 1 - (length - 1) * numbering.increment()) {
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
                + ", allowed: below " + largest + ". Give the column id a wider type, or the sequence another table");
    }
}
