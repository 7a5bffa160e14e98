package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
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
import java.util.Set;

/**
 * Tickets of H2, at READ COMMITTED. A session of H2 has no increment, so the row holds the last id given. A transaction
 * for each table, since calls in the process cost little:
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name = 'tickets64/' FOR UPDATE;
 * SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE;
 * UPDATE Tickets64 SET id = ... WHERE stub = 'a';
 * UPDATE distributedid SET number = ... WHERE name = 'tickets64/' AND version = ...;
 * ... the notes ...
 * COMMIT;
 * </pre>
 */
final class H2Tickets implements TicketServer {

    private final Connection connection;

    private final String label;

    private final TicketTable kind;

    private final Numbering numbering;

    private final int isolation;

    private final Map<String, Long> ends = new HashMap<>();

    H2Tickets(Connection connection, String label, TicketTable kind, Numbering numbering) throws SQLException {
        if (connection.isReadOnly()) {
            throw new IdConfigurationException("A ticket server must be writable: " + label
                    + " is open for reading only. Take ACCESS_MODE_DATA=r out of its URL");
        }
        if (kind.style() != TicketTable.Style.REPLACE) {
            throw new IdConfigurationException("An H2 server has one row for all tickets:"
                    + " distributedid.ticket.style=insert, allowed: replace");
        }
        this.connection = connection;
        this.label = label;
        this.kind = kind;
        this.numbering = numbering;
        this.isolation = connection.getTransactionIsolation();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
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
    public Map<String, Found> read(Collection<String> tables, Schema schema, boolean create) throws SQLException {
        Map<String, Found> found = new LinkedHashMap<>();
        for (String each : tables) {
            found.put(each, new Found(last(each, ""), end(each)));
        }
        return found;
    }

    private long end(String table) {
        return ends.getOrDefault(table, Long.MAX_VALUE);
    }

    private OptionalLong last(String table, String lock) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(kind.named(table).last() + lock)) {
            return row.next() ? OptionalLong.of(UnsignedColumn.atMost(row, 1)) : OptionalLong.empty();
        }
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws, Schema schema) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (Draw each : draws) {
            Drawn answer;
            try {
                answer = Transactions.run(connection, () -> drawLocked(each, schema.ledger()));
            } catch (SQLException e) {
                if (SqlErrors.isLockWaitTimeout(e)) {
                    answer = Drawn.LOCKED;
                } else if (SqlErrors.isSyntaxOrAccess(e) && draws.size() > 1) {
                    // A look at it alone, or a draw, will say what is wrong.
                    answer = Drawn.REFUSED;
                } else {
                    throw e;
                }
            }
            drawn.put(each.counter(), answer);
        }
        return drawn;
    }

    private Drawn drawLocked(Draw draw, CounterLedger ledger) throws SQLException {
        CounterKey key = ledger.key(draw.counter());
        String table = draw.counter().table();
        Row row = ledger.rows().lock(Set.of(key.ledgerRow())).stream().findAny().orElse(null);
        if (row == null || row.state() != Row.State.OPEN || !row.version().equals(draw.version())) {
            return Drawn.REFUSED;
        }
        OptionalLong last = last(table, " FOR UPDATE");
        Drawn drawn = last.isEmpty() ? Drawn.REFUSED : judge(draw, row.number(), last.getAsLong(), end(table));
        Block block = drawn.block();
        if (block != null) {
            execute("UPDATE " + table + " SET id = ? WHERE stub = ?", block.last(), TicketTable.STUB);
            execute(
                    ledger.sql().drawn(),
                    block.first(),
                    block.last(),
                    row.name(),
                    row.version().toString(),
                    row.number());
            ledger.rows().raise(ledger.notes(draw.counter(), draw.notes(), row.version()));
        }
        return drawn;
    }

    private Drawn judge(Draw draw, long number, long last, long end) {
        long step = numbering.increment();
        long first = numbering.after(last);
        if (last > draw.furthest() || (last > 0 && !numbering.holds(last))) {
            return Drawn.REFUSED;
        }
        if (first > end || first <= last) {
            return Drawn.EXHAUSTED;
        }
        if (first <= Math.max(number, draw.known())) {
            return Drawn.REFUSED;
        }
        long count = Math.min(draw.wanted(), (end - first) / step + 1);
        Block block = new Block(first, step, count);
        return block.last() <= draw.furthest() ? Drawn.of(block) : Drawn.REFUSED;
    }

    private void execute(String update, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            if (statement.executeUpdate() != 1) {
                throw new SQLException("A row has vanished while it was locked: " + update + " on " + label);
            }
        }
    }

    @Override
    public void raise(Map<CounterKey, Long> above) throws SQLException {
        for (Map.Entry<CounterKey, Long> each : above.entrySet()) {
            String table = each.getKey().table();
            OptionalLong last = last(table, " FOR UPDATE");
            execute(
                    last.isPresent()
                            ? "UPDATE " + table + " SET id = ? WHERE stub = ?"
                            : "INSERT INTO " + table + " (id, stub) VALUES (?, ?)",
                    TicketServer.raised(numbering, last.orElse(0), each.getValue()),
                    TicketTable.STUB);
        }
    }

    @Override
    public void restore() throws SQLException {
        connection.setTransactionIsolation(isolation);
    }
}
