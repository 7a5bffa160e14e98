package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tickets of a MyISAM or Aria table, as Flickr had it. The counter of these engines follows the largest id in the
 * table, whatever the session's increment. A block of n ids therefore needs a table lock:
 *
 * <pre>
 * LOCK TABLES Tickets64 WRITE, distributedid_record READ;
 * SELECT generation FROM distributedid_record WHERE counter = 'Tickets64/a' AND server = 0;
 * SELECT id FROM Tickets64 WHERE stub = 'a';
 * SELECT MAX(last_id) FROM distributedid_record WHERE ... (only if there is no row);
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', id + S * (n - 1));
 * UNLOCK TABLES;
 * </pre>
 *
 * <p>No number is drawn if the record has changed, or if the row lies below the numbers that this process knows of. The
 * draw of the first numbers writes into the record that there are some, see {@link InnoDbTickets}. A number that is not
 * above the row's former id is not used, see {@link InnoDbTickets}. Plain REPLACEs of other clients wait for the lock.
 * A client that dies while it holds the lock loses it with its connection, and leaves a gap. The user needs the
 * privilege LOCK TABLES. The counter survives a crash of the server process, but not of its machine; a warning in the
 * log says so. For one thread at a time.
 */
final class MyIsamTickets extends TicketCounter {

    private static final Logger LOG = System.getLogger(MyIsamTickets.class.getName());

    private final MySqlTicketStatements statements;

    MyIsamTickets(Place place, MySqlTicketStatements statements) {
        super(place);
        this.statements = statements;
        LOG.log(
                Level.WARNING,
                "The ticket table {0} is no InnoDB table: after a power failure its counter may go back, and give ids"
                        + " again. Convert it with ALTER TABLE {0} ENGINE=InnoDB",
                statements.table());
    }

    @Override
    public long largest() {
        return statements.largest();
    }

    /** A table lock would end the transaction of the others. */
    @Override
    boolean sharesTransactions() {
        return false;
    }

    /** 0 without a row. A new table has none; the record shows whether the row was lost. */
    @Override
    public OptionalLong last() throws SQLException {
        return OptionalLong.of(statements.readLast(""));
    }

    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        statements.run(List.of(statements.moveOnBy(1)));
        String access = draw.lastKnown() == 0 ? " WRITE" : " READ";
        String locks = statements.table() + " WRITE"
                + draw.fence().map(fence -> ", " + fence.table() + access).orElse("");
        Optional<Block> block = locked(locks, () -> draw(draw));
        if (block.isPresent() && draw.note().isPresent()) {
            WitnessNote note = draw.note().get();
            statements.run(List.of(note.sql("'" + note.key() + "'")));
        }
        return block;
    }

    private Optional<Block> draw(Draw draw) throws SQLException {
        if (draw.fence().isPresent()) {
            List<Object> record = statements
                    .run(List.of(MySqlTicketStatements.generation(draw.fence().get())))
                    .get(0);
            if (!MySqlTicketStatements.isCurrent(draw.fence().get(), record)) {
                return Optional.empty();
            }
        }
        long before = statements.readLast("");
        statements.requireOurs(before);
        if (before < draw.lastKnown() || (before == 0 && isLost(draw))) {
            return Optional.empty();
        }
        List<Object> row = statements
                .run(List.of(statements.draw(), MySqlTicketStatements.drawn()))
                .get(0);
        Block block = statements.blockFrom(row, Math.min(draw.wanted(), statements.longest()));
        if (block.first() <= before) {
            statements.run(List.of(statements.raiseAbove(before)));
            return Optional.empty();
        }
        if (block.count() > 1) {
            statements.run(List.of(statements.insertId(block.last())));
        }
        if (before == 0) {
            Optional<String> note = statements.note(draw, before);
            if (note.isPresent()) {
                statements.run(List.of(note.get()));
            }
        }
        if (statements.leavesRows()) {
            statements.run(List.of(statements.deleteBelow(before)));
        }
        return Optional.of(block);
    }

    private boolean isLost(Draw draw) throws SQLException {
        return draw.fence().isPresent()
                && statements.hadRow(statements
                        .run(List.of(statements.recorded(draw.fence().get())))
                        .get(0));
    }

    @Override
    void raiseTo(long last) throws SQLException {
        if (statements.readLast("") < last) {
            statements.run(List.of(statements.insertId(last)));
        }
    }

    /** A table lock replaces the row lock. The record's row is written in a transaction while the lock is held. */
    @Override
    public <T> T inTransaction(Work<T> work) throws SQLException {
        Connection connection = connection();
        String recorded = record().isDenied() ? "" : ", " + record().table() + " WRITE";
        connection.setAutoCommit(false);
        T result;
        try {
            result = locked(statements.table() + " WRITE" + recorded, () -> {
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
        statements.run(List.of("LOCK TABLES " + tables));
        try {
            return work.run();
        } finally {
            statements.run(List.of("UNLOCK TABLES"));
        }
    }
}
