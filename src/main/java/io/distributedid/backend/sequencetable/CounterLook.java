package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.sql.ServerIdentity;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads what a server holds of counters, with one statement: it sees one snapshot of both tables, so that no draw lies
 * between a row and its counter.
 *
 * <pre>
 * SELECT name, version, number, state, text, NULL, NULL FROM distributedid
 *     WHERE name IN ('sequence', 'sequence/photos', 'sequence/photos@2')
 * UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, name, id FROM sequence WHERE name IN ('photos')
 * UNION ALL SELECT NULL, NULL, CASE WHEN @@server_uuid = '...' THEN 1 ELSE 0 END, NULL, NULL, NULL, NULL;
 * </pre>
 *
 * <p>The last row tells whether the connection still leads to the server whose tables were checked.
 */
final class CounterLook {

    private final CounterTable table;

    private final Set<String> inLedger = new LinkedHashSet<>();

    private final Set<String> names = new LinkedHashSet<>();

    private final Map<String, Row> rows = new HashMap<>();

    private final Map<String, Long> counters = new HashMap<>();

    private boolean isSameServer;

    private CounterLook(CounterTable table) {
        this.table = table;
    }

    static Map<CounterKey, Seen> read(CounterTable table, Collection<CounterKey> counters) throws SQLException {
        CounterLook look = new CounterLook(table);
        look.read(counters);
        Map<CounterKey, Seen> seen = new LinkedHashMap<>();
        counters.forEach(each -> seen.put(each, look.seen(each)));
        return seen;
    }

    private void read(Collection<CounterKey> all) throws SQLException {
        for (CounterKey each : all) {
            inLedger.addAll(table.ledger().names(each, table.numbering()));
            names.add(each.row());
        }
        table.requireDifferent(names);
        List<String> values = new ArrayList<>(inLedger);
        values.addAll(names);
        try {
            table.query(
                    "SELECT " + LedgerSql.COLUMNS + ", NULL, NULL FROM "
                            + table.sql().table() + " WHERE name "
                            + InList.of(inLedger.size())
                            + " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, name, id FROM " + table.name()
                            + " WHERE name " + InList.of(names.size()) + " UNION ALL SELECT NULL, NULL, CASE WHEN "
                            + ServerIdentity.condition(table.identity()) + " THEN 1 ELSE 0 END, NULL, NULL, NULL, NULL",
                    values,
                    this::add);
        } catch (SQLException e) {
            throw table.explained(e);
        }
        if (!isSameServer) {
            throw new SQLException("The connection leads to another server than when it was opened: " + table.label()
                    + " was " + table.identity() + ". Look again");
        }
    }

    private void add(ResultSet found) throws SQLException {
        if (found.getString(1) != null) {
            Row row = table.ledger().rows().row(found, inLedger);
            rows.put(row.name(), row);
        } else if (found.getString(6) != null) {
            counters.put(table.requireAsked(found.getString(6), names), UnsignedColumn.atMost(found, 7));
        } else {
            isSameServer = found.getInt(3) == 1;
        }
    }

    private Seen seen(CounterKey counter) {
        Long last = counters.get(counter.row());
        return table.ledger()
                .seen(
                        counter,
                        rows,
                        table.identity(),
                        table.numbering(),
                        last == null ? OptionalLong.empty() : OptionalLong.of(last),
                        false,
                        Long.MAX_VALUE);
    }
}
