package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of an InnoDB table. A block of n ids on a server with increment S and offset o takes three round trips; on a
 * connection without {@code allowMultiQueries} each statement takes its own:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT generation FROM distributedid_record WHERE counter = 'Tickets64/a' AND server = 0 LOCK IN SHARE MODE;
 * SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE;
 * SELECT ENGINE FROM information_schema.TABLES WHERE ...;
 * SELECT MAX(last_id) FROM distributedid_record WHERE ... (only if this process knows of no id);
 *
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o;
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', LAST_INSERT_ID() + S * (n - 1));
 * UPDATE distributedid_record SET last_id = ... (every sixteenth block, and the first one of the table);
 *
 * COMMIT;
 * </pre>
 *
 * <p>The first trip checks four things. The record has the generation that this client knows; the lock keeps it until
 * the COMMIT. The row is there, if the table gave numbers. Its id has the server's remainder. The table is still an
 * InnoDB table; the transaction's metadata lock keeps it until the COMMIT.
 *
 * <p>A table that gave no numbers has no row either, and a truncated one begins with 1 again. So the draw of a table's
 * first numbers writes into the record that there are some, in the same transaction, and no later draw takes the table
 * for a new one.
 *
 * <p>The first REPLACE moves the server's counter on by S * n, so that id, id + S, ..., id + S * (n - 1) belong to the
 * caller. Clients with another n, and plain REPLACEs with increment S, keep the remainder o and never overlap. The
 * SELECT also verifies the session's variables: a proxy may have given us another session, and a server reduces
 * increments above 65,535.
 *
 * <p>The row is locked before a number is drawn, so that numbers are written in their order and the row never goes
 * back. Otherwise an ALTER TABLE to another engine could lose a block: it reads the server's counter before it waits
 * for the draws that are under way, and then sets the new counter above the row only. For the same reason a number that
 * is not above the row's former id is not used; the counter is raised above that id, and the next draw begins anew.
 *
 * <p>The second REPLACE is for restarts. MySQL 8 makes the id durable that was written last, but not the counter beyond
 * it. Without the second REPLACE, a restarted server would give the rest of the block again to a client with a smaller
 * n. A block of one needs none. The block is handed out only after the commit.
 *
 * <p>In the style INSERT, both REPLACEs are INSERTs, and the last id is {@code SELECT MAX(id) FROM Tickets64}, which
 * must not lie below the numbers of this process. Before every hundredth block, {@code DELETE FROM Tickets64 WHERE id <
 * ... ORDER BY id LIMIT 10000} removes rows up to this session's last block.
 *
 * <p>On Flickr's table, concurrent transactions deadlock. The server rolls back a deadlocked transaction completely,
 * and it is repeated after a random pause. A wait for a lock that the server ends is not repeated: it may have lasted
 * long. Several tables share these trips in an {@link InnoDbTicketBatch}. For one thread at a time.
 */
final class InnoDbTickets extends TicketCounter {

    private static final int DEADLOCK_RETRIES = 100;

    private static final int BLOCKS_PER_CLEAN_UP = 100;

    private final MySqlTicketStatements statements;

    private final boolean cachesStatistics;

    private long lastFirst;

    private long lastRead;

    private int blocks;

    /** {@code cachesStatistics}: whether the server caches {@code information_schema.TABLES.AUTO_INCREMENT}. */
    InnoDbTickets(Place place, MySqlTicketStatements statements, boolean cachesStatistics) {
        super(place);
        this.statements = statements;
        this.cachesStatistics = cachesStatistics;
    }

    /** Whether {@link InnoDbTicketBatch} can draw from it together with others. */
    boolean canShareTrips() {
        return sharesTransactions() && statements.trips().areShared();
    }

    /** A table with many rows is read, changed and drawn from alone. */
    @Override
    boolean sharesTransactions() {
        return !statements.leavesRows();
    }

    @Override
    public long largest() {
        return statements.largest();
    }

    MySqlTicketStatements statements() {
        return statements;
    }

    /** 0 without a row. A new table has none; the record shows whether the row was lost. */
    @Override
    public OptionalLong last() throws SQLException {
        lastRead = statements.readLast("");
        return OptionalLong.of(lastRead);
    }

    /**
     * A plain REPLACE that drew its number before ours may write it after ours. The server's own counter lies above all
     * numbers drawn, whatever the order in which they were written.
     */
    @Override
    public long slack() throws SQLException {
        if (statements.leavesRows()) {
            return 0;
        }
        Object next =
                statements.run(withoutCache(statements.nextNumber())).get(0).get(0);
        return slack(next, lastRead);
    }

    /** The statements that read {@code information_schema} as it is now. */
    List<String> withoutCache(String query) {
        return cachesStatistics
                ? List.of(
                        "SET SESSION information_schema_stats_expiry = 0",
                        query,
                        "SET SESSION information_schema_stats_expiry = DEFAULT")
                : List.of(query);
    }

    /** {@code next}: the server's AUTO_INCREMENT, perhaps null, read after {@code last}. */
    static long slack(@Nullable Object next, long last) throws SQLException {
        return next == null ? 0 : Math.max(0, UnsignedColumn.of(next) - 1 - last);
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
                if (!SqlErrors.isDeadlock(e) || attempt > DEADLOCK_RETRIES) {
                    throw e;
                }
            }
            Transactions.pause(attempt);
        }
    }

    private Optional<Block> reserveOnce(Draw draw) throws SQLException {
        try {
            return reserveInTransaction(draw);
        } catch (IdConfigurationException | IdsExhaustedException e) {
            statements.run(List.of("ROLLBACK"));
            throw e;
        }
    }

    /**
     * A failure changes nothing: the server rolls a deadlock back, and after any other SQL error the connection is cut.
     */
    private Optional<Block> reserveInTransaction(Draw draw) throws SQLException {
        long length = Math.min(draw.wanted(), statements.longest());
        OptionalLong last = lastIfMayDraw(draw);
        if (last.isEmpty()) {
            statements.run(List.of("ROLLBACK"));
            return Optional.empty();
        }
        // The first statement must not be a write: else Connector/J first asks whether the session is read-only.
        List<String> writes =
                new ArrayList<>(List.of(statements.moveOnBy(length), statements.draw(), MySqlTicketStatements.drawn()));
        if (length > 1) {
            writes.add(statements.insertId("LAST_INSERT_ID() + " + statements.span(length)));
        }
        statements.note(draw, last.getAsLong()).ifPresent(writes::add);
        Block block = statements.blockFrom(statements.run(writes).get(0), length);
        if (block.first() <= last.getAsLong()) {
            statements.run(List.of(statements.raiseAbove(last.getAsLong()), "COMMIT"));
            return Optional.empty();
        }
        statements.run(List.of("COMMIT"));
        return Optional.of(block);
    }

    /** Begins a draw. Returns the last id, 0 if there is none; empty if ids must not be drawn. */
    private OptionalLong lastIfMayDraw(Draw draw) throws SQLException {
        List<String> queries = new ArrayList<>(List.of("START TRANSACTION"));
        draw.fence().ifPresent(fence -> queries.add(MySqlTicketStatements.generation(fence) + " LOCK IN SHARE MODE"));
        queries.add(statements.lastLocked());
        queries.add(statements.engine());
        if (draw.lastKnown() == 0) {
            draw.fence().ifPresent(fence -> queries.add(statements.recorded(fence)));
        }
        List<List<Object>> found = statements.run(queries);
        boolean isFenced = draw.fence().isPresent();
        if (isFenced && !MySqlTicketStatements.isCurrent(draw.fence().get(), found.get(0))) {
            return OptionalLong.empty();
        }
        List<Object> row = found.get(isFenced ? 1 : 0);
        long last = row.isEmpty() ? 0 : UnsignedColumn.of(row.get(0));
        statements.requireOurs(last);
        Object engine = found.get(isFenced ? 2 : 1).get(0);
        if (!"InnoDB".equalsIgnoreCase(String.valueOf(engine))) {
            throw new SQLException("The ticket table's engine has changed: table=" + statements.table() + " engine="
                    + engine + ", expected: InnoDB. The next connection reads the table again");
        }
        boolean isLost = last == 0
                ? draw.lastKnown() > 0 || (isFenced && statements.hadRow(found.get(3)))
                : statements.leavesRows() && last < draw.lastKnown();
        return isLost ? OptionalLong.empty() : OptionalLong.of(last);
    }

    private void cleanUp() throws SQLException {
        if (!statements.leavesRows() || ++blocks % BLOCKS_PER_CLEAN_UP != 0) {
            return;
        }
        try (Statement statement = connection().createStatement()) {
            statement.executeUpdate(statements.deleteBelow(lastFirst));
        } catch (SQLException e) {
            // The next clean-up deletes these rows too.
            if (!SqlErrors.isDeadlock(e)) {
                throw e;
            }
        }
    }

    /** An explicit id below the counter would not change the counter, but make it look lower than it is. */
    @Override
    void raiseTo(long last) throws SQLException {
        if (statements.readLast(" FOR UPDATE") < last) {
            statements.run(List.of(statements.insertId(last)));
        }
    }
}
