package io.distributedid.ticket;

import io.distributedid.internal.SqlStates;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tickets of an InnoDB table. A block of n ids on a server with increment S and offset o:
 *
 * <pre>
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o;
 * SELECT id FROM Tickets64 WHERE stub = 'a';
 * START TRANSACTION;
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', id + S * (n - 1));
 * COMMIT;
 * </pre>
 *
 * <p>The first SELECT is for tables that were truncated: no number is drawn if the row is gone and this process has had numbers. Its
 * id alone proves nothing: it may be lower than those if a plain REPLACE drew its number before ours and wrote it after.
 *
 * <p>The first REPLACE moves the server's counter on by S * n, so that id, id + S, ..., id + S * (n - 1) belong to the caller.
 * Clients with another n, and plain REPLACEs with increment S, keep the residue o and never overlap. The SELECT also shows
 * whether the session is still the one that was set: a proxy may have changed it, and a server cuts increments above 65,535.
 *
 * <p>The second REPLACE is for restarts: MySQL 8 makes durable which id was written last, not how far the counter went, and
 * without it would give the rest of the block again to a client with a smaller n. The block is handed out after the commit
 * only.
 *
 * <p>A block of one needs no second REPLACE.
 *
 * <p>Where rows are inserted, both REPLACEs are INSERTs, the first SELECT is {@code SELECT MAX(id) FROM Tickets64}, which
 * must not be below the numbers of this process, and every hundredth block is preceded by {@code DELETE FROM Tickets64 WHERE
 * id < ... ORDER BY id LIMIT 10000}, up to this session's last block.
 *
 * <p>On Flickr's table, concurrent transactions deadlock. A deadlock left no trace, and the transaction is repeated after a random
 * pause. For one thread at a time.
 */
final class InnoDbTickets implements TicketCounter {

    private static final int DEADLOCK_RETRIES = 100;

    private static final long LONGEST_PAUSE_MILLIS = 40;

    private static final int BLOCKS_PER_CLEAN_UP = 100;

    private final Connection connection;

    private final TicketSql sql;

    private final SessionNumbers numbers;

    private long lastFirst;

    private int blocks;

    /** Work in a transaction. */
    @FunctionalInterface
    private interface Work<T> {

        T in(Statement statement) throws SQLException;
    }

    InnoDbTickets(Connection connection, TicketSql sql, SessionNumbers numbers) {
        this.connection = connection;
        this.sql = sql;
        this.numbers = numbers;
    }

    @Override
    public long last() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return last(statement, "");
        }
    }

    private long last(Statement statement, String lock) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql.last() + lock)) {
            return row.next() ? UnsignedColumn.read(row, 1) : 0;
        }
    }

    @Override
    public Optional<Block> reserve(long wanted, long own) throws SQLException {
        if (hasGoneBack(own)) {
            return Optional.empty();
        }
        cleanUp();
        long length = Math.min(wanted, numbers.longest());
        numbers.moveOnBy(length);
        Block block = inTransaction(statement -> {
            statement.executeUpdate(sql.draw());
            Block drawn = numbers.blockFrom(statement, length);
            if (length > 1) {
                statement.executeUpdate(sql.insertId(drawn.last()));
            }
            return drawn;
        });
        lastFirst = block.first();
        return Optional.of(block);
    }

    private boolean hasGoneBack(long own) throws SQLException {
        long last = last();
        return sql.leavesRows() ? last < own : last == 0 && own > 0;
    }

    private void cleanUp() throws SQLException {
        if (!sql.leavesRows() || ++blocks % BLOCKS_PER_CLEAN_UP != 0) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql.deleteBelow(lastFirst));
        } catch (SQLException e) {
            // The next clean-up will do.
            if (!SqlStates.isDeadlock(e)) {
                throw e;
            }
        }
    }

    /** An explicit id takes the counter above it. One below the counter would leave it alone, but make it look lower than it is. */
    @Override
    public void raise(long last) throws SQLException {
        inTransaction(statement -> last(statement, " FOR UPDATE") >= last || statement.execute(sql.insertId(last)));
    }

    private <T> T inTransaction(Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = connection.createStatement()) {
                return inTransaction(statement, work);
            } catch (SQLException e) {
                if (SessionNumbers.isExhausted(e)) {
                    throw numbers.exhausted(String.valueOf(e.getMessage()));
                }
                if (!SqlStates.isDeadlock(e) || attempt > DEADLOCK_RETRIES) {
                    throw e;
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                    ThreadLocalRandom.current().nextLong(1, Math.min(LONGEST_PAUSE_MILLIS, 2 + 2L * attempt))));
        }
    }

    /** A failure leaves nothing: after a deadlock the server has rolled back, after any other the connection is cut. */
    private static <T> T inTransaction(Statement statement, Work<T> work) throws SQLException {
        statement.execute("START TRANSACTION");
        T result = work.in(statement);
        statement.execute("COMMIT");
        return result;
    }
}
