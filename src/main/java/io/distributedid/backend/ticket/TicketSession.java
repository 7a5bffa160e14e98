package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.LastId;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.TableSession;
import io.distributedid.internal.counting.sql.ServerIdentity;
import io.distributedid.internal.counting.sql.SkipLocked;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A connection to a ticket server, with the server's numbering and the open tables. For one thread at a time. */
final class TicketSession implements TableSession<TicketTable> {

    private static final Logger LOG = System.getLogger(TicketSession.class.getName());

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
    public RecordTable record(TicketTable table) throws SQLException {
        return open(table).record();
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

    /** In few trips, as far as the dialect can; the others one by one. */
    @Override
    public List<TicketTable> openTogether(List<TicketTable> tables) throws SQLException {
        List<TicketTable> closed =
                tables.stream().filter(each -> !open.containsKey(each)).toList();
        if (closed.size() > 1) {
            openBatch(closed);
        }
        List<TicketTable> opened = new ArrayList<>();
        for (TicketTable each : tables) {
            if (canBeOpened(each)) {
                opened.add(each);
            }
        }
        return opened;
    }

    /** All tables have one schema, and so one record and one identity. */
    private void openBatch(List<TicketTable> tables) throws SQLException {
        Map<TicketTable, Function<TicketCounter.Place, TicketCounter>> counters =
                dialect.counters(connection, tables, createTable, label);
        if (counters.isEmpty()) {
            return;
        }
        String first = counters.keySet().iterator().next().name();
        RecordTable record = RecordTable.beside(connection, product, first, label);
        String identity = ServerIdentity.of(connection, product, first);
        for (Map.Entry<TicketTable, Function<TicketCounter.Place, TicketCounter>> each : counters.entrySet()) {
            TicketTable table = each.getKey();
            open.put(
                    table,
                    each.getValue()
                            .apply(new TicketCounter.Place(
                                    connection, table, numbering, record.of(table.name()), identity)));
        }
    }

    private boolean canBeOpened(TicketTable table) throws SQLException {
        try {
            open(table);
            return true;
        } catch (IdConfigurationException e) {
            LOG.log(Level.DEBUG, "A ticket table can't be opened: " + table, e);
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "A ticket table can't be opened: " + table, e);
        }
        return false;
    }

    /** Those of InnoDB with one row in few trips, see {@link InnoDbTicketRows}; the others one by one. */
    @Override
    public Map<TicketTable, LastId> lastTogether(List<TicketTable> tables) throws SQLException {
        List<InnoDbTickets> together = new ArrayList<>();
        for (TicketTable each : tables) {
            if (open(each) instanceof InnoDbTickets tickets && tickets.sharesTransactions()) {
                together.add(tickets);
            }
        }
        Map<TicketTable, LastId> last = new LinkedHashMap<>();
        if (together.size() > 1) {
            InnoDbTicketRows.last(together).forEach((tickets, found) -> last.put(tickets.table(), found));
        }
        for (TicketTable each : tables) {
            if (!last.containsKey(each)) {
                lastAlone(each).ifPresent(found -> last.put(each, found));
            }
        }
        return last;
    }

    /** Empty if it can't be read: the look at it alone will say why. */
    private Optional<LastId> lastAlone(TicketTable table) throws SQLException {
        try {
            return Optional.of(LastId.of(open(table)));
        } catch (IdsExhaustedException e) {
            LOG.log(Level.DEBUG, "A ticket table can't be read: " + table, e);
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "A ticket table can't be read: " + table, e);
        }
        return Optional.empty();
    }

    @Override
    public boolean changesTogether(TicketTable table) throws SQLException {
        return open(table).sharesTransactions();
    }

    @Override
    public void raiseTogether(Map<TicketTable, Long> above) throws SQLException {
        Map<InnoDbTickets, Long> together = new LinkedHashMap<>();
        Map<TicketTable, Long> alone = new LinkedHashMap<>();
        for (Map.Entry<TicketTable, Long> each : above.entrySet()) {
            if (open(each.getKey()) instanceof InnoDbTickets tickets) {
                together.put(tickets, tickets.lastBelow(each.getValue()));
            } else {
                alone.put(each.getKey(), each.getValue());
            }
        }
        InnoDbTicketRows.raise(together);
        TableSession.super.raiseTogether(alone);
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
                        "; or let the first client create it: distributedid.create_tables=true"),
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
        TableSession.super.reserve(alone, drawn, locked);
    }

    @Override
    public void restore() throws SQLException {
        dialect.restore(connection, serverNumbering, prepared);
    }
}
