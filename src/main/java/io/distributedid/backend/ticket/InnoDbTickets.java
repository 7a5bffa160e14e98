package io.distributedid.backend.ticket;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tickets of an InnoDB table. A block of n ids on a server with increment S and offset o takes three round trips, or
 * one for each statement on connections that allow no more:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT generation FROM distributedid_record WHERE counter = 'Tickets64/a' AND server = 0 LOCK IN SHARE MODE;
 * SELECT id FROM Tickets64 WHERE stub = 'a';
 * SELECT ENGINE FROM information_schema.TABLES WHERE ...;
 *
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o;
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', LAST_INSERT_ID() + S * (n - 1));
 * UPDATE distributedid_record SET last_id = ... (every sixteenth block);
 *
 * COMMIT;
 * </pre>
 *
 * <p>The first trip looks: the record is as this client knows it, and nobody can change it until the COMMIT; the row is
 * there, if this process has had numbers; its id has the server's remainder; the table is still an InnoDB table, and
 * nobody can alter it until the COMMIT.
 *
 * <p>The first REPLACE moves the server's counter on by S * n, so that id, id + S, ..., id + S * (n - 1) belong to the
 * caller. Clients with another n, and plain REPLACEs with increment S, keep the residue o and never overlap. The SELECT
 * also shows whether the session is still the one that was set: a proxy may have changed it, and a server cuts
 * increments above 65,535.
 *
 * <p>The second REPLACE is for restarts: MySQL 8 makes durable which id was written last, not how far the counter went,
 * and without it would give the rest of the block again to a client with a smaller n. A block of one needs none. The
 * block is handed out after the commit only.
 *
 * <p>Where rows are inserted, both REPLACEs are INSERTs, the row's id is {@code SELECT MAX(id) FROM Tickets64}, which
 * must not be below the numbers of this process, and every hundredth block is preceded by {@code DELETE FROM Tickets64
 * WHERE id < ... ORDER BY id LIMIT 10000}, up to this session's last block.
 *
 * <p>On Flickr's table, concurrent transactions deadlock. A deadlock left no trace, and the transaction is repeated
 * after a random pause. For one thread at a time.
 */
final class InnoDbTickets extends TicketCounter {

    private static final int DEADLOCK_RETRIES = 100;

    private static final int BLOCKS_PER_CLEAN_UP = 100;

    private final MySqlTicketStatements statements;

    private final boolean cachesStatistics;

    private long lastFirst;

    private long lastRead;

    private int blocks;

    /**
     * Draws nothing yet; {@code cachesStatistics} says whether the server answers from memory what it was asked before.
     */
    InnoDbTickets(Place place, MySqlTicketStatements statements, boolean cachesStatistics) {
        super(place);
        this.statements = statements;
        this.cachesStatistics = cachesStatistics;
    }

    /** A table without its row may be new, or have lost it: the record tells. */
    @Override
    public OptionalLong last() throws SQLException {
        try (Statement statement = connection().createStatement()) {
            lastRead = last(statement, "");
            return OptionalLong.of(lastRead);
        }
    }

    private long last(Statement statement, String lock) throws SQLException {
        try (ResultSet row = statement.executeQuery(statements.last() + lock)) {
            return row.next() ? UnsignedColumn.read(row, 1) : 0;
        }
    }

    /**
     * A plain REPLACE that drew its number before ours may write it after. The server's own counter lies above every
     * number that it drew, whatever the order in which they were written.
     */
    @Override
    public long slack() throws SQLException {
        if (statements.leavesRows()) {
            return 0;
        }
        List<String> asking = new ArrayList<>(List.of(statements.nextNumber()));
        if (cachesStatistics) {
            asking.add(0, "SET SESSION information_schema_stats_expiry = 0");
            asking.add("SET SESSION information_schema_stats_expiry = DEFAULT");
        }
        Object next = statements.run(asking).get(0).get(0);
        return next == null ? 0 : Math.max(0, UnsignedColumn.of(next) - 1 - lastRead);
    }

    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        cleanUp();
        for (int attempt = 1; ; attempt++) {
            try {
                Optional<Block> block = reserveOnce(draw);
                block.ifPresent(found -> lastFirst = found.first());
                return block;
            } catch (SQLException e) {
                if (MySqlTicketStatements.isExhausted(e)) {
                    throw statements.exhausted(String.valueOf(e.getMessage()));
                }
                if (!SqlErrors.isDeadlock(e) || attempt > DEADLOCK_RETRIES) {
                    throw e;
                }
            }
            Transactions.pause(attempt);
        }
    }

    /** A failure leaves nothing: after a deadlock the server has rolled back, after any other the connection is cut. */
    private Optional<Block> reserveOnce(Draw draw) throws SQLException {
        long length = Math.min(draw.wanted(), statements.longest());
        if (!mayDraw(draw)) {
            statements.run(List.of("ROLLBACK"));
            return Optional.empty();
        }
        // A statement that is no INSERT or the like comes first: else Connector/J asks whether the session is
        // read-only.
        List<String> drawing =
                new ArrayList<>(List.of(statements.moveOnBy(length), statements.draw(), MySqlTicketStatements.drawn()));
        if (length > 1) {
            drawing.add(statements.insertId("LAST_INSERT_ID() + " + statements.span(length)));
        }
        draw.note().ifPresent(note -> drawing.add(note.sql("'" + note.key() + "'")));
        Block block = statements.blockFrom(statements.run(drawing).get(0), length);
        statements.run(List.of("COMMIT"));
        return Optional.of(block);
    }

    private boolean mayDraw(Draw draw) throws SQLException {
        List<String> looking = new ArrayList<>(List.of("START TRANSACTION"));
        draw.fence().ifPresent(fence -> looking.add(MySqlTicketStatements.generation(fence) + " LOCK IN SHARE MODE"));
        looking.add(statements.last());
        looking.add(statements.engine());
        List<List<Object>> found = statements.run(looking);
        boolean isFenced = draw.fence().isPresent();
        if (isFenced && !MySqlTicketStatements.isCurrent(draw.fence().get(), found.get(0))) {
            return false;
        }
        List<Object> row = found.get(isFenced ? 1 : 0);
        long last = row.isEmpty() ? 0 : UnsignedColumn.of(row.get(0));
        statements.requireOurs(last);
        Object engine = found.get(isFenced ? 2 : 1).get(0);
        if (!"InnoDB".equalsIgnoreCase(String.valueOf(engine))) {
            throw new SQLException("The ticket table is no InnoDB table any more: table=" + statements.table()
                    + " engine=" + engine + ". It is looked at anew");
        }
        return statements.leavesRows() ? last >= draw.lastHere() : last > 0 || draw.lastHere() == 0;
    }

    private void cleanUp() throws SQLException {
        if (!statements.leavesRows() || ++blocks % BLOCKS_PER_CLEAN_UP != 0) {
            return;
        }
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate(statements.deleteBelow(lastFirst));
        } catch (SQLException e) {
            // The next clean-up will do.
            if (!SqlErrors.isDeadlock(e)) {
                throw e;
            }
        }
    }

    /**
     * An explicit id takes the counter above it. One below the counter would leave it alone, but make it look lower
     * than it is.
     */
    @Override
    void raiseTo(long last) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            if (last(statement, " FOR UPDATE") < last) {
                statement.execute(statements.insertId(last));
            }
        } catch (SQLException e) {
            if (MySqlTicketStatements.isExhausted(e)) {
                throw statements.exhausted(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }
}
