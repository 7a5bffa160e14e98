package io.distributedid.internal.keyed.owner;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StoredText;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.keyed.owner.SectionStore.Write;
import io.distributedid.internal.keyed.source.SectionMark;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A connection in autocommit mode, whose table was checked: it must keep its rows over a crash, and have one row for a
 * section. The same connection writes the {@link SectionMark} of a sequence once it has rows, and before numbers are
 * given. If there is a mark and no row, the table has lost them. On PostgreSQL the connection is at READ COMMITTED, so
 * that an UPDATE waits for another one instead of failing. For one thread at a time.
 */
final class SectionSession implements DedicatedConnection.Session {

    private final Connection connection;

    private final SectionSql sql;

    private final Sections.Table table;

    private final String label;

    private final String where;

    /** The sequences whose mark allows numbers. */
    private final Set<String> marked = new HashSet<>();

    /** The connection's former isolation level. Only PostgreSQL's is changed. */
    private final int isolation;

    SectionSession(Connection connection, Sections.Table table, String label) throws SQLException {
        this.connection = connection;
        this.table = table;
        this.label = label;
        where = "table=" + table.name() + " on " + label;
        DatabaseProduct product = DatabaseProduct.of(connection);
        sql = new SectionSql(product, table.name());
        isolation = product == DatabaseProduct.POSTGRESQL
                ? connection.getTransactionIsolation()
                : Connection.TRANSACTION_READ_COMMITTED;
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        TableCheck.require(
                connection,
                table.create(),
                new TableCheck.Expected(
                        "The table of sections",
                        table.name(),
                        label,
                        sql.ddl(),
                        "SELECT, INSERT, UPDATE",
                        "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client: "
                                + "distributedid.create_tables=true"),
                sql.probe());
        requireDurable(product);
        table.mark().requireTable(connection, label);
    }

    private void requireDurable(DatabaseProduct product) throws SQLException {
        switch (product) {
            case MYSQL, MARIADB -> {
                MySqlTable found = MySqlTable.read(connection, table.name());
                requireDurable("engine=" + found.engine(), "engine=InnoDB");
                if (found.uniqueKeys().stream().noneMatch(key -> Set.copyOf(key).equals(Set.of("name", "section")))) {
                    throw new IdConfigurationException("A section must have one row: " + where
                            + " has no primary or unique key of name and section. Create it anew: " + sql.ddl());
                }
            }
            case POSTGRESQL -> requireDurable("relpersistence=" + persistence(), "relpersistence=p");
            case H2 -> {}
        }
    }

    private void requireDurable(String found, String allowed) {
        if (!found.equalsIgnoreCase(allowed)) {
            throw new IdConfigurationException("The table of sections must keep its rows over a crash: " + where + " "
                    + found + ", allowed: " + allowed + ". Create it anew: " + sql.ddl());
        }
    }

    private String persistence() throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT relpersistence FROM pg_class WHERE oid = CAST(? AS regclass)")) {
            select.setString(1, table.name());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : "unknown";
            }
        }
    }

    /**
     * All rows of a sequence; none if it was never used. The first read on this connection that finds rows writes the
     * {@link SectionMark} unless it is there.
     */
    Map<Integer, TenureRow> read(String sequence) throws SQLException {
        boolean isMarked = marked.contains(sequence) || table.mark().isThere(connection, sequence);
        Map<Integer, TenureRow> rows = rows(sequence);
        if (isMarked && rows.isEmpty()) {
            throw SectionRecord.lost("the record", "seq=" + sequence + ", " + where);
        }
        if (!isMarked && !rows.isEmpty()) {
            table.mark().require(connection, label, sequence);
        }
        if (!rows.isEmpty()) {
            marked.add(sequence);
        }
        return rows;
    }

    private Map<Integer, TenureRow> rows(String sequence) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql.select())) {
            select.setString(1, sequence);
            try (ResultSet row = select.executeQuery()) {
                Map<Integer, TenureRow> rows = new HashMap<>();
                while (row.next()) {
                    rows.put(
                            row.getInt(1),
                            new TenureRow(
                                    StoredText.read(row.getString(2)),
                                    row.getLong(5),
                                    row.getLong(4),
                                    row.getString(3)));
                }
                return rows;
            }
        }
    }

    /** Returns false if one of the rows is there already; then none was inserted. */
    boolean insert(String sequence, Map<Integer, TenureRow> rows) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql.insert(rows.size()))) {
            int at = 1;
            for (Map.Entry<Integer, TenureRow> each : rows.entrySet()) {
                TenureRow row = each.getValue();
                insert.setString(at++, sequence);
                insert.setInt(at++, each.getKey());
                insert.setString(at++, StoredText.of(row.owner()));
                insert.setString(at++, row.token());
                insert.setLong(at++, row.lease());
                insert.setLong(at++, row.bound());
            }
            return isDone(insert, rows.size());
        }
    }

    /**
     * Replaces rows that get the same owner and lease, or inserts rows.
     *
     * @return whether all were replaced for certain
     */
    boolean write(String sequence, List<Write> writes) throws SQLException {
        TenureRow first = writes.get(0).request().next();
        if (writes.get(0).request().expected() == null) {
            Map<Integer, TenureRow> rows = new HashMap<>();
            writes.forEach(each -> rows.put(each.place(), each.request().next()));
            return insert(sequence, rows);
        }
        try (PreparedStatement update = connection.prepareStatement(sql.update(writes.size()))) {
            update.setString(1, StoredText.of(first.owner()));
            update.setLong(2, first.lease());
            int at = 3;
            for (Write each : writes) {
                update.setInt(at++, each.place());
                update.setLong(at++, each.request().next().bound());
            }
            for (Write each : writes) {
                update.setInt(at++, each.place());
                update.setString(at++, each.request().next().token());
            }
            update.setString(at++, sequence);
            for (Write each : writes) {
                update.setInt(at++, each.place());
            }
            for (Write each : writes) {
                TenureRow expected = each.request().expected();
                update.setInt(at++, each.place());
                update.setString(at++, expected == null ? "" : expected.token());
            }
            return isDone(update, writes.size());
        }
    }

    /** Returns false if another process was faster: a row did not match, a duplicate key, or a deadlock. */
    private static boolean isDone(PreparedStatement write, int rows) throws SQLException {
        try {
            return write.executeUpdate() == rows;
        } catch (SQLException e) {
            if (SqlErrors.isDuplicateKey(e) || SqlErrors.isDeadlock(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void restore() throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
    }
}
