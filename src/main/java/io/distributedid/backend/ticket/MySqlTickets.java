package io.distributedid.backend.ticket;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.counting.sql.ServerIdentity;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ticket tables on MySQL and MariaDB. A look at many tables takes as many trips as one at one table:
 *
 * <pre>
 * SELECT @@server_uuid = '...';
 * SELECT TABLE_NAME, COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES
 *     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('Photos', 'Users');
 * SELECT id FROM Photos WHERE stub = 'a';
 * SELECT id FROM Users WHERE stub = 'a';
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
        if (unknown.isEmpty()) {
            return;
        }
        Map<String, String> engines = engines(unknown);
        List<TicketTable> missing = unknown.stream()
                .filter(each -> !engines.containsKey(each.name()))
                .toList();
        if (!missing.isEmpty() && create) {
            List<String> ddl = missing.stream().map(each -> each.ddl(product)).toList();
            List<List<List<Object>>> unused =
                    Transactions.repeat(() -> server.trips().run(ddl));
            engines.putAll(engines(missing));
        }
        for (TicketTable each : missing.stream()
                .filter(each -> !engines.containsKey(each.name()))
                .toList()) {
            TableCheck.require(server.connection(), false, each.expected(product, label), each.probe());
        }
        List<MySqlTicketTable.Answers> answers = unknown.stream()
                .map(each -> new MySqlTicketTable.Answers(each, engines.getOrDefault(each.name(), "unknown")))
                .toList();
        List<String> queries =
                answers.stream().flatMap(each -> each.queries().stream()).toList();
        int ofTable = queries.size() / answers.size();
        List<Integer> none = server.trips()
                .run(queries, (query, rows) -> answers.get(query / ofTable).read(query % ofTable, rows));
        for (MySqlTicketTable.Answers each : answers) {
            MySqlTicketTable found = each.table(label);
            if (!found.isTransactional()) {
                LOG.log(
                        Level.WARNING,
                        "The ticket table {0} is no InnoDB table: it gives one id a trip, and its counter may go back"
                                + " after a power failure. Convert it with ALTER TABLE {0} ENGINE=InnoDB",
                        found.table().name());
            }
            tables.put(found.table().name(), found);
        }
    }

    /** The engines of the tables that are there, by the names that were asked for. */
    private Map<String, String> engines(Collection<TicketTable> of) throws SQLException {
        return engines(of, server.trips().run(List.of(enginesQuery(of))).get(0));
    }

    private static String enginesQuery(Collection<TicketTable> of) {
        return "SELECT TABLE_NAME, COALESCE(ENGINE, TABLE_TYPE) FROM information_schema.TABLES WHERE TABLE_SCHEMA = "
                + MySqlTicketDraws.schema(of.iterator().next()) + " AND TABLE_NAME IN "
                + of.stream()
                        .map(each -> MySqlTicketDraws.unqualified(each.name()))
                        .collect(Collectors.joining("', '", "('", "')"));
    }

    /** The server may ignore the case of names, or find tables whose names differ only in case. */
    private static Map<String, String> engines(Collection<TicketTable> of, List<List<Object>> rows) {
        Map<String, String> exact = new HashMap<>();
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (List<Object> row : rows) {
            exact.put(String.valueOf(row.get(0)), String.valueOf(row.get(1)));
            anyCase.put(String.valueOf(row.get(0)), String.valueOf(row.get(1)));
        }
        Map<String, String> engines = new HashMap<>();
        for (TicketTable each : of) {
            String name = MySqlTicketDraws.unqualified(each.name());
            String engine = exact.getOrDefault(name, anyCase.get(name));
            if (engine != null) {
                engines.put(each.name(), engine);
            }
        }
        return engines;
    }

    @Override
    public Map<String, Found> read(Collection<String> names, TicketSchema schema) throws SQLException {
        List<TicketTable> asked = names.stream().map(kind::named).toList();
        List<String> queries = new ArrayList<>();
        queries.add("SELECT CASE WHEN " + ServerIdentity.condition(schema.identity()) + " THEN 1 ELSE 0 END");
        queries.add(enginesQuery(asked));
        asked.forEach(each -> queries.add(each.last()));
        List<List<List<Object>>> found = new ArrayList<>();
        Map<String, OptionalLong> last = new LinkedHashMap<>();
        List<Integer> unused = server.trips().run(queries, (query, rows) -> {
            if (query < 2) {
                found.add(rows(rows));
            } else {
                boolean isThere = rows.next() && rows.getObject(1) != null;
                last.put(
                        asked.get(query - 2).name(),
                        isThere ? OptionalLong.of(UnsignedColumn.atMost(rows, 1)) : OptionalLong.empty());
            }
        });
        if (UnsignedColumn.of(found.get(0).get(0).get(0)) != 1) {
            throw new SQLException("The connection leads to another server than when it was opened: " + label + " was "
                    + schema.identity() + ". Look again");
        }
        Map<String, String> engines = engines(asked, found.get(1));
        tables.keySet()
                .removeIf(each -> names.contains(each)
                        && !requireNonNull(tables.get(each)).engine().equals(engines.get(each)));
        open(names, false);
        Map<String, Found> all = new LinkedHashMap<>();
        for (String each : names) {
            long largest = requireNonNull(tables.get(each)).largest(server.numbering());
            OptionalLong id = requireNonNull(last.get(each));
            all.put(each, new Found(id.orElse(0) > largest ? OptionalLong.of(lastOf(largest)) : id, largest));
        }
        return all;
    }

    /** A counter at its end may have gone beyond the last id. */
    private long lastOf(long largest) {
        return largest
                - Math.floorMod(
                        largest - server.numbering().offset(),
                        server.numbering().increment());
    }

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                row.add(result.getObject(column));
            }
            rows.add(row);
        }
        return rows;
    }

    private MySqlTicketTable table(CounterKey counter) throws SQLException {
        open(List.of(counter.table()), false);
        return requireNonNull(tables.get(counter.table()));
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> all, TicketSchema schema) throws SQLException {
        List<MySqlTicketDraws.Ticket> tickets = new ArrayList<>();
        for (Draw each : all) {
            tickets.add(draws.ticket(each, table(each.counter()), schema));
        }
        return draws.draw(tickets);
    }

    @Override
    public void drawNumber(CounterKey counter, TicketSchema schema) throws SQLException {
        draws.drawNumber(counter, table(counter), schema);
    }

    /**
     * In two trips. The row is always written: an explicit number that lies above the counter raises that, and another
     * one does no harm.
     */
    @Override
    public void raise(Map<CounterKey, Long> above) throws SQLException {
        List<TicketTable> raised =
                above.keySet().stream().map(each -> kind.named(each.table())).toList();
        boolean isReplaced = kind.style() == TicketStyle.REPLACE;
        List<List<List<Object>>> rows = server.trips()
                .run(raised.stream()
                        .map(each -> each.last() + (isReplaced ? " FOR UPDATE" : ""))
                        .toList());
        List<Long> numbers = List.copyOf(above.values());
        List<String> writes = new ArrayList<>();
        for (int i = 0; i < raised.size(); i++) {
            List<List<Object>> row = rows.get(i);
            boolean isMissing = row.isEmpty() || row.get(0).get(0) == null;
            long last = isMissing ? 0 : UnsignedColumn.of(row.get(0).get(0));
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
