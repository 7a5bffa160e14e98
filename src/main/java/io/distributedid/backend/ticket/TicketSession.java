package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.ServerIdentity;
import io.distributedid.internal.jdbc.SkipLocked;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A connection to a ticket server, with the server's numbering and the open tables. For one thread at a time. */
final class TicketSession implements CounterSession<TicketTable> {

    private final Connection connection;

    private final String label;

    private final DatabaseProduct product;

    private final TicketDialect dialect;

    private final boolean isNumberedByClient;

    private final Numbering serverNumbering;

    private final Numbering numbering;

    private final boolean createTable;

    private final String prepared;

    /** Empty if the server can't skip locked rows. */
    private final Optional<SkipLocked> skipLocked;

    private final Map<TicketTable, TicketCounter> open = new HashMap<>();

    /**
     * Checks the server.
     *
     * @param byClient the numbering that this client sets; empty if the server's own applies
     * @throws IdConfigurationException if the server must not be used
     */
    TicketSession(Connection connection, String label, Optional<Numbering> byClient, boolean createTable)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.product = DatabaseProduct.of(connection);
        this.dialect = TicketDialect.of(connection);
        this.skipLocked = SkipLocked.of(connection, product);
        dialect.requireWritable(connection, label);
        this.isNumberedByClient = byClient.isPresent();
        this.serverNumbering = byClient.isPresent()
                ? dialect.sessionNumbering(connection)
                : dialect.serverNumbering(connection, label);
        this.numbering = byClient.orElse(serverNumbering);
        this.createTable = createTable;
        this.prepared = dialect.prepare(connection);
    }

    String address() throws SQLException {
        return dialect.address(connection);
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public boolean needsRecord() {
        return isNumberedByClient;
    }

    @Override
    public boolean notesAreFree() {
        return true;
    }

    @Override
    public TicketCounter open(TicketTable table) throws SQLException {
        return open(table, createTable);
    }

    @Override
    public TicketCounter openToRead(TicketTable table) throws SQLException {
        return open(table, false);
    }

    private TicketCounter open(TicketTable table, boolean create) throws SQLException {
        TicketCounter known = open.get(table);
        if (known == null) {
            known = openTable(table, create);
            open.put(table, known);
        }
        return known;
    }

    private TicketCounter openTable(TicketTable table, boolean create) throws SQLException {
        TableCheck.require(
                connection,
                create,
                new TableCheck.Expected(
                        "The ticket table",
                        table.name(),
                        label,
                        dialect.ddl(table),
                        "SELECT, INSERT, DELETE",
                        "; or let the first client create it: distributedid.ticket.create_table=true"),
                "SELECT id FROM " + table.name() + " WHERE 1 = 0");
        RecordTable record = RecordTable.beside(connection, product, table.name(), label);
        String identity = ServerIdentity.of(connection, product, table.name());
        return dialect.counter(new TicketCounter.Place(connection, table, numbering, record, identity), label);
    }

    /** Tables of InnoDB together, see {@link InnoDbTicketBatch}; the others one after the other. */
    @Override
    public void reserve(
            Map<TicketTable, Draw> draws, BiConsumer<TicketTable, Block> drawn, Consumer<TicketTable> locked)
            throws SQLException {
        Map<TicketTable, Draw> alone = new LinkedHashMap<>(draws);
        Map<InnoDbTickets, Draw> together = new LinkedHashMap<>();
        for (Map.Entry<TicketTable, Draw> each : draws.entrySet()) {
            if (open(each.getKey()) instanceof InnoDbTickets tickets && tickets.canShareTrips()) {
                together.put(tickets, each.getValue());
            }
        }
        if (skipLocked.isPresent() && together.size() > 1) {
            together.keySet().forEach(each -> alone.remove(each.table()));
            new InnoDbTicketBatch(
                            skipLocked.get(),
                            together,
                            (counter, block) -> drawn.accept(counter.table(), block),
                            counter -> locked.accept(counter.table()))
                    .run();
        }
        CounterSession.super.reserve(alone, drawn, locked);
    }

    @Override
    public void restore() throws SQLException {
        dialect.restore(connection, serverNumbering, prepared);
    }
}
