package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.Database;
import io.distributedid.internal.Floor;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.Tables;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A connection to a ticket server, what the server said on it, and the tables that were looked at. For one thread at a time. */
final class TicketSession implements Database.Session {

    private final Connection connection;

    private final TicketDialect dialect;

    /** What the server said; empty if clients number. */
    private final Optional<Numbering> byServer;

    private final Numbering numbering;

    private final boolean createTable;

    private final Map<String, Floor> openTables = new HashMap<>();

    /**
     * Asks the server.
     *
     * @param byClient the numbering that clients set; empty if the server's own holds
     */
    TicketSession(Connection connection, Optional<Numbering> byClient, boolean createTable) throws SQLException {
        this.connection = connection;
        this.dialect = TicketDialect.of(connection);
        this.byServer = byClient.isPresent() ? Optional.empty() : Optional.of(dialect.serverNumbering(connection));
        this.numbering = byClient.or(() -> byServer).orElseThrow();
        this.createTable = createTable;
    }

    String identity() throws SQLException {
        return dialect.identity(connection);
    }

    Numbering numbering() {
        return numbering;
    }

    /** Checks that the table is there, is numbered as we number, and lies above the floor; again only when that changes. */
    void open(String table, String label, Floor floor) throws SQLException {
        Floor checked = openTables.get(table);
        if (floor.equals(checked)) {
            return;
        }
        if (checked == null) {
            openTable(table, label);
        }
        long last = dialect.last(connection, table);
        if (last < floor.above() && floor.above() > 0) {
            if (!floor.raise()) {
                throw new IdConfigurationException(
                        "A ticket server would give ids that exist: " + label + " table=" + table
                                + " id=" + last + ", but there is an id " + floor.above()
                                + " already. Set distributedid.existing_ids=raise, or raise it: REPLACE INTO " + table
                                + " (stub, id) VALUES ('" + TicketDialect.STUB + "', "
                                + numbering.atLeast(floor.above()) + ")");
            }
            dialect.raise(connection, table, numbering.atLeast(floor.above()));
        }
        openTables.put(table, floor);
    }

    private void openTable(String table, String label) throws SQLException {
        String ddl = dialect.ddl(table);
        Tables.require(
                connection,
                createTable,
                ddl,
                "SELECT stub, id FROM " + table + " WHERE 1 = 0",
                "The ticket table is missing: table=" + table + " on " + label + ". Create it: " + ddl
                        + "; or set distributedid.ticket.create_table=true");
        if (byServer.isEmpty()) {
            Numbering claimed = dialect.claim(connection, table, numbering);
            if (!claimed.equals(numbering)) {
                throw new IdConfigurationException("Clients must number the ticket servers alike: " + label + " table="
                        + table
                        + " is taken with " + claimed + ", but distributedid.ticket.servers gives it " + numbering
                        + ". List the same servers in the same order in all applications, and no database twice");
            }
        }
    }

    Block reserve(String table, long wanted) throws SQLException {
        return dialect.reserve(connection, table, numbering, wanted);
    }

    @Override
    public void restore() throws SQLException {
        if (byServer.isPresent()) {
            dialect.restore(connection, byServer.get());
        }
    }
}
