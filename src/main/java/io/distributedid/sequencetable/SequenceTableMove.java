package io.distributedid.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.UnsignedColumn;
import io.distributedid.internal.counter.ClaimRows;
import io.distributedid.internal.counter.Numbering;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * Moves a sequence table from N servers to another number of them, for example to N + 1, so that no id is given twice:
 *
 * <ol>
 *   <li>On each old server the table is renamed, in one step, and an empty one that belongs to nobody put in its place. From then
 *       on clients with the old list are refused; they live on what they had reserved.
 *   <li>The largest value of each sequence is read from the renamed tables. It can't grow any more.
 *   <li>On each new server the table gets a row for each sequence, above that value and with the server's remainder.
 *   <li>Last, each new server's table is marked as its own. From then on clients with the new list are served.
 * </ol>
 *
 * <p>Run it, then restart the applications with the new list. A run that was cut off is simply repeated. The renamed tables are
 * left for the operator to drop. Needs the privileges to create and rename tables.
 */
public final class SequenceTableMove {

    /** The offset of a table that belongs to nobody: far above any number of servers. */
    private static final long NOBODY = 1L << 20;

    private static final ClaimRows CLAIM = SequenceTableDialect.CLAIM;

    private final List<? extends DataSource> from;

    private final List<? extends DataSource> to;

    private final String table;

    private final String old;

    private SequenceTableMove(List<? extends DataSource> from, List<? extends DataSource> to, String table) {
        this.from = from;
        this.to = to;
        this.table = table;
        this.old = table + "_of_" + from.size() + "_to_" + to.size();
    }

    /**
     * Moves the table.
     *
     * @param from the servers in the order of the old list
     * @param to the servers in the order of the new list; another number of them, old ones among them or not
     * @param table the table's name on all of them
     * @throws SQLException if a server failed; repeat the call
     * @throws IdConfigurationException if a server's table is not what the lists make it
     */
    public static void move(List<? extends DataSource> from, List<? extends DataSource> to, String table)
            throws SQLException {
        if (from.isEmpty() || to.isEmpty() || from.size() == to.size()) {
            throw new IdConfigurationException(
                    "A sequence table moves to another number of servers, at least one: from=" + from.size() + " to="
                            + to.size());
        }
        new SequenceTableMove(from, to, table).run();
    }

    private void run() throws SQLException {
        for (int server = 1; server <= from.size(); server++) {
            Numbering expected = new Numbering(from.size(), server);
            on(from.get(server - 1), (connection, dialect) -> retire(connection, dialect, expected));
        }
        Map<String, Long> last = new TreeMap<>();
        for (DataSource server : from) {
            on(server, (connection, dialect) -> readInto(last, connection));
        }
        for (int server = 1; server <= to.size(); server++) {
            Numbering numbering = new Numbering(to.size(), server);
            on(to.get(server - 1), (connection, dialect) -> fill(connection, dialect, numbering, last));
        }
        for (int server = 1; server <= to.size(); server++) {
            long offset = server;
            on(to.get(server - 1), (connection, dialect) -> open(connection, offset));
        }
    }

    private void retire(Connection connection, SequenceTableDialect dialect, Numbering expected) throws SQLException {
        Optional<Numbering> claimed = claim(connection, table);
        if (claimed.isPresent() && claimed.get().increment() == to.size()) {
            requireRetired(connection);
            return;
        }
        if (!claimed.equals(Optional.of(expected))) {
            throw new IdConfigurationException(
                    "A server's table is not what the old list makes it: table=" + table + ", expected: server "
                            + expected.offset() + " of " + expected.increment() + ", found: " + claimed);
        }
        String next = table + "_next";
        create(connection, dialect, next);
        boolean swapped = false;
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String sql : dialect.swap(table, old, next)) {
                statement.execute(sql);
            }
            connection.commit();
            swapped = true;
        } finally {
            if (!swapped) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    private void requireRetired(Connection connection) throws SQLException {
        if (claim(connection, old).isEmpty()) {
            throw new IdConfigurationException("A server is divided between " + to.size()
                    + " servers already, but its old table is gone: table=" + old);
        }
    }

    private static Optional<Numbering> claim(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return CLAIM.read(statement, table);
        } catch (SQLException e) {
            if (SqlStates.tableIsMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The table of nobody, unless there is one. */
    private void create(Connection connection, SequenceTableDialect dialect, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.ddl(name));
        }
        dialect.insert(connection, name, CLAIM.incrementKey(), to.size());
        dialect.insert(connection, name, CLAIM.offsetKey(), NOBODY);
    }

    private void readInto(Map<String, Long> last, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, id FROM " + old)) {
            while (row.next()) {
                String name = row.getString(1);
                if (!name.equals(CLAIM.incrementKey()) && !name.equals(CLAIM.offsetKey())) {
                    last.merge(name, UnsignedColumn.read(row, 2), Math::max);
                }
            }
        }
    }

    private void fill(Connection connection, SequenceTableDialect dialect, Numbering numbering, Map<String, Long> last)
            throws SQLException {
        create(connection, dialect, table);
        Optional<Numbering> claimed = claim(connection, table);
        if (claimed.equals(Optional.of(numbering))) {
            return;
        }
        if (!claimed.equals(Optional.of(new Numbering(to.size(), NOBODY)))) {
            throw new IdConfigurationException(
                    "A server's table is not what the new list makes it: table=" + table + ", expected: server "
                            + numbering.offset() + " of " + numbering.increment() + ", found: " + claimed);
        }
        for (Map.Entry<String, Long> sequence : last.entrySet()) {
            dialect.insert(connection, table, sequence.getKey(), numbering.atLeast(sequence.getValue()));
        }
    }

    private void open(Connection connection, long offset) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = ? WHERE name = ? AND id = ?")) {
            update.setLong(1, offset);
            update.setString(2, CLAIM.offsetKey());
            update.setLong(3, NOBODY);
            update.executeUpdate();
        }
    }

    @FunctionalInterface
    private interface Step {
        void run(Connection connection, SequenceTableDialect dialect) throws SQLException;
    }

    private static void on(DataSource server, Step step) throws SQLException {
        try (Connection connection = server.getConnection()) {
            connection.setAutoCommit(true);
            step.run(connection, SequenceTableDialect.of(DatabaseProduct.of(connection)));
        }
    }
}
