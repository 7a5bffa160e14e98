package io.distributedid.backend.ticket;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.LastId;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads and raises several InnoDB ticket tables of one schema, each with one row. The trips do not grow with the
 * tables, except that none has more than a thousand statements. A look takes one trip:
 *
 * <pre>
 * SELECT id FROM Photos WHERE stub = 'a';
 * SELECT id FROM Users WHERE stub = 'a';
 * SELECT TABLE_NAME, AUTO_INCREMENT FROM information_schema.TABLES WHERE ... TABLE_NAME IN ('Photos', 'Users');
 * </pre>
 *
 * <p>A raise takes two, in a transaction of the caller:
 *
 * <pre>
 * SELECT id FROM Photos WHERE stub = 'a' FOR UPDATE;
 * SELECT id FROM Users WHERE stub = 'a' FOR UPDATE;
 *
 * REPLACE INTO Photos (stub, id) VALUES ('a', 501);
 * REPLACE INTO Users (stub, id) VALUES ('a', 501);
 * </pre>
 *
 * <p>The statements and their order for each table are those of {@link InnoDbTickets}: the server's AUTO_INCREMENT is
 * read after the id, and a row is only replaced while it is locked and lies below the new id. For one thread at a time.
 */
final class InnoDbTicketRows {

    private static final Logger LOG = System.getLogger(InnoDbTicketRows.class.getName());

    /** A look has three more statements. */
    private static final int MAX_TABLES = MySqlTicketTables.MAX_STATEMENTS - 3;

    private InnoDbTicketRows() {}

    /**
     * Reads how far tables have come that {@linkplain InnoDbTickets#sharesTransactions share transactions}. Leaves out
     * those that must be read alone; all, if a statement is refused.
     */
    static Map<InnoDbTickets, LastId> last(List<InnoDbTickets> tables) throws SQLException {
        Map<InnoDbTickets, LastId> last = new LinkedHashMap<>();
        try {
            for (List<InnoDbTickets> some : MySqlTicketTables.parts(tables, MAX_TABLES)) {
                read(some, last);
            }
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "Ticket tables are read one by one: " + tables.size(), e);
        }
        return last;
    }

    private static void read(List<InnoDbTickets> tables, Map<InnoDbTickets, LastId> last) throws SQLException {
        InnoDbTickets first = tables.get(0);
        List<String> queries = new ArrayList<>();
        tables.forEach(each -> queries.add(each.statements().last()));
        queries.addAll(first.withoutCache(SchemaQuery.of(
                "AUTO_INCREMENT", tables.stream().map(TicketCounter::table).toList())));
        List<List<List<Object>>> found = first.statements().trips().run(queries);
        Map<String, List<List<Object>>> next = SchemaQuery.byName(found.get(tables.size()));
        for (int i = 0; i < tables.size(); i++) {
            InnoDbTickets table = tables.get(i);
            List<List<Object>> ofName = next.getOrDefault(table.table().unqualified(), List.of());
            if (ofName.size() == 1) {
                try {
                    long id = id(found.get(i));
                    last.put(
                            table,
                            new LastId(
                                    OptionalLong.of(id),
                                    InnoDbTickets.slack(ofName.get(0).get(1), id)));
                } catch (IdsExhaustedException e) {
                    LOG.log(Level.DEBUG, "A ticket table is read alone: " + table.table(), e);
                }
            }
        }
    }

    private static long id(List<List<Object>> rows) throws SQLException {
        return rows.isEmpty() ? 0 : UnsignedColumn.of(rows.get(0).get(0));
    }

    /** In a transaction: raises tables whose last id is below the given one. */
    static void raise(Map<InnoDbTickets, Long> ids) throws SQLException {
        List<InnoDbTickets> tables = List.copyOf(ids.keySet());
        for (List<InnoDbTickets> some : MySqlTicketTables.parts(tables, MAX_TABLES)) {
            MySqlTrips trips = some.get(0).statements().trips();
            List<List<List<Object>>> found = trips.run(
                    some.stream().map(each -> each.statements().lastLocked()).toList());
            List<String> writes = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                Long id = ids.get(some.get(i));
                if (id != null && id(found.get(i)) < id) {
                    writes.add(some.get(i).statements().insertId(id));
                }
            }
            if (!writes.isEmpty()) {
                trips.run(writes);
            }
        }
    }
}
