package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.counting.Numbering;
import io.distributedid.internal.counting.sql.ServerIdentity;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.SqlLedger;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A sequence table and the ledger beside it, on a connection on which both were checked.
 *
 * @param numbering the server's part of the numbers
 * @param name of the table, in SQL
 * @param sql of the ledger
 * @param prefix what the names of the table's rows in the ledger begin with: one, however the table is spelt
 * @param identity of the server and the schema
 * @param largest the largest id that the table holds
 */
record CounterTable(
        Connection connection,
        String label,
        Numbering numbering,
        String name,
        LedgerSql sql,
        SqlLedger ledger,
        String prefix,
        String identity,
        long largest) {

    /** Reads a row of a query. */
    @FunctionalInterface
    interface RowReader {

        void read(ResultSet row) throws SQLException;
    }

    /** Opens the table and its ledger, and creates them if they are missing and {@code create} says so. */
    static CounterTable open(
            Connection connection, String label, Numbering numbering, String configured, boolean create)
            throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        String found = withSchema(connection, product, configured);
        boolean isFound = !found.equals(configured);
        TableCheck.require(
                connection,
                create && !isFound,
                expected(product, configured, label),
                "SELECT name, id FROM " + configured + " WHERE 1 = 0");
        String name = isFound ? found : withSchema(connection, product, configured);
        SequenceTableLook.require(connection, name, label);
        LedgerSql sql = LedgerSql.beside(product, name);
        return new CounterTable(
                connection,
                label,
                numbering,
                name,
                sql,
                SqlLedger.open(connection, sql, create, label),
                prefix(connection, product, configured),
                ServerIdentity.of(connection, product, name),
                Long.MAX_VALUE);
    }

    private static TableCheck.Expected expected(DatabaseProduct product, String name, String label) {
        return new TableCheck.Expected(
                "The sequence table",
                name,
                label,
                SequenceTableSql.ddl(product, name),
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

    private static String prefix(Connection connection, DatabaseProduct product, String configured)
            throws SQLException {
        String name = configured.substring(configured.lastIndexOf('.') + 1);
        boolean isMySql = product == DatabaseProduct.MYSQL || product == DatabaseProduct.MARIADB;
        return isMySql && connection.getMetaData().supportsMixedCaseIdentifiers()
                ? name
                : name.toLowerCase(Locale.ROOT);
    }

    DatabaseProduct product() {
        return sql.product();
    }

    /** The ledger's table, in SQL. */
    String rows() {
        return sql.table();
    }

    /** The counter as the ledger names it. */
    CounterKey inLedger(CounterKey counter) {
        return new CounterKey(prefix, counter.row(), counter.sequence());
    }

    String rowOf(Draw draw) {
        return inLedger(draw.counter()).ledgerRow();
    }

    /** The largest last id of a counter that has all that a draw wants; negative if none has. */
    long most(Draw draw) {
        return draw.wanted() > largest / numbering.increment() ? -1 : Math.min(draw.furthest(), largest) - amount(draw);
    }

    long amount(Draw draw) {
        return draw.wanted() * numbering.increment();
    }

    /** The smallest last id whose next one is new to the process. */
    long least(Draw draw) {
        return Math.max(0, draw.known() - numbering.increment() + 1);
    }

    /**
     * A condition on the last id {@code s.id}: the next one is above what the row remembers, which may be any number.
     *
     * @param number the column of the row
     */
    String isNextNew(String number) {
        return "s.id > " + number + " - " + numbering.increment();
    }

    /** A condition on the last id {@code s.id}: it is one of this server. */
    String hasRemainder() {
        return "MOD(s.id, " + numbering.increment() + ") = " + numbering.offset() % numbering.increment();
    }

    /**
     * What a draw gets from an open row. This is the rule that every statement of a draw repeats. A block ends where
     * the column ends.
     *
     * @param number of the row
     * @param counter the last id that was drawn
     */
    Drawn judge(Draw draw, long number, long counter) {
        long step = numbering.increment();
        if (counter <= Math.max(number, draw.known()) - step
                || counter > draw.furthest()
                || !numbering.holds(counter)) {
            return Drawn.REFUSED;
        }
        long count = Math.min(draw.wanted(), (largest - counter) / step);
        if (count < 1) {
            return Drawn.EXHAUSTED;
        }
        Block block = new Block(counter + step, step, count);
        return block.last() <= draw.furthest() ? Drawn.of(block) : Drawn.REFUSED;
    }

    /** All that a draw wants, up to a last id. */
    Drawn block(Draw draw, long last) {
        long step = numbering.increment();
        return Drawn.of(new Block(last - (draw.wanted() - 1) * step, step, draw.wanted()));
    }

    /**
     * Reads last ids, by name. {@code end} may lock the rows that are found. A number above 2^63-1 is returned as that:
     * no id lies above it.
     */
    Map<String, Long> ids(Collection<String> names, String end) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        query(
                "SELECT name, id FROM " + name + " WHERE name " + InList.of(names.size()) + end,
                names,
                row -> found.put(requireAsked(row.getString(1), names), UnsignedColumn.atMost(row, 2)));
        return found;
    }

    /**
     * All counters, as the table or the ledger names them. A row with a name that no sequence has belongs to another
     * client.
     */
    Set<String> names() throws SQLException {
        Set<String> names = new TreeSet<>();
        String first = prefix + "/";
        query("SELECT name FROM " + name, List.of(), row -> names.add(row.getString(1)));
        query("SELECT name FROM " + sql.table(), List.of(), row -> {
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
    int update(String update, List<?> values) throws SQLException {
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
            throw isLedger ? ledger.denied(e) : TableCheck.denied(e, expected(product(), name, label));
        }
        return e;
    }
}
