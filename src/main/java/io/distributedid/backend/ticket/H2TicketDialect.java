package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tickets of H2. A session of H2 has no increment, so the row holds the last id given. A block of n ids is
 *
 * <pre>
 * SELECT id FROM FINAL TABLE (UPDATE Tickets64 SET id = id + S * n WHERE stub = 'a' AND id &gt;= lastKnown);
 * </pre>
 */
final class H2TicketDialect implements TicketDialect {

    @Override
    public String ddl(TicketTable table) {
        return "CREATE TABLE IF NOT EXISTS " + table.name() + " (id " + (table.bits() == 32 ? "INT" : "BIGINT")
                + " NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))";
    }

    @Override
    public String address(Connection connection) throws SQLException {
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
    public Numbering sessionNumbering(Connection connection) {
        return new Numbering(1, 1);
    }

    @Override
    public TicketCounter counter(TicketCounter.Place place, String label) {
        if (place.table().style() != TicketStyle.REPLACE) {
            throw new IdConfigurationException("An H2 server has one row for all tickets:"
                    + " distributedid.ticket.style=insert, allowed: replace");
        }
        return new H2Tickets(place);
    }

    private static final class H2Tickets extends TicketCounter {

        private final Connection connection;

        private final TicketTable table;

        private final Numbering numbering;

        private long largest = Long.MAX_VALUE;

        H2Tickets(Place place) {
            super(place);
            this.connection = place.connection();
            this.table = place.table();
            this.numbering = place.numbering();
        }

        @Override
        public OptionalLong last() throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT id FROM " + table.name() + " WHERE stub = '" + STUB + "'")) {
                if (row.getMetaData().getColumnType(1) == Types.INTEGER) {
                    largest = Integer.MAX_VALUE;
                }
                return row.next() ? OptionalLong.of(UnsignedColumn.read(row, 1)) : OptionalLong.empty();
            }
        }

        @Override
        public long largest() {
            return largest;
        }

        @Override
        public Optional<Block> reserve(Draw draw) throws SQLException {
            long step = numbering.increment();
            long wanted = draw.wanted();
            String fenced = draw.fence()
                    .map(fence -> " AND EXISTS (SELECT 1 FROM " + fence.table() + " WHERE counter = '" + fence.key()
                            + "' AND server = 0 AND generation = " + fence.generation() + " FOR UPDATE)")
                    .orElse("");
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM FINAL TABLE (UPDATE " + table.name()
                            + " SET id = id + " + step * wanted + " WHERE stub = '" + STUB + "' AND id >= "
                            + (draw.lastKnown() > 0 ? draw.lastKnown() : 1 - step) + fenced + ")")) {
                if (row.next()) {
                    Block block = new Block(UnsignedColumn.read(row, 1) - step * (wanted - 1), step, wanted);
                    if (draw.note().isPresent()) {
                        statement.executeUpdate(
                                draw.note().get().sql("'" + draw.note().get().key() + "'"));
                    }
                    return Optional.of(block);
                }
                return Optional.empty();
            } catch (SQLException e) {
                if (SqlErrors.isOutOfRange(e)) {
                    throw new IdsExhaustedException("A ticket table holds no larger ids: " + table + " bits="
                            + table.bits() + ". Give the column id a wider type");
                }
                throw e;
            }
        }

        /** Inserts the row if it is missing, with the number before the first. */
        @Override
        void raiseTo(long last) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO " + table.name() + " (stub, id) SELECT '" + STUB + "', "
                        + (numbering.offset() - numbering.increment()) + " WHERE NOT EXISTS (SELECT 1 FROM "
                        + table.name() + " WHERE stub = '" + STUB + "')");
                if (last > 0) {
                    statement.executeUpdate("UPDATE " + table.name() + " SET id = " + last + " WHERE stub = '" + STUB
                            + "' AND id < " + last);
                }
            }
        }
    }
}
