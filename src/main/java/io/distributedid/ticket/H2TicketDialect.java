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

/**
 * Tickets of H2, which has no increments of a session: the row holds the last id given, and a block of n ids is
 *
 * <pre>
 * SELECT id FROM FINAL TABLE (UPDATE Tickets64 SET id = id + S * n WHERE stub = 'a');
 * </pre>
 */
final class H2TicketDialect implements TicketDialect {

    @Override
    public String ddl(String table) {
        return "CREATE TABLE IF NOT EXISTS " + table
                + " (id BIGINT NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))";
    }

    @Override
    public String identity(Connection connection) throws SQLException {
        return connection.getMetaData().getURL();
    }

    @Override
    public Numbering serverNumbering(Connection connection) {
        throw new IdConfigurationException("An H2 server has no increment and offset of its own:"
                + " distributedid.ticket.numbering=server, allowed: client (numbered by the order of"
                + " distributedid.ticket.servers)");
    }

    @Override
    public Numbering claim(Connection connection, String table, Numbering wanted) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            insert(statement, table, CLAIM.incrementKey(), wanted.increment());
            insert(statement, table, CLAIM.offsetKey(), wanted.offset());
            Numbering claimed = CLAIM.read(statement, table).orElseThrow();
            insert(statement, table, STUB, claimed.offset() - claimed.increment());
            return claimed;
        }
    }

    private static void insert(Statement statement, String table, String stub, long id) throws SQLException {
        try {
            statement.executeUpdate("INSERT INTO " + table + " (stub, id) SELECT '" + stub + "', " + id
                    + " WHERE NOT EXISTS (SELECT 1 FROM " + table + " WHERE stub = '" + stub + "')");
        } catch (SQLException e) {
            if (!SqlStates.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    @Override
    public Block reserve(Connection connection, String table, Numbering numbering, long count) throws SQLException {
        long step = numbering.increment();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM FINAL TABLE (UPDATE " + table + " SET id = id + "
                        + step * count + " WHERE stub = '" + STUB + "')")) {
            if (!row.next()) {
                throw new SQLException("The ticket row is missing: table=" + table + " stub=" + STUB);
            }
            return new Block(UnsignedColumn.read(row, 1) - step * (count - 1), step, count);
        }
    }

    @Override
    public void raise(Connection connection, String table, long last) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE " + table + " SET id = " + last + " WHERE stub = '" + STUB + "' AND id < " + last);
        }
    }

    @Override
    public void restore(Connection connection, Numbering server) {
        // Nothing was set.
    }
}
