package io.distributedid.backend.sequencetable;

import static java.util.Objects.requireNonNull;

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
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A connection to the database of sequence tables, with each table and its ledger checked on it: {@link CounterTable}
 * reads, {@link Draws} draws, {@link CounterLedger} changes. For one thread at a time.
 *
 * <p><b>Locks.</b> The rows of the ledger are locked in the order of their names, then the counters. A row of the
 * ledger is waited for as long as {@link SessionSettings} says. If one does not get free, the list goes again without
 * those that are locked then. A counter that another transaction holds is skipped; alone, it is waited for as long.
 * After a deadlock, the attempt is repeated.
 *
 * <p>Why a counter has given nothing, a look tells afterwards.
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
    public Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException {
        CounterKey first = counters.iterator().next();
        return table(first, createTables && forChanges, forChanges).table.look(counters);
    }

    @Override
    public Set<CounterKey> counters(CounterKey one) throws SQLException {
        return table(one, false, false).table.counters(one);
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        return draw(table(draws.get(0).counter(), false, true), draws);
    }

    private Map<CounterKey, Drawn> draw(Draws table, List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        try {
            drawn.putAll(Transactions.repeat(() -> table.attempt(draws)));
        } catch (SQLException e) {
            if (!SqlErrors.isLockWaitTimeout(e)) {
                throw table.table.explained(e);
            }
            Set<String> free = table.free(draws);
            List<Draw> rest = draws.stream()
                    .filter(each -> free.contains(table.rowOf(each)))
                    .toList();
            draws.forEach(each -> drawn.put(each.counter(), Drawn.LOCKED));
            if (!rest.isEmpty() && rest.size() < draws.size()) {
                drawn.putAll(draw(table, rest));
            }
        }
        List<Draw> empty = draws.stream()
                .filter(each -> !drawn.containsKey(each.counter()))
                .toList();
        if (!empty.isEmpty()) {
            explain(table, empty, drawn);
        }
        return drawn;
    }

    /** A counter that could be drawn from now was locked, or has changed since; or it has less than was wanted. */
    private void explain(Draws table, List<Draw> draws, Map<CounterKey, Drawn> drawn) throws SQLException {
        Map<CounterKey, Seen> seen =
                table.table.look(draws.stream().map(Draw::counter).toList());
        for (Draw each : draws) {
            Drawn now = table.judge(each, requireNonNull(seen.get(each.counter())));
            Block block = now.block();
            if (block != null && block.count() < each.wanted()) {
                drawn.putAll(draw(table, List.of(each.wanting(block.count()))));
            } else {
                drawn.put(each.counter(), block == null ? now : Drawn.LOCKED);
            }
        }
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
