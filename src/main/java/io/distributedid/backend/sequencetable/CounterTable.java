package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.ledger.CounterLedger;
import io.distributedid.internal.counter.sql.ServerIdentity;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A sequence table and the ledger beside it, on a connection on which both were checked.
 *
 * @param numbering the server's part of the numbers
 * @param name of the table, in SQL
 * @param identity of the server and the schema
 * @param ignoresCase whether names of the table that differ in case only are one
 */
record CounterTable(
        Connection connection,
        String label,
        Numbering numbering,
        String name,
        CounterLedger ledger,
        String identity,
        boolean ignoresCase) {

    /** Reads a row of a query. */
    @FunctionalInterface
    interface RowReader {

        void read(ResultSet row) throws SQLException;
    }

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
        String found = withSchema(connection, product, configured);
        TableCheck.require(
                connection,
                create && found.equals(configured),
                expected(product, configured, label),
                "SELECT name, id FROM " + configured + " WHERE 1 = 0");
        String name = withSchema(connection, product, found);
        SequenceTableLook.require(connection, name, label);
        CounterTable table = new CounterTable(
                connection,
                label,
                numbering,
                name,
                CounterLedger.beside(name, connection, create, label),
                ServerIdentity.of(connection, product, name),
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
                "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                        + " distributedid.create_tables=true. If a migration creates it after the start, set"
                        + " distributedid.open=lazy");
    }

    /**
     * On PostgreSQL a table without a schema lies in the first schema of the search path that has such a table, which
     * changes when one of that name appears in an earlier schema. CREATE TABLE would add one to the first schema. The
     * ledger must lie beside it.
     */
    private static String withSchema(Connection connection, DatabaseProduct product, String configured)
            throws SQLException {
        if (product != DatabaseProduct.POSTGRESQL || configured.indexOf('.') >= 0) {
            return configured;
        }
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.oid = to_regclass(?)")) {
            select.setString(1, configured);
            try (ResultSet schema = select.executeQuery()) {
                return schema.next() ? schema.getString(1) + "." + configured : configured;
            }
        }
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

    DatabaseProduct product() {
        return sql().product();
    }

    /** The ledger's. */
    LedgerSql sql() {
        return ledger.sql();
    }

    /**
     * All counters of the table of one, as the table or the ledger names them. A row with a name that no sequence has
     * belongs to another client.
     */
    Set<String> names(CounterKey one) throws SQLException {
        Set<String> names = new TreeSet<>();
        String first = ledger.key(one).header() + "/";
        query("SELECT name FROM " + name, List.of(), row -> names.add(row.getString(1)));
        query("SELECT name FROM " + sql().table(), List.of(), row -> {
            String found = row.getString(1);
            if (found.startsWith(first)) {
                names.add(found.substring(first.length()));
            }
        });
        names.removeIf(each -> !Sequence.isName(each));
        return names;
    }

    /** A table whose names ignore case finds another row than that of the sequence. */
    String requireAsked(String found, Collection<String> names) {
        if (!names.contains(found)) {
            throw new IdConfigurationException("A sequence's row has another spelling: table=" + name + " on " + label
                    + " name=" + found + " sequences=" + names + ". Names that the table takes for equal must be equal"
                    + " in all characters. Rename the sequence, or the row: UPDATE " + name + " SET name = ... WHERE"
                    + " name = '" + found + "'");
        }
        return found;
    }

    /** A table whose names ignore case has one row for two sequences. */
    void requireDifferent(Collection<String> names) {
        Set<String> others = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        List<String> twice = names.stream().filter(each -> !others.add(each)).toList();
        if (ignoresCase && !twice.isEmpty()) {
            throw new IdConfigurationException("Two sequences differ in the case of letters only, which the table"
                    + " ignores: table=" + name + " on " + label + " sequences=" + twice + ". Rename one, or give the"
                    + " column name a collation that compares all characters");
        }
    }

    void query(String query, Collection<?> values, RowReader reader) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(query)) {
            set(select, values);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }

    /** Returns how many rows were changed. */
    int update(String update, Collection<?> values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            set(statement, values);
            return statement.executeUpdate();
        }
    }

    static void set(PreparedStatement statement, Collection<?> values) throws SQLException {
        int parameter = 0;
        for (Object each : values) {
            statement.setObject(++parameter, each);
        }
    }

    /** Says which right is missing. */
    SQLException explained(SQLException e) {
        if (SqlErrors.isDenied(e) || SqlErrors.tableMayBeMissing(e)) {
            boolean isLedger =
                    String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(LedgerSql.NAME);
            throw isLedger ? ledger.rows().denied(e) : TableCheck.denied(e, expected(product(), name, label));
        }
        return e;
    }
}
