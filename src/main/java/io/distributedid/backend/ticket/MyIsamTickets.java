package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Tickets of a MyISAM or Aria table, as Flickr had it. Its counter follows the largest id in the table, whatever a session's
 * increment, so that a block of n ids needs the table for itself:
 *
 * <pre>
 * LOCK TABLES Tickets64 WRITE, distributedid_record READ;
 * SELECT generation FROM distributedid_record WHERE counter = 'Tickets64/a' AND server = 0;
 * SELECT id FROM Tickets64 WHERE stub = 'a';
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', id + S * (n - 1));
 * UNLOCK TABLES;
 * </pre>
 *
 * <p>No number is drawn if the record has changed, or the row lies below the numbers that this process has had. Plain REPLACEs of
 * other clients wait meanwhile. A client that dies in between loses the lock with its connection, and leaves
 * a gap. The user needs the privilege LOCK TABLES. Outlives the crash of a server, but not of its machine, which is logged
 * as a warning. For one thread at a time.
 */
final class MyIsamTickets implements TicketCounter {

    private static final Logger LOG = System.getLogger(MyIsamTickets.class.getName());

    private final Together together;

    private final TicketSql sql;

    private final SessionNumbers numbers;

    /** Work on the locked table. */
    @FunctionalInterface
    private interface Work<T> {

        T run() throws SQLException;
    }

    MyIsamTickets(Connection connection, TicketSql sql, SessionNumbers numbers) throws SQLException {
        this.together = Together.on(connection);
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
        List<Object> row = together.run(List.of(sql.last())).get(0);
        return row.isEmpty() ? 0 : UnsignedColumn.of(row.get(0));
    }

    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        together.run(List.of(numbers.moveOnBy(1)));
        String locks = sql.table() + " WRITE"
                + draw.fence().map(fence -> ", " + fence.table() + " READ").orElse("");
        Optional<Block> block = locked(locks, () -> draw(draw));
        if (block.isPresent() && draw.note().isPresent()) {
            WitnessNote note = draw.note().get();
            together.run(List.of(note.sql("'" + note.key() + "'")));
        }
        return block;
    }

    private Optional<Block> draw(Draw draw) throws SQLException {
        if (draw.fence().isPresent()) {
            List<Object> record = together.run(
                            List.of(TicketSql.generation(draw.fence().get())))
                    .get(0);
            if (!TicketSql.isCurrent(draw.fence().get(), record)) {
                return Optional.empty();
            }
        }
        long before = last();
        numbers.requireOurs(before);
        if (before < draw.own()) {
            return Optional.empty();
        }
        List<Object> row =
                together.run(List.of(sql.draw(), SessionNumbers.drawn())).get(0);
        Block block = numbers.blockFrom(row, Math.min(draw.wanted(), numbers.longest()));
        if (block.count() > 1) {
            together.run(List.of(sql.insertId(block.last())));
        }
        if (sql.leavesRows()) {
            together.run(List.of(sql.deleteBelow(before)));
        }
        return Optional.of(block);
    }

    @Override
    public void raise(long last) throws SQLException {
        if (last() < last) {
            together.run(List.of(sql.insertId(last)));
        }
    }

    /** A table lock stands in for the lock of the row; the record's row is written in a transaction within it. */
    @Override
    public <T> T inTransaction(Connection connection, String recordTable, CounterSession.Work<T> work)
            throws SQLException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = locked(
                    sql.table() + " WRITE" + (recordTable.isEmpty() ? "" : ", " + recordTable + " WRITE"), () -> {
                        T made = work.run();
                        connection.commit();
                        return made;
                    });
        } catch (SQLException | RuntimeException e) {
            Transactions.rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    private <T> T locked(String tables, Work<T> work) throws SQLException {
        together.run(List.of("LOCK TABLES " + tables));
        try {
            return work.run();
        } catch (SQLException e) {
            if (SessionNumbers.isExhausted(e)) {
                throw numbers.exhausted(String.valueOf(e.getMessage()));
            }
            throw e;
        } finally {
            together.run(List.of("UNLOCK TABLES"));
        }
    }
}
