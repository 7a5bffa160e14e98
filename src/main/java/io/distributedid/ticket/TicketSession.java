package io.distributedid.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.Tables;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A connection to a ticket server, what the server said on it, and the tables that were looked at. For one thread at a time. */
final class TicketSession implements CounterSession<TicketTable> {

    private final Connection connection;

    private final String label;

    private final TicketDialect dialect;

    /** What the server said; empty if clients number. */
    private final Optional<Numbering> byServer;

    private final Numbering numbering;

    private final boolean createTable;

    private final Map<TicketTable, TicketCounter> counters = new HashMap<>();

    /**
     * Asks the server.
     *
     * @param byClient the numbering that clients set; empty if the server's own holds
     * @throws IdConfigurationException if the server must not be used
     */
    TicketSession(Connection connection, String label, Optional<Numbering> byClient, boolean createTable)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.dialect = TicketDialect.of(connection);
        dialect.requireWritable(connection, label);
        this.byServer =
                byClient.isPresent() ? Optional.empty() : Optional.of(dialect.serverNumbering(connection, label));
        this.numbering = byClient.or(() -> byServer).orElseThrow();
        this.createTable = createTable;
    }

    String identity() throws SQLException {
        return dialect.identity(connection);
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public void open(TicketTable table) throws SQLException {
        if (counters.containsKey(table)) {
            return;
        }
        String ddl = dialect.ddl(table);
        Tables.require(
                connection,
                createTable,
                ddl,
                "SELECT id FROM " + table.name() + " WHERE 1 = 0",
                "The ticket table is missing: " + table + " on " + label + ". Create it: " + ddl
                        + "; or set distributedid.ticket.create_table=true");
        TicketCounter counter = dialect.counter(connection, table, numbering, label);
        if (byServer.isEmpty()) {
            claim(table, counter);
        }
        counters.put(table, counter);
    }

    private void claim(TicketTable table, TicketCounter counter) throws SQLException {
        long last = counter.last();
        if (last > 0 && !numbering.holds(last)) {
            throw new IdConfigurationException("The ticket table has ids that another numbering gave: " + table + " on "
                    + label + " id=" + last + ", which " + numbering
                    + " never gives. List the servers in their old order, or"
                    + " set distributedid.ticket.numbering=server");
        }
        Numbering claimed = dialect.claim(connection, table, numbering);
        if (!claimed.equals(numbering)) {
            throw new IdConfigurationException("Clients must number the ticket servers alike: " + label + " " + table
                    + " is taken with " + claimed + ", but distributedid.ticket.servers gives it " + numbering
                    + ". List the same servers in the same order in all applications, and no database twice");
        }
    }

    @Override
    public long last(TicketTable table) throws SQLException {
        return counter(table).last();
    }

    @Override
    public void raise(TicketTable table, long above) throws SQLException {
        counter(table).raise(numbering.atLeast(above));
    }

    @Override
    public Optional<Block> reserve(TicketTable table, long wanted, long own) throws SQLException {
        return counter(table).reserve(wanted, own);
    }

    private TicketCounter counter(TicketTable table) {
        return Objects.requireNonNull(counters.get(table), "opened before");
    }

    @Override
    public String raiseSql(TicketTable table, String id) {
        return dialect.raiseSql(table, id);
    }

    @Override
    public void restore() throws SQLException {
        if (byServer.isPresent()) {
            dialect.restore(connection, byServer.get());
        }
    }
}
