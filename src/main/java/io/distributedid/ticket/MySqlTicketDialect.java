package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
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
 * REPLACE INTO Tickets64 (stub) VALUES ('a');
 * SELECT LAST_INSERT_ID(), &#64;&#64;auto_increment_increment, &#64;&#64;auto_increment_offset;
 * </pre>
 *
 * The server's counter moves on by S * n, so that id, id + S, ..., id + (n-1) * S belong to the caller. Clients with other n, and
 * plain REPLACE with increment S, keep the residue o and never overlap. The last statement also shows whether the session is
 * still the one that was set (a proxy may have changed it).
 *
 * <p>The table differs from Flickr's in its primary key, {@code stub} instead of {@code id}: with Flickr's, concurrent
 * REPLACEs on InnoDB deadlock. A deadlock left no trace, and the statement is repeated.
 */
final class MySqlTicketDialect implements TicketDialect {

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
            requireResidue(statement, table, wanted);
            statement.executeUpdate("INSERT IGNORE INTO " + table + " (stub, id) VALUES ('" + INCREMENT_STUB + "', "
                    + wanted.increment() + "), ('" + OFFSET_STUB + "', " + wanted.offset() + ")");
            return ClaimRows.read(statement, table);
        }
    }

    private static void requireResidue(Statement statement, String table, Numbering wanted) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT id FROM " + table + " WHERE stub = '" + STUB + "'")) {
            if (row.next()) {
                long id = UnsignedColumn.read(row, 1);
                if (!wanted.holds(id)) {
                    throw new IdConfigurationException(
                            "The ticket table has ids that another numbering gave: table=" + table
                                    + " id=" + id + ", which " + wanted
                                    + " never gives. List the servers in their old order, or set"
                                    + " distributedid.ticket.numbering=server");
                }
            }
        }
    }

    @Override
    public Block reserve(Connection connection, String table, Numbering numbering, long count) throws SQLException {
        long step = numbering.increment();
        long sessionIncrement = step * Math.min(count, numbering.maxBlock());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + sessionIncrement
                    + ", auto_increment_offset = " + numbering.offset());
            replace(statement, "REPLACE INTO " + table + " (stub) VALUES ('" + STUB + "')");
            try (ResultSet row = statement.executeQuery(
                    "SELECT LAST_INSERT_ID(), @@auto_increment_increment, @@auto_increment_offset")) {
                row.next();
                long first = UnsignedColumn.read(row, 1);
                if (row.getLong(2) != sessionIncrement
                        || row.getLong(3) != numbering.offset()
                        || !numbering.holds(first)) {
                    throw new SQLException("The server did not number as its session was told to: id=" + first
                            + " increment="
                            + row.getLong(2) + " offset=" + row.getLong(3) + ", expected: increment=" + sessionIncrement
                            + " offset=" + numbering.offset() + ". Is there a proxy that shares sessions?");
                }
                return new Block(first, step, sessionIncrement / step);
            }
        }
    }

    private static void replace(Statement statement, String sql) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                statement.executeUpdate(sql);
                return;
            } catch (SQLException e) {
                if (!SqlStates.isDeadlock(e) || attempt > DEADLOCK_RETRIES) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(1, 2 + 2L * attempt)));
            }
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
