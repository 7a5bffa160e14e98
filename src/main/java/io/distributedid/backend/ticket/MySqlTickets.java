package io.distributedid.backend.ticket;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Ticket tables on MySQL and MariaDB. A look at many tables takes as many trips as one at one table:
 *
 * <pre>
 * SELECT @@server_uuid = '...';
 * SELECT (SELECT id FROM Photos WHERE stub = 'a'), (SELECT ENGINE FROM information_schema.TABLES WHERE ...);
 * SELECT (SELECT id FROM Users WHERE stub = 'a'), (SELECT ENGINE FROM information_schema.TABLES WHERE ...);
 * </pre>
 *
 * <p>The engine of a table tells how it is drawn from, see {@link MySqlTicketDraws}. If it has changed since the last
 * look, the table's definition is read again.
 */
final class MySqlTickets implements TicketServer {

    private static final Logger LOG = System.getLogger(MySqlTickets.class.getName());

    private final MySqlTicketServer server;

    private final String label;

    private final TicketTable kind;

    private final DatabaseProduct product;

    private final MySqlTicketDraws draws;

    private final Map<String, MySqlTicketTable> tables = new HashMap<>();

    MySqlTickets(MySqlTicketServer server, String label, TicketTable kind) throws SQLException {
        this.server = server;
        this.label = label;
        this.kind = kind;
        this.product = DatabaseProduct.of(server.connection());
        this.draws = new MySqlTicketDraws(server);
    }

    /** A plain REPLACE that drew its number before ours may write it after ours. */
    @Override
    public boolean isBlind() {
        return true;
    }

    @Override
    public void open(Collection<String> names, boolean create) throws SQLException {
        List<TicketTable> unknown = names.stream()
                .filter(each -> !tables.containsKey(each))
                .map(kind::named)
                .toList();
        try {
            define(unknown);
        } catch (SQLException e) {
            if (!create || !SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            List<String> ddl = unknown.stream().map(each -> each.ddl(product)).toList();
            List<List<List<Object>>> unused =
                    Transactions.repeat(() -> server.trips().run(ddl));
            define(unknown);
        }
    }

    private void define(List<TicketTable> unknown) throws SQLException {
        List<MySqlTicketTable.Answers> answers =
                unknown.stream().map(MySqlTicketTable.Answers::new).toList();
        List<String> queries =
                answers.stream().flatMap(each -> each.queries().stream()).toList();
        if (queries.isEmpty()) {
            return;
        }
        int ofTable = queries.size() / answers.size();
        List<Integer> none = server.trips()
                .run(queries, (query, rows) -> answers.get(query / ofTable).read(query % ofTable, rows));
        for (MySqlTicketTable.Answers each : answers) {
            MySqlTicketTable found = each.table(label);
            if (!found.isTransactional()) {
                LOG.log(
                        Level.WARNING,
                        "The ticket table {0} is not an InnoDB table: it gives one id per round trip, and its counter"
                                + " may go back after a power failure. Convert it with ALTER TABLE {0} ENGINE=InnoDB",
                        found.table().name());
            }
            tables.put(found.table().name(), found);
        }
    }

    @Override
    public Map<String, Found> read(Collection<String> names, CounterLedger ledger, boolean create) throws SQLException {
        List<TicketTable> asked = names.stream().map(kind::named).toList();
        List<String> queries = new ArrayList<>(List.of("SELECT " + ledger.isSameServer()));
        asked.forEach(
                each -> queries.add("SELECT (" + each.last() + "), (" + MySqlTable.engineQuery(each.name()) + ")"));
        List<List<List<Object>>> found;
        try {
            found = server.trips().run(queries);
        } catch (SQLException e) {
            if (!SqlErrors.tableIsMissing(e) || !tables.keySet().removeAll(names)) {
                throw e;
            }
            open(names, create);
            found = server.trips().run(queries);
        }
        if (UnsignedColumn.of(found.get(0).get(0).get(0)) != 1) {
            throw ledger.otherServer();
        }
        Map<String, Found> all = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            String name = asked.get(i).name();
            List<List<Object>> rows = found.get(i + 1);
            if (!requireNonNull(tables.get(name)).engine().equals(rows.get(0).get(1))) {
                tables.remove(name);
                open(List.of(name), false);
            }
            long largest = requireNonNull(tables.get(name)).largest(server.numbering());
            all.put(name, new Found(last(rows, largest), largest));
        }
        return all;
    }

    /** A counter at its end may have gone beyond the last id. */
    private OptionalLong last(List<List<Object>> rows, long largest) throws SQLException {
        if (isMissing(rows)) {
            return OptionalLong.empty();
        }
        long last = UnsignedColumn.atMost(rows.get(0).get(0));
        Numbering numbering = server.numbering();
        long end = largest - Math.floorMod(largest - numbering.offset(), numbering.increment());
        return OptionalLong.of(last > largest ? end : last);
    }

    /** Whether a table is empty. */
    private static boolean isMissing(List<List<Object>> rows) {
        return rows.isEmpty() || rows.get(0).get(0) == null;
    }

    private MySqlTicketTable table(CounterKey counter) throws SQLException {
        open(List.of(counter.table()), false);
        return requireNonNull(tables.get(counter.table()));
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> all, CounterLedger ledger) throws SQLException {
        List<MySqlTicketDraws.Ticket> tickets = new ArrayList<>();
        for (Draw each : all) {
            tickets.add(draws.ticket(each, table(each.counter()), ledger));
        }
        return draws.draw(tickets);
    }

    @Override
    public void drawNumber(CounterKey counter, CounterLedger ledger) throws SQLException {
        draws.drawNumber(counter, table(counter), ledger);
    }

    /**
     * In two trips. The row is always written: an explicit number that lies above the counter raises that, and another
     * one does no harm.
     */
    @Override
    public void raise(Map<CounterKey, Long> above) throws SQLException {
        List<TicketTable> raised =
                above.keySet().stream().map(each -> kind.named(each.table())).toList();
        boolean isReplaced = kind.style() == TicketTable.Style.REPLACE;
        List<List<List<Object>>> rows = server.trips()
                .run(raised.stream()
                        .map(each -> each.last() + (isReplaced ? " FOR UPDATE" : ""))
                        .toList());
        List<Long> numbers = List.copyOf(above.values());
        List<String> writes = new ArrayList<>();
        for (int i = 0; i < raised.size(); i++) {
            boolean isMissing = isMissing(rows.get(i));
            long last = isMissing ? 0 : UnsignedColumn.of(rows.get(i).get(0).get(0));
            long next = TicketServer.raised(server.numbering(), last, numbers.get(i));
            if (isReplaced || isMissing || next > last) {
                writes.add(MySqlTicketDraws.insert(raised.get(i), Long.toString(next)));
            }
        }
        if (!writes.isEmpty()) {
            server.trips().run(writes);
        }
    }

    @Override
    public void restore() throws SQLException {
        server.restore();
    }
}
