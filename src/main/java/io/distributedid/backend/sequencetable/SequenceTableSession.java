package io.distributedid.backend.sequencetable;

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
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A connection to the database of sequence tables, with each table and its ledger checked on it: {@link CounterTable}
 * reads, {@link Draws} draws, {@link CounterLedger} changes. For one thread at a time.
 */
final class SequenceTableSession implements CounterSession {

    private final Connection connection;

    private final String label;

    private final Numbering numbering;

    private final boolean createTables;

    private final SessionSettings settings;

    private final Map<String, Draws> tables = new HashMap<>();

    /**
     * @param numbering the server's part of the numbers
     * @param createTables whether a look creates missing tables
     */
    SequenceTableSession(Connection connection, String label, Numbering numbering, boolean createTables)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.numbering = numbering;
        this.createTables = createTables;
        this.settings = SessionSettings.set(connection, DatabaseProduct.of(connection));
    }

    /** Draws from the counter's table, which is opened at its first use. */
    private Draws table(CounterKey counter, boolean create, boolean forDraws) throws SQLException {
        Draws known = tables.get(counter.table());
        if (known == null) {
            known = Draws.of(CounterTable.open(connection, label, numbering, counter.table(), create, forDraws));
            tables.put(counter.table(), known);
        }
        return known;
    }

    @Override
    public Map<CounterKey, Seen> look(Collection<CounterKey> counters) throws SQLException {
        return counters.isEmpty()
                ? Map.of()
                : table(counters.iterator().next(), createTables, true).table.look(counters);
    }

    @Override
    public Map<CounterKey, Seen> read(Collection<CounterKey> counters) throws SQLException {
        return table(counters.iterator().next(), false, false).table.look(counters);
    }

    @Override
    public Set<CounterKey> counters(CounterKey one) throws SQLException {
        return table(one, false, false).table.counters(one);
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        return draws.isEmpty()
                ? Map.of()
                : table(draws.get(0).counter(), false, true).draw(draws);
    }

    @Override
    public Set<Write> write(List<Write> writes) throws SQLException {
        CounterKey counter = writes.get(0).change().counter();
        CounterTable table = table(counter, false, true).table;
        try {
            return table.ledger().write(writes, table::raise);
        } catch (SQLException e) {
            throw table.explained(e);
        }
    }

    @Override
    public Optional<Writability> whyReadOnly() throws SQLException {
        return Writability.missing(connection);
    }

    @Override
    public void restore() throws SQLException {
        settings.restore();
    }
}
