package io.distributedid.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.Tables;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A connection to the database of a sequence table, and what was looked at on it. For one thread at a time. */
final class SequenceTableSession implements CounterSession<SequenceRow> {

    private final Connection connection;

    private final String label;

    private final SequenceTableDialect dialect;

    private final Numbering numbering;

    private final boolean createTable;

    private final Set<String> openTables = new HashSet<>();

    private final Set<SequenceRow> openRows = new HashSet<>();

    SequenceTableSession(Connection connection, String label, Numbering numbering, boolean createTable)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.dialect = SequenceTableDialect.of(DatabaseProduct.of(connection));
        this.numbering = numbering;
        this.createTable = createTable;
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public void open(SequenceRow row) throws SQLException {
        if (openRows.contains(row)) {
            return;
        }
        openTable(row.table());
        dialect.insert(connection, row.table(), row.name(), lastBefore(1));
        long last = last(row);
        if (!numbering.holds(last)) {
            throw otherNumbering(row, last);
        }
        openRows.add(row);
    }

    private void openTable(String table) throws SQLException {
        if (openTables.contains(table)) {
            return;
        }
        String ddl = dialect.ddl(table);
        Tables.require(
                connection,
                createTable,
                ddl,
                "SELECT name, id FROM " + table + " WHERE 1 = 0",
                "The sequence table is missing: table=" + table + " on " + label + ". Create it: " + ddl
                        + "; or let Hibernate create it (hibernate.hbm2ddl.auto), or set"
                        + " distributedid.sequence_table.create_table=true");
        SequenceTableLook.require(connection, table, label);
        requireClaim(table);
        openTables.add(table);
    }

    private void requireClaim(String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Optional<Numbering> claimed = SequenceTableDialect.CLAIM.read(statement, table);
            if (claimed.isEmpty()) {
                if (numbering.increment() > 1) {
                    requireNoRows(statement, table);
                }
                dialect.insert(connection, table, SequenceTableDialect.CLAIM.incrementKey(), numbering.increment());
                dialect.insert(connection, table, SequenceTableDialect.CLAIM.offsetKey(), numbering.offset());
                claimed = SequenceTableDialect.CLAIM.read(statement, table);
            }
            if (!claimed.equals(Optional.of(numbering))) {
                throw new IdConfigurationException(
                        "Clients must divide the sequence table between the same servers: " + label
                                + " table=" + table + " is server " + describe(claimed)
                                + ", but distributedid.sequence_table.servers"
                                + " makes it server " + describe(Optional.of(numbering))
                                + ". List the same servers in the same order in all applications, or move the table to the new ones with SequenceTableMove");
            }
        }
    }

    private static String describe(Optional<Numbering> numbering) {
        return numbering
                .map(known -> known.offset() + " of " + known.increment())
                .orElse("unknown");
    }

    private void requireNoRows(Statement statement, String table) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT name FROM " + table)) {
            if (row.next()) {
                throw new IdConfigurationException(
                        "A sequence table in use can't be divided between servers just like that: "
                                + label + " table=" + table + " has a row '" + row.getString(1)
                                + "'. Move it to the servers with"
                                + " SequenceTableMove, or, if its ids have that step already, insert the rows ('"
                                + SequenceTableDialect.CLAIM.incrementKey() + "', " + numbering.increment() + ") and ('"
                                + SequenceTableDialect.CLAIM.offsetKey() + "', " + numbering.offset() + ")");
            }
        }
    }

    private String describe(SequenceRow row) {
        return row + " on " + label;
    }

    @Override
    public Optional<Block> reserve(SequenceRow row, long count, long own) throws SQLException {
        long step = numbering.increment();
        long last = add(row, Math.multiplyExact(count, step), own);
        if (last < 0) {
            openTables.clear();
            openRows.clear();
            open(row);
            if (last(row) < own) {
                return Optional.empty();
            }
            throw new SQLException("The sequence table has changed: " + describe(row));
        }
        long first = last - (count - 1) * step;
        if (!numbering.holds(last) || first < 1) {
            throw otherNumbering(row, last);
        }
        return Optional.of(new Block(first, step, count));
    }

    private long add(SequenceRow row, long amount, long own) throws SQLException {
        try {
            return dialect.add(connection, row, amount, own, numbering.increment());
        } catch (SQLException e) {
            if (SqlStates.isOutOfRange(e)) {
                throw new IdsExhaustedException("The sequence has come to 2^63-1: " + describe(row));
            }
            throw e;
        }
    }

    @Override
    public boolean giveBack(SequenceRow row, Block rest) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + row.table() + " SET id = ? WHERE name = ? AND id = ?")) {
            update.setLong(1, rest.first() - rest.step());
            update.setString(2, row.name());
            update.setLong(3, rest.last());
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void raise(SequenceRow row, long above) throws SQLException {
        long last = lastBefore(above + 1);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + row.table() + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, last);
            update.setString(2, row.name());
            update.setLong(3, last);
            update.executeUpdate();
        }
    }

    @Override
    public String raiseSql(SequenceRow row, String id) {
        return "UPDATE " + row.table() + " SET id = " + id + " WHERE name = '" + row.name() + "'";
    }

    @Override
    public long last(SequenceRow row) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id FROM " + row.table() + " WHERE name = ?")) {
            select.setString(1, row.name());
            try (ResultSet found = select.executeQuery()) {
                if (!found.next()) {
                    openRows.remove(row);
                    throw new SQLException("The row of a sequence vanished: " + describe(row));
                }
                return UnsignedColumn.read(found, 1);
            }
        }
    }

    /** What the row holds if the next id is the server's first that is not below {@code id}; never negative. */
    private long lastBefore(long id) {
        long first = numbering.atLeast(id);
        return first >= numbering.increment() ? first - numbering.increment() : first;
    }

    private IdConfigurationException otherNumbering(SequenceRow row, long last) {
        return new IdConfigurationException(
                "A sequence's row has a value that this server never gives: " + describe(row)
                        + " id=" + last + ", " + numbering + ". Set it to " + numbering.atLeast(last)
                        + " if no other server gives those ids");
    }
}
