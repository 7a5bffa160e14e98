package io.distributedid.backend.ticket;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.counter.sql.SessionSettings;
import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A connection to a ticket server. Each table is a counter, with a header, a row and notes in the ledger of its schema.
 * {@link TicketServer} has the SQL of the tables. For one thread at a time.
 */
final class TicketSession implements CounterSession {

    /** The most rows of the ledger that one query reads. */
    private static final int MOST_ROWS = 5_000;

    private final Connection connection;

    private final String label;

    private final DatabaseProduct product;

    private final TicketTable kind;

    private final boolean createTables;

    private final Numbering numbering;

    private final TicketServer server;

    private final SessionSettings settings;

    /** By what stands before the names of the tables. */
    private final Map<String, CounterLedger> ledgers = new HashMap<>();

    /**
     * Checks the server.
     *
     * @param byClient the numbering that this client sets; empty if the server's own applies
     * @param kind of all tables
     * @param createTables whether a look creates missing tables
     * @throws io.distributedid.IdConfigurationException if the server must not be used
     */
    TicketSession(
            Connection connection, String label, Optional<Numbering> byClient, TicketTable kind, boolean createTables)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.product = DatabaseProduct.of(connection);
        this.kind = kind;
        this.createTables = createTables;
        if (product == DatabaseProduct.H2) {
            this.numbering = byClient.orElseThrow(H2Tickets::needsClients);
            this.server = new H2Tickets(connection, label, kind, numbering);
        } else {
            String unused = kind.ddl(product);
            MySqlTicketServer checked = MySqlTicketServer.of(connection, product, label, byClient);
            this.numbering = checked.numbering();
            this.server = new MySqlTickets(checked, label, kind);
        }
        this.settings = SessionSettings.set(connection, product);
    }

    @Override
    public Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException {
        boolean create = createTables && forChanges;
        Map<CounterKey, Seen> seen = new LinkedHashMap<>();
        int most = Math.max(1, MOST_ROWS / Math.toIntExact(numbering.increment() + 2));
        for (List<CounterKey> ofSchema : bySchema(counters, Function.identity())) {
            for (int from = 0; from < ofSchema.size(); from += most) {
                seen.putAll(lookAt(ofSchema.subList(from, Math.min(ofSchema.size(), from + most)), create));
            }
        }
        return seen;
    }

    private static <T> Collection<List<T>> bySchema(Collection<T> all, Function<T, CounterKey> counter) {
        return all.stream()
                .collect(Collectors.groupingBy(
                        each -> TicketTable.schemaOf(counter.apply(each).table()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values();
    }

    /** The ledger is read first: a row that is there has its counter, however late that is read. */
    private Map<CounterKey, Seen> lookAt(List<CounterKey> counters, boolean create) throws SQLException {
        List<String> tables = counters.stream().map(CounterKey::table).toList();
        try {
            server.open(tables, create);
            CounterLedger ledger = ledger(tables.get(0), create);
            List<String> names = counters.stream()
                    .flatMap(each -> ledger.names(each).stream())
                    .toList();
            Map<String, Row> rows = ledger.rows().read(names).rows();
            Map<String, TicketServer.Found> found = server.read(tables, ledger, create);
            Map<CounterKey, Seen> seen = new LinkedHashMap<>();
            for (CounterKey each : counters) {
                TicketServer.Found of = requireNonNull(found.get(each.table()));
                seen.put(each, ledger.seen(each, rows, of.last(), server.isBlind(), of.largest()));
            }
            return seen;
        } catch (SQLException e) {
            throw explained(e, tables);
        }
    }

    private CounterLedger ledger(String table, boolean create) throws SQLException {
        String schema = TicketTable.schemaOf(table);
        CounterLedger known = ledgers.get(schema);
        if (known == null) {
            known = CounterLedger.beside(table, connection, numbering, create, label);
            ledgers.put(schema, known);
        }
        return known;
    }

    /** Says which table or right is missing. Of several tables, a look at each will say that. */
    private SQLException explained(SQLException e, List<String> tables) throws SQLException {
        if (!SqlErrors.isSyntaxOrAccess(e) && !SqlErrors.isDenied(e)) {
            return e;
        }
        if (tables.size() > 1) {
            throw new IdConfigurationException(
                    "A ticket table can't be used: one of " + tables + " on " + label + ". The server said: "
                            + e.getMessage(),
                    e);
        }
        TicketTable table = kind.named(tables.get(0));
        TableCheck.Expected expected = table.expected(product, label);
        try {
            TableCheck.require(connection, false, expected, table.probe());
        } catch (IdConfigurationException missing) {
            // The user may have no right to create it.
            String told = String.valueOf(missing.getMessage());
            throw SqlErrors.tableIsMissing(e) || told.contains(String.valueOf(e.getMessage()))
                    ? missing
                    : new IdConfigurationException(told + ". The server said: " + e.getMessage(), e);
        }
        return CounterLedger.explained(e, expected, ledgers.get(TicketTable.schemaOf(table.name())));
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (List<Draw> ofSchema : bySchema(draws, Draw::counter)) {
            try {
                drawn.putAll(
                        server.draw(ofSchema, ledger(ofSchema.get(0).counter().table(), false)));
            } catch (SQLException e) {
                throw explained(
                        e, ofSchema.stream().map(each -> each.counter().table()).toList());
            }
        }
        return drawn;
    }

    @Override
    public Set<Write> write(List<Write> writes) throws SQLException {
        Set<Write> made = new HashSet<>();
        for (List<Write> ofSchema :
                bySchema(writes, (Write each) -> each.change().counter())) {
            List<String> tables = ofSchema.stream()
                    .map(each -> each.change().counter().table())
                    .toList();
            try {
                made.addAll(ledger(tables.get(0), false).write(ofSchema, server::raise));
            } catch (SQLException e) {
                throw explained(e, tables);
            }
        }
        return made;
    }

    @Override
    public void drawNumber(CounterKey counter) throws SQLException {
        server.drawNumber(counter, ledger(counter.table(), false));
    }

    @Override
    public Optional<Writability> whyReadOnly() throws SQLException {
        return Writability.missing(connection);
    }

    @Override
    public void restore() throws SQLException {
        settings.restore();
        server.restore();
    }
}
