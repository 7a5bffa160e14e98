package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.SqlErrors;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the definitions of several ticket tables of one schema, as {@link MySqlTicketTable} reads one. The trips do not
 * grow with the tables, except that none has more than a thousand statements:
 *
 * <pre>
 * SELECT TABLE_NAME, ENGINE FROM information_schema.TABLES
 *     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('Photos', 'Users');
 *
 * CREATE TABLE IF NOT EXISTS Photos ...; ... for each table that is missing
 *
 * SHOW COLUMNS FROM Photos;
 * SHOW CREATE TABLE Photos;
 * SHOW INDEX FROM Photos;
 * ... the same for Users
 * </pre>
 *
 * <p>Only InnoDB tables with one row are read here. Left out are also tables that are missing, refused, hidden by a
 * temporary one, or whose names differ only in case. If a statement is refused, all are left out. For one thread at a
 * time.
 */
final class MySqlTicketTables {

    private static final Logger LOG = System.getLogger(MySqlTicketTables.class.getName());

    /** The most statements of a trip. */
    static final int MAX_STATEMENTS = 1_000;

    private static final int STATEMENTS_PER_TABLE = 3;

    private final MySqlTrips trips;

    private final String label;

    /** The DDL of a table that is missing; empty if none is created. */
    private final Optional<Function<TicketTable, String>> ddl;

    MySqlTicketTables(MySqlTrips trips, String label, Optional<Function<TicketTable, String>> ddl) {
        this.trips = trips;
        this.label = label;
        this.ddl = ddl;
    }

    Map<TicketTable, MySqlTicketTable> read(List<TicketTable> tables) throws SQLException {
        List<TicketTable> ofOneRow = tables.stream()
                .filter(each -> each.style() == TicketStyle.REPLACE)
                .toList();
        if (ofOneRow.isEmpty()) {
            return Map.of();
        }
        try {
            Map<String, List<List<Object>>> engines = engines(ofOneRow);
            List<TicketTable> missing = ofOneRow.stream()
                    .filter(each -> !engines.containsKey(each.unqualified()))
                    .toList();
            if (ddl.isPresent() && !missing.isEmpty()) {
                create(missing, ddl.get());
                engines.putAll(engines(missing));
            }
            return definitions(ofOneRow.stream()
                    .filter(each -> isInnoDb(engines.getOrDefault(each.unqualified(), List.of())))
                    .toList());
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "Ticket tables are opened one by one: " + tables.size(), e);
            return Map.of();
        }
    }

    private Map<String, List<List<Object>>> engines(List<TicketTable> tables) throws SQLException {
        return SchemaQuery.byName(
                trips.run(List.of(SchemaQuery.of("ENGINE", tables))).get(0));
    }

    private static boolean isInnoDb(List<List<Object>> rows) {
        return rows.size() == 1
                && MySqlTicketTable.INNODB.equalsIgnoreCase(
                        String.valueOf(rows.get(0).get(1)));
    }

    private void create(List<TicketTable> missing, Function<TicketTable, String> of) throws SQLException {
        for (List<TicketTable> some : parts(missing, MAX_STATEMENTS)) {
            trips.run(some.stream().map(of).toList());
        }
    }

    private Map<TicketTable, MySqlTicketTable> definitions(List<TicketTable> tables) throws SQLException {
        Map<TicketTable, MySqlTicketTable> definitions = new LinkedHashMap<>();
        for (List<TicketTable> some : parts(tables, MAX_STATEMENTS / STATEMENTS_PER_TABLE)) {
            for (Answers each : answers(some)) {
                each.definition(label).ifPresent(found -> definitions.put(each.table, found));
            }
        }
        return definitions;
    }

    private List<Answers> answers(List<TicketTable> tables) throws SQLException {
        List<Answers> answers = tables.stream().map(Answers::new).toList();
        List<String> statements = new ArrayList<>();
        tables.forEach(each -> statements.addAll(List.of(
                MySqlTicketTable.columnsQuery(each),
                MySqlTable.ddlQuery(each.name()),
                MySqlTable.keysQuery(each.name()))));
        trips.run(
                statements,
                (query, rows) -> answers.get(query / STATEMENTS_PER_TABLE).read(query % STATEMENTS_PER_TABLE, rows));
        return answers;
    }

    /** What the server says of a table. */
    private static final class Answers {

        private final TicketTable table;

        private Map<String, MySqlTicketTable.Column> columns = Map.of();

        private boolean isTemporary;

        private List<List<String>> uniqueKeys = List.of();

        Answers(TicketTable table) {
            this.table = table;
        }

        void read(int query, ResultSet rows) throws SQLException {
            switch (query) {
                case 0 -> columns = MySqlTicketTable.columns(rows);
                case 1 -> isTemporary = MySqlTable.isTemporary(rows);
                default -> uniqueKeys = MySqlTable.uniqueKeys(rows);
            }
        }

        /** Empty if the table must be opened alone, which will say what is wrong with it. */
        Optional<MySqlTicketTable> definition(String label) {
            if (isTemporary) {
                return Optional.empty();
            }
            try {
                return Optional.of(MySqlTicketTable.of(
                        table, columns, new MySqlTable(MySqlTicketTable.INNODB, uniqueKeys), label));
            } catch (IdConfigurationException e) {
                LOG.log(Level.DEBUG, "A ticket table is opened alone", e);
                return Optional.empty();
            }
        }
    }

    /** The tables in parts of at most {@code most}. */
    static <T> List<List<T>> parts(List<T> all, int most) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            parts.add(all.subList(from, Math.min(all.size(), from + most)));
        }
        return parts;
    }
}
