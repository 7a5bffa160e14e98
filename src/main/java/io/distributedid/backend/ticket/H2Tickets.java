package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.counter.ledger.H2Draws;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Tickets of H2, see {@link H2Draws}. A session of H2 has no increment, so the row holds the last id given. */
final class H2Tickets implements TicketServer {

    private final Connection connection;

    private final String label;

    private final TicketTable kind;

    private final Numbering numbering;

    private final Map<String, Long> ends = new HashMap<>();

    H2Tickets(Connection connection, String label, TicketTable kind, Numbering numbering) throws SQLException {
        if (connection.isReadOnly()) {
            throw new IdConfigurationException("A ticket server must be writable: " + label
                    + " is open for reading only. Take ACCESS_MODE_DATA=r out of its URL" + Pages.onCall("read-only"));
        }
        if (kind.style() != TicketTable.Style.REPLACE) {
            throw new IdConfigurationException("An H2 server has one row for all tickets:"
                    + " distributedid.ticket.style=insert, allowed: replace");
        }
        this.connection = connection;
        this.label = label;
        this.kind = kind;
        this.numbering = numbering;
    }

    static IdConfigurationException needsClients() {
        return new IdConfigurationException("An H2 server has no increment and offset of its own:"
                + " distributedid.ticket.numbering=server, allowed: client (numbered by the order of"
                + " distributedid.ticket.servers)");
    }

    @Override
    public boolean isBlind() {
        return false;
    }

    @Override
    public void open(Collection<String> tables, boolean create) throws SQLException {
        for (String each : tables) {
            if (!ends.containsKey(each)) {
                TicketTable table = kind.named(each);
                TableCheck.require(connection, create, table.expected(DatabaseProduct.H2, label), table.probe());
                try (Statement statement = connection.createStatement();
                        ResultSet none = statement.executeQuery(table.probe())) {
                    boolean isNarrow = none.getMetaData().getColumnType(1) == Types.INTEGER;
                    ends.put(each, isNarrow ? Integer.MAX_VALUE : Long.MAX_VALUE);
                }
            }
        }
    }

    @Override
    public Map<String, Found> read(Collection<String> tables, CounterLedger ledger, boolean create)
            throws SQLException {
        Map<String, Found> found = new LinkedHashMap<>();
        for (String each : tables) {
            found.put(each, new Found(last(each, ""), end(each)));
        }
        return found;
    }

    private long end(String table) {
        return ends.getOrDefault(table, Long.MAX_VALUE);
    }

    /** With the time, since H2 may answer a query of constants with a former result while others commit. */
    private OptionalLong last(String table, String lock) throws SQLException {
        return Queries.first(
                        connection,
                        "SELECT id, CURRENT_TIMESTAMP FROM " + table + " WHERE stub = ?" + lock,
                        List.of(TicketTable.STUB),
                        row -> UnsignedColumn.atMost(row, 1))
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws, CounterLedger ledger) throws SQLException {
        H2Draws h2 = new H2Draws(ledger, "stub");
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (Draw each : draws) {
            String table = each.counter().table();
            Drawn answer;
            try {
                answer = h2.draw(each, table, TicketTable.STUB, (number, last) -> {
                    long before = last == 0 ? numbering.offset() - numbering.increment() : last;
                    return each.judge(numbering, number, before, end(table));
                });
            } catch (SQLException e) {
                if (!SqlErrors.isSyntaxOrAccess(e) || draws.size() == 1) {
                    throw e;
                }
                // A look at it alone, or a draw, will say what is wrong.
                answer = Drawn.REFUSED;
            }
            drawn.put(each.counter(), answer);
        }
        return drawn;
    }

    @Override
    public void raise(Map<CounterKey, Long> above) throws SQLException {
        for (Map.Entry<CounterKey, Long> each : above.entrySet()) {
            String table = each.getKey().table();
            OptionalLong last = last(table, " FOR UPDATE");
            String write = last.isPresent()
                    ? "UPDATE " + table + " SET id = ? WHERE stub = ?"
                    : "INSERT INTO " + table + " (id, stub) VALUES (?, ?)";
            try (PreparedStatement statement = connection.prepareStatement(write)) {
                statement.setLong(1, TicketServer.raised(numbering, last.orElse(0), each.getValue()));
                statement.setString(2, TicketTable.STUB);
                statement.executeUpdate();
            }
        }
    }
}
