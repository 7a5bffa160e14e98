package io.distributedid.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.Database;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.Floor;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.Tables;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A connection to the database of a sequence table, and what was looked at on it. For one thread at a time. */
final class SequenceTableSession implements Database.Session {

    private final Connection connection;

    private final String label;

    private final SequenceTableDialect dialect;

    private final Numbering numbering;

    private final boolean createTable;

    private final Set<String> openTables = new HashSet<>();

    private final Map<SequenceRow, Floor> checked = new HashMap<>();

    SequenceTableSession(Connection connection, String label, Numbering numbering, boolean createTable)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.dialect = SequenceTableDialect.of(DatabaseProduct.of(connection));
        this.numbering = numbering;
        this.createTable = createTable;
    }

    /** Checks that the row is there, is numbered as we number, and lies above the floor; again only when that changes. */
    void open(SequenceRow row, Floor floor) throws SQLException {
        openTable(row.table());
        if (floor.equals(checked.get(row))) {
            return;
        }
        dialect.insert(connection, row.table(), row.name(), lastBefore(1));
        long last = read(row).orElseThrow(() -> vanished(row));
        if (!numbering.holds(last)) {
            throw otherNumbering(row, last);
        }
        if (last + numbering.increment() <= floor.above()) {
            if (!floor.raise()) {
                throw new IdConfigurationException("A sequence would give ids that exist: " + describe(row)
                        + " id=" + last
                        + ", but there is an id " + floor.above() + " already. Set the row to at least that, or set"
                        + " distributedid.existing_ids=raise");
            }
            raise(row, lastBefore(floor.above() + 1));
        }
        checked.put(row, floor);
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

    /** As in messages. */
    String describe(SequenceRow row) {
        return row + " on " + label;
    }

    /** Reserves {@code count} ids. */
    Block reserve(SequenceRow row, long count) throws SQLException {
        long step = numbering.increment();
        long last = add(row, Math.multiplyExact(count, step));
        if (last < 0) {
            openTables.clear();
            checked.clear();
            throw new SQLException("The sequence table has changed: " + describe(row));
        }
        long first = last - (count - 1) * step;
        if (!numbering.holds(last) || first < 1) {
            throw otherNumbering(row, last);
        }
        return new Block(first, step, count);
    }

    private long add(SequenceRow row, long amount) throws SQLException {
        try {
            return dialect.add(connection, row.table(), row.name(), amount, numbering.increment());
        } catch (SQLException e) {
            if (SqlStates.isOutOfRange(e)) {
                throw new IdsExhaustedException("The sequence has come to 2^63-1: " + describe(row));
            }
            throw e;
        }
    }

    /**
     * Gives the ids above {@code lastUsed} back, if nobody has reserved any since.
     *
     * @return whether they were given back
     */
    boolean giveBack(SequenceRow row, long lastReserved, long lastUsed) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + row.table() + " SET id = ? WHERE name = ? AND id = ?")) {
            update.setLong(1, lastUsed);
            update.setString(2, row.name());
            update.setLong(3, lastReserved);
            return update.executeUpdate() == 1;
        }
    }

    private void raise(SequenceRow row, long last) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + row.table() + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, last);
            update.setString(2, row.name());
            update.setLong(3, last);
            update.executeUpdate();
        }
    }

    private OptionalLong read(SequenceRow row) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id FROM " + row.table() + " WHERE name = ?")) {
            select.setString(1, row.name());
            try (ResultSet found = select.executeQuery()) {
                return found.next() ? OptionalLong.of(UnsignedColumn.read(found, 1)) : OptionalLong.empty();
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

    private static SQLException vanished(SequenceRow row) {
        return new SQLException("The row of a sequence vanished: " + row);
    }
}
