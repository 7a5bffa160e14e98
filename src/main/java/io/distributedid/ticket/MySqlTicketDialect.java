package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tickets of MySQL and MariaDB. A block of n ids on a server with increment S and offset o:
 *
 * <pre>
 * SET SESSION auto_increment_increment = S * n, auto_increment_offset = o;
 * START TRANSACTION;
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * REPLACE INTO Tickets64 (stub, id) VALUES ('a', id + S * (n - 1));
 * COMMIT;
 * </pre>
 *
 * <p>The first REPLACE moves the server's counter on by S * n, so that id, id + S, ..., id + S * (n - 1) belong to the caller.
 * Clients with another n, and plain REPLACEs with increment S, keep the residue o and never overlap. The SELECT also shows
 * whether the session is still the one that was set: a proxy may have changed it, and a server cuts increments above 65,535.
 *
 * <p>The second REPLACE is for restarts: MySQL 8 makes durable which id was written last, not how far the counter went, and
 * without it would give the rest of the block again to a client with a smaller n. The block is handed out after the commit
 * only.
 *
 * <p>The table differs from Flickr's in its primary key, {@code stub} instead of {@code id}: with Flickr's, concurrent
 * REPLACEs on InnoDB deadlock. A deadlock left no trace, and the transaction is repeated.
 */
final class MySqlTicketDialect implements TicketDialect {

    /** A server cuts the session's increment to this, with no more than a warning. */
    private static final long MAX_INCREMENT = 65_535;

    private static final int DEADLOCK_RETRIES = 20;

    private final String serverId;

    MySqlTicketDialect(String serverId) {
        this.serverId = serverId;
    }

    @Override
    public String ddl(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table + " (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,"
                + " stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB";
    }

    @Override
    public String identity(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT CONCAT_WS(' ', " + serverId + ", @@hostname, @@port, @@datadir)")) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public Numbering serverNumbering(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@auto_increment_increment, @@auto_increment_offset")) {
            row.next();
            return new Numbering(row.getLong(1), row.getLong(2));
        }
    }

    @Override
    public Numbering claim(Connection connection, String table, Numbering wanted) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            requireResidue(connection, table, wanted);
            statement.executeUpdate("INSERT IGNORE INTO " + table + " (stub, id) VALUES ('" + CLAIM.incrementKey()
                    + "', " + wanted.increment() + "), ('" + CLAIM.offsetKey() + "', " + wanted.offset() + ")");
            return CLAIM.read(statement, table)
                    .orElseThrow(() -> new IdConfigurationException("The ticket table can't hold the"
                            + " numbering that clients agree on: table=" + table
                            + ". Its primary key must be 'stub' (see the"
                            + " table's DDL), or set distributedid.ticket.numbering=server"));
        }
    }

    private void requireResidue(Connection connection, String table, Numbering wanted) throws SQLException {
        long id = last(connection, table);
        if (id > 0 && !wanted.holds(id)) {
            throw new IdConfigurationException("The ticket table has ids that another numbering gave: table=" + table
                    + " id=" + id + ", which " + wanted + " never gives. List the servers in their old order, or set"
                    + " distributedid.ticket.numbering=server");
        }
    }

    @Override
    public Block reserve(Connection connection, String table, Numbering numbering, long count) throws SQLException {
        long length = Math.min(count, MAX_INCREMENT / numbering.increment());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + numbering.increment() * length
                    + ", auto_increment_offset = " + numbering.offset());
            for (int attempt = 1; ; attempt++) {
                connection.setAutoCommit(false);
                try {
                    Block block = reserve(statement, table, numbering, length);
                    connection.commit();
                    return block;
                } catch (SQLException e) {
                    connection.rollback();
                    if (!SqlStates.isDeadlock(e) || attempt > DEADLOCK_RETRIES) {
                        throw e;
                    }
                } finally {
                    connection.setAutoCommit(true);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(1, 2 + 2L * attempt)));
            }
        }
    }

    private static Block reserve(Statement statement, String table, Numbering numbering, long length)
            throws SQLException {
        statement.executeUpdate("REPLACE INTO " + table + " (stub) VALUES ('" + STUB + "')");
        Block block = new Block(firstOf(statement, numbering, length), numbering.increment(), length);
        statement.executeUpdate("REPLACE INTO " + table + " (stub, id) VALUES ('" + STUB + "', " + block.last() + ")");
        return block;
    }

    private static long firstOf(Statement statement, Numbering numbering, long length) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset")) {
            row.next();
            long first = UnsignedColumn.read(row, 1);
            Numbering session = new Numbering(row.getLong(2), row.getLong(3));
            Numbering expected = new Numbering(numbering.increment() * length, numbering.offset());
            if (!session.equals(expected) || !numbering.holds(first)) {
                throw new SQLException("The server did not number as its session was told to: id=" + first + " "
                        + session + ", expected: " + expected + ". Is there a proxy that shares sessions?");
            }
            return first;
        }
    }

    /** An explicit id takes the counter above it; one below the counter would leave it alone. */
    @Override
    public void raise(Connection connection, String table, long last) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("REPLACE INTO " + table + " (stub, id) VALUES ('" + STUB + "', " + last + ")");
        }
    }

    @Override
    public void restore(Connection connection, Numbering server) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + server.increment()
                    + ", auto_increment_offset = " + server.offset());
        }
    }
}
