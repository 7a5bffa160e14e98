package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A sequence table and the ledger beside it, on a connection on which both were checked.
 *
 * <p>A look is one statement. It sees one snapshot of both tables, so that no draw lies between a row and its counter.
 * The last row tells whether the connection still leads to the server whose tables were checked:
 *
 * <pre>
 * SELECT name, version, number, state, text, NULL, NULL FROM distributedid
 *     WHERE name IN ('sequence', 'sequence/photos', 'sequence/photos@2')
 * UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, name, id FROM sequence WHERE name IN ('photos')
 * UNION ALL SELECT NULL, NULL, CASE WHEN @@server_uuid = '...' THEN 1 ELSE 0 END, NULL, NULL, NULL, NULL;
 * </pre>
 *
 * <p>Counters are created or raised, any number with one statement. Here on MySQL:
 *
 * <pre>
 * INSERT INTO sequence (name, id) VALUES ('photos', 99), ... ON DUPLICATE KEY UPDATE id = GREATEST(...);
 * SELECT ... the look, which compares the spelling ...;
 * </pre>
 *
 * @param name of the table, in SQL
 * @param ignoresCase whether names of the table that differ in case only are one
 */
record CounterTable(String name, CounterLedger ledger, boolean ignoresCase) {

    /**
     * Opens the table and its ledger.
     *
     * @param create whether they are created if they are missing
     * @param forDraws whether the user needs all rights
     */
    static CounterTable open(
            Connection connection,
            String label,
            Numbering numbering,
            String configured,
            boolean create,
            boolean forDraws)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        TableCheck.require(
                connection,
                create,
                expected(product, configured, label),
                "SELECT * FROM " + configured + " WHERE 1 = 0");
        String name = withSchema(connection, product, configured);
        SequenceTableLook.require(connection, name, label);
        CounterTable table = new CounterTable(
                name,
                CounterLedger.beside(name, connection, numbering, create, label),
                LedgerSql.ignoresCase(connection, name));
        if (forDraws) {
            table.requireRights(name, "name, id", "id");
            table.requireRights(table.sql().table(), LedgerSql.COLUMNS, "number");
        }
        return table;
    }

    private static TableCheck.Expected expected(DatabaseProduct product, String name, String label) {
        return new TableCheck.Expected(
                "The sequence table",
                name,
                label,
                SequenceTableLook.ddl(product, name),
                "SELECT, INSERT, UPDATE",
                CounterLedger.BESIDE + TableCheck.CREATED_BY_HIBERNATE);
    }

    /**
     * On PostgreSQL a table without a schema lies in the first schema of the search path that has such a table, which
     * changes when one of that name appears in an earlier schema. The ledger must lie beside it.
     */
    private static String withSchema(Connection connection, DatabaseProduct product, String configured)
            throws SQLException {
        if (product != DatabaseProduct.POSTGRESQL || configured.indexOf('.') >= 0) {
            return configured;
        }
        return Queries.text(
                        connection,
                        "SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                + " WHERE c.oid = to_regclass(?)",
                        configured)
                .map(schema -> schema + "." + configured)
                .orElse(configured);
    }

    /** Fails at once if the user may not draw. Changes nothing. If the server is read-only, a draw says so. */
    private void requireRights(String table, String columns, String changed) throws SQLException {
        for (String change : List.of(
                "UPDATE " + table + " SET " + changed + " = " + changed,
                "INSERT INTO " + table + " (" + columns + ") SELECT " + columns + " FROM " + table)) {
            try {
                update(change + " WHERE 1 = 0", List.of());
            } catch (SQLException e) {
                SQLException unused = explained(e);
            }
        }
    }

    /** The ledger's. */
    LedgerSql sql() {
        return ledger.sql();
    }

    /** What the server holds of counters. */
    Map<CounterKey, Seen> look(Collection<CounterKey> all) throws SQLException {
        Set<String> inLedger = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (CounterKey each : all) {
            inLedger.addAll(ledger.names(each));
            names.add(each.row());
        }
        requireDifferent(names);
        List<String> values = new ArrayList<>(inLedger);
        values.addAll(names);
        Map<String, Row> rows = new HashMap<>();
        Map<String, Long> counters = new HashMap<>();
        AtomicBoolean isSameServer = new AtomicBoolean();
        query(
                "SELECT " + LedgerSql.COLUMNS + ", NULL, NULL FROM "
                        + sql().table() + " WHERE name "
                        + InList.of(inLedger.size())
                        + " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, name, id FROM " + name
                        + " WHERE name " + InList.of(names.size()) + " UNION ALL SELECT NULL, NULL, CASE WHEN "
                        + ledger.isSameServer() + " THEN 1 ELSE 0 END, NULL, NULL, NULL, NULL",
                values,
                found -> {
                    if (found.getString(1) != null) {
                        Row row = ledger.rows().row(found, inLedger);
                        rows.put(row.name(), row);
                    } else if (found.getString(6) != null) {
                        counters.put(requireAsked(found.getString(6), names), UnsignedColumn.atMost(found, 7));
                    } else {
                        isSameServer.set(found.getInt(3) == 1);
                    }
                });
        if (!isSameServer.get()) {
            throw ledger.otherServer();
        }
        Map<CounterKey, Seen> seen = new LinkedHashMap<>();
        for (CounterKey each : all) {
            Long last = counters.get(each.row());
            OptionalLong counter = last == null ? OptionalLong.empty() : OptionalLong.of(last);
            seen.put(each, ledger.seen(each, rows, counter, false, Long.MAX_VALUE));
        }
        return seen;
    }

    /**
     * Creates counters, or raises them to a number of this server; one at the end of its column stays. In a transaction
     * that has locked the counters' rows of the ledger.
     */
    void raise(Map<CounterKey, Long> above) throws SQLException {
        List<Object> values = new ArrayList<>();
        above.forEach((counter, id) ->
                values.addAll(List.of(counter.row(), ledger.numbering().before(id))));
        update(raise(above.size()), values);
        // If the names of the table ignore case, another counter was raised: refuses it.
        Map<CounterKey, Seen> unused = look(above.keySet());
    }

    private String raise(int rows) {
        long step = ledger.numbering().increment();
        String insert = "INSERT INTO " + name + " AS s (name, id) VALUES (?, ?)" + ", (?, ?)".repeat(rows - 1);
        String id = "s.id + CASE WHEN s.id > " + (Long.MAX_VALUE - step) + " THEN 0 ELSE MOD("
                + (step + ledger.numbering().offset()) + " - MOD(s.id, " + step + "), " + step + ") END)";
        return switch (sql().product()) {
            case MYSQL, MARIADB ->
                insert.replace(" AS s ", " ") + " ON DUPLICATE KEY UPDATE id = GREATEST(VALUES(id), "
                        + id.replace("s.id", "id");
            case POSTGRESQL -> insert + " ON CONFLICT (name) DO UPDATE SET id = GREATEST(excluded.id, " + id;
            case H2 ->
                "MERGE INTO " + name + " s USING (VALUES (CAST(? AS VARCHAR), CAST(? AS BIGINT))"
                        + ", (?, ?)".repeat(rows - 1) + ") v (name, id) ON s.name = v.name WHEN MATCHED THEN UPDATE"
                        + " SET id = GREATEST(v.id, " + id
                        + " WHEN NOT MATCHED THEN INSERT (name, id) VALUES (v.name, v.id)";
        };
    }

    /**
     * All counters of the table of one, as the table or the ledger names them. A row with a name that no sequence has
     * belongs to another client.
     */
    Set<CounterKey> counters(CounterKey one) throws SQLException {
        Set<String> names = new TreeSet<>();
        String first = ledger.key(one).header() + "/";
        query("SELECT name FROM " + name, List.of(), row -> names.add(row.getString(1)));
        query("SELECT name FROM " + sql().table(), List.of(), row -> {
            String found = row.getString(1);
            if (found.startsWith(first)) {
                names.add(found.substring(first.length()));
            }
        });
        return names.stream()
                .filter(Sequence::isName)
                .map(each -> new CounterKey(one.table(), each, each))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** A table whose names ignore case finds another row than that of the sequence. */
    String requireAsked(String found, Collection<String> names) {
        if (!names.contains(found)) {
            throw new IdConfigurationException("A sequence's row has another spelling: table=" + name + " on "
                    + ledger.label() + " name=" + found + " sequences=" + names + ". Names that the table compares as"
                    + " equal must be spelt alike. Rename the sequence, or the row: UPDATE " + name
                    + " SET name = ... WHERE name = '" + found + "'");
        }
        return found;
    }

    /** A table whose names ignore case has one row for two sequences. */
    private void requireDifferent(Collection<String> names) {
        Set<String> others = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        List<String> twice = names.stream().filter(each -> !others.add(each)).toList();
        if (ignoresCase && !twice.isEmpty()) {
            throw new IdConfigurationException("Two sequences differ only in case, which the table ignores: table="
                    + name + " on " + ledger.label() + " sequences=" + twice + ". Rename one, or"
                    + " give the column name a collation that compares all characters");
        }
    }

    void query(String query, Collection<?> values, Queries.RowReader reader) throws SQLException {
        try {
            Queries.each(ledger.connection(), query, values, reader);
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    private void update(String update, Collection<?> values) throws SQLException {
        try (PreparedStatement statement = ledger.connection().prepareStatement(update)) {
            Queries.set(statement, values);
            statement.executeUpdate();
        }
    }

    /** Says which right is missing. */
    SQLException explained(SQLException e) {
        return CounterLedger.explained(e, expected(sql().product(), name, ledger.label()), ledger);
    }
}
