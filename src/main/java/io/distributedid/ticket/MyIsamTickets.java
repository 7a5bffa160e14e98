package io.distributedid.ticket;

import io.distributedid.internal.UnsignedColumn;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Tickets of a MyISAM or Aria table, as Flickr had it. Its counter follows the largest id in the table, whatever a session's
 * increment, so that a block of n ids needs the table for itself:
 *
 * <pre>
 * LOCK TABLES Tickets64 WRITE;
 * SELECT id FROM Tickets64 WHERE stub = 'a';
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', id + S * (n - 1));
 * UNLOCK TABLES;
 * </pre>
 *
 * <p>No number is drawn if the row lies below those that this process has had. Plain REPLACEs of other clients wait meanwhile. A client that dies in between loses the lock with its connection, and leaves
 * a gap. The user needs the privilege LOCK TABLES. Outlives the crash of a server, but not of its machine, which is logged
 * as a warning. For one thread at a time.
 */
final class MyIsamTickets implements TicketCounter {

    private static final Logger LOG = System.getLogger(MyIsamTickets.class.getName());

    private final Connection connection;

    private final TicketSql sql;

    private final SessionNumbers numbers;

    /** Work on the locked table. */
    @FunctionalInterface
    private interface Work<T> {

        T in(Statement statement) throws SQLException;
    }

    MyIsamTickets(Connection connection, TicketSql sql, SessionNumbers numbers) {
        this.connection = connection;
        this.sql = sql;
        this.numbers = numbers;
        LOG.log(
                Level.WARNING,
                "The ticket table {0} is no InnoDB table: after a power failure its counter may go back, and give ids"
                        + " again. Convert it with ALTER TABLE {0} ENGINE=InnoDB",
                sql.table());
    }

    @Override
    public long last() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return last(statement);
        }
    }

    private long last(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql.last())) {
            return row.next() ? UnsignedColumn.read(row, 1) : 0;
        }
    }

    @Override
    public Optional<Block> reserve(long wanted, long own) throws SQLException {
        numbers.moveOnBy(1);
        return locked(statement -> {
            long before = last(statement);
            if (before < own) {
                return Optional.empty();
            }
            statement.executeUpdate(sql.draw());
            Block block = numbers.blockFrom(statement, Math.min(wanted, numbers.longest()));
            if (block.count() > 1) {
                statement.executeUpdate(sql.insertId(block.last()));
            }
            if (sql.leavesRows()) {
                statement.executeUpdate(sql.deleteBelow(before));
            }
            return Optional.of(block);
        });
    }

    @Override
    public void raise(long last) throws SQLException {
        locked(statement -> last(statement) >= last || statement.execute(sql.insertId(last)));
    }

    private <T> T locked(Work<T> work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES " + sql.table() + " WRITE");
            try {
                return work.in(statement);
            } catch (SQLException e) {
                if (SessionNumbers.isExhausted(e)) {
                    throw numbers.exhausted(String.valueOf(e.getMessage()));
                }
                throw e;
            } finally {
                statement.execute("UNLOCK TABLES");
            }
        }
    }
}
