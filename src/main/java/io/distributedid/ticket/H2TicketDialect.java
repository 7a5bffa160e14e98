package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Tickets of H2, which has no increments of a session: the row holds the last id given, and a block of n ids is
 *
 * <pre>
 * SELECT id FROM FINAL TABLE (UPDATE Tickets64 SET id = id + S * n WHERE stub = 'a' AND id &gt;= own);
 * </pre>
 */
final class H2TicketDialect implements TicketDialect {

    @Override
    public String ddl(TicketTable table) {
        return "CREATE TABLE IF NOT EXISTS " + table.name() + " (id " + (table.bits() == 32 ? "INT" : "BIGINT")
                + " NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))";
    }

    @Override
    public String identity(Connection connection) throws SQLException {
        return connection.getMetaData().getURL();
    }

    @Override
    public void requireWritable(Connection connection, String label) throws SQLException {
        if (connection.isReadOnly()) {
            throw new IdConfigurationException("A ticket server must be writable: " + label
                    + " is open for reading only. Take ACCESS_MODE_DATA=r out of its URL");
        }
    }

    @Override
    public Numbering serverNumbering(Connection connection, String label) {
        throw new IdConfigurationException("An H2 server has no increment and offset of its own:"
                + " distributedid.ticket.numbering=server, allowed: client (numbered by the order of"
                + " distributedid.ticket.servers)");
    }

    @Override
    public Numbering claim(Connection connection, TicketTable table, Numbering wanted) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            insert(statement, table, CLAIM.incrementKey(), wanted.increment());
            insert(statement, table, CLAIM.offsetKey(), wanted.offset());
            Numbering claimed = CLAIM.read(statement, table.name()).orElseThrow();
            insert(statement, table, STUB, claimed.offset() - claimed.increment());
            return claimed;
        }
    }

    private static void insert(Statement statement, TicketTable table, String stub, long id) throws SQLException {
        try {
            statement.executeUpdate("INSERT INTO " + table.name() + " (stub, id) SELECT '" + stub + "', " + id
                    + " WHERE NOT EXISTS (SELECT 1 FROM " + table.name() + " WHERE stub = '" + stub + "')");
        } catch (SQLException e) {
            if (!SqlStates.isDuplicateKey(e)) {
                throw e;
            }
        }
    }

    @Override
    public TicketCounter counter(Connection connection, TicketTable table, Numbering numbering, String label) {
        if (table.style() != TicketStyle.REPLACE) {
            throw new IdConfigurationException("An H2 server has one row for all tickets:"
                    + " distributedid.ticket.style=insert, allowed: replace");
        }
        return new Counter(connection, table, numbering.increment());
    }

    @Override
    public String raiseSql(TicketTable table, String id) {
        return "UPDATE " + table.name() + " SET id = " + id + " WHERE stub = '" + STUB + "'";
    }

    @Override
    public void restore(Connection connection, Numbering server) {
        // Nothing was set.
    }

    private record Counter(Connection connection, TicketTable table, long step) implements TicketCounter {

        @Override
        public long last() throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT id FROM " + table.name() + " WHERE stub = '" + STUB + "'")) {
                return row.next() ? UnsignedColumn.read(row, 1) : 0;
            }
        }

        @Override
        public Optional<Block> reserve(long wanted, long own) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM FINAL TABLE (UPDATE " + table.name()
                            + " SET id = id + " + step * wanted + " WHERE stub = '" + STUB + "' AND id >= "
                            + (own > 0 ? own : 1 - step) + ")")) {
                if (row.next()) {
                    return Optional.of(new Block(UnsignedColumn.read(row, 1) - step * (wanted - 1), step, wanted));
                }
                if (own > 0) {
                    return Optional.empty();
                }
                throw new SQLException("The ticket row is missing: " + table + " stub=" + STUB);
            } catch (SQLException e) {
                if (SqlStates.isOutOfRange(e)) {
                    throw new IdsExhaustedException("A ticket table holds no larger ids: " + table + " bits="
                            + table.bits() + ". Give the column id a wider type");
                }
                throw e;
            }
        }

        @Override
        public void raise(long last) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE " + table.name() + " SET id = " + last + " WHERE stub = '" + STUB
                        + "' AND id < " + last);
            }
        }
    }
}
