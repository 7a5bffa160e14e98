package io.distributedid.internal.ledger;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.MySqlTable;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A ledger in a table of MySQL, MariaDB, PostgreSQL or H2, see {@link LedgerSql} for its statements. It sets nothing on
 * the connection, whose owner bounds its answers and makes its commits durable.
 *
 * <p><b>In autocommit mode</b> each statement is a transaction. If the server ends it as the victim of a deadlock or of
 * a conflict, nothing was changed, and the rows are reported as not done. {@link #write} counts the rows that the
 * statement has changed; only if some are missing does it read which. All isolation levels give the same result.
 *
 * <p><b>In a transaction of the caller</b> a deadlock or a conflict is thrown, for the transaction is over. Rows are
 * done once the COMMIT is answered. Use READ COMMITTED: at higher levels PostgreSQL and H2 refuse what was changed
 * since the first statement, and MySQL shows it to {@link #lock} but not to {@link #read}.
 *
 * <p>A statement waits for rows that others have locked, as long as the connection allows, unless it is
 * {@link #skippingLocked}. For one thread at a time.
 *
 * @param expected the table, for messages
 * @param skipsFrom with how many changes, or more, in a statement one of a row that another transaction has locked is
 *     not done, instead of waiting. New rows always wait for others of the same name
 */
public record SqlLedger(Connection connection, LedgerSql sql, TableCheck.Expected expected, int skipsFrom)
        implements Ledger {

    /** The most rows of one statement. */
    private static final int ROWS = 1000;

    private static final int NEVER = ROWS + 1;

    private static final ServerVersion H2_SKIPS = new ServerVersion(2, 2, 220);

    /** A ledger that was not checked yet, to read from. If its table is missing, the server's exception says so. */
    public static SqlLedger unchecked(Connection connection, LedgerSql sql, String label) {
        return new SqlLedger(
                connection,
                sql,
                new TableCheck.Expected(
                        "The ledger beside the ids",
                        sql.table(),
                        label,
                        sql.ddl(),
                        "SELECT, INSERT, UPDATE",
                        TableCheck.CREATED_BY_HIBERNATE),
                NEVER);
    }

    /**
     * Checks that the table is there, and keeps row locks.
     *
     * @param create whether a missing table is created
     * @param label of the server
     * @throws IdConfigurationException if it is missing, or the user lacks a right
     */
    public static SqlLedger open(Connection connection, LedgerSql sql, boolean create, String label)
            throws SQLException {
        SqlLedger ledger = unchecked(connection, sql, label);
        TableCheck.require(connection, create, ledger.expected, sql.probe());
        if (sql.isMySql()) {
            ledger.requireLocks();
        }
        if (sql.product() == DatabaseProduct.POSTGRESQL) {
            ledger.requireDurable();
        }
        if (LedgerSql.ignoresCase(connection, sql.table())) {
            throw ledger.ignoresCase();
        }
        return ledger;
    }

    /**
     * This ledger for leases: a transaction that holds one row keeps no other from being renewed. For autocommit mode.
     * Where the server can't skip rows, changes wait. They do so too where replicas repeat statements, and could skip
     * others.
     *
     * @param from the least number of changes of a statement that skips. A change that is alone keeps no other waiting:
     *     with 2 it waits its turn, as one of two processes that claim a row at once
     */
    public SqlLedger skippingLocked(int from) throws SQLException {
        String repeating = "SHOW SESSION VARIABLES WHERE Variable_name = 'binlog_format' AND Value = 'STATEMENT'";
        boolean canSkip = sql.product() == DatabaseProduct.H2
                ? ServerVersion.of(connection).isAtLeast(H2_SKIPS)
                : ServerVersion.skipsLocked(connection, sql.product());
        boolean skips = canSkip
                && !(sql.isMySql() && Queries.text(connection, repeating).isPresent());
        return new SqlLedger(connection, sql, expected, skips ? from : NEVER);
    }

    private IdConfigurationException ignoresCase() {
        return new IdConfigurationException("The ledger does not tell names apart: table=" + sql.table() + " on "
                + expected.label() + ". The collation of its text columns must compare all characters, as in: "
                + sql.ddl());
    }

    /** A MyISAM table keeps no row locks: two clients would change a row under one version. */
    private void requireLocks() throws SQLException {
        MySqlTable found = MySqlTable.read(connection, sql.table());
        if (!found.engine().equalsIgnoreCase("InnoDB") || !found.uniqueKeys().contains(List.of("name"))) {
            throw new IdConfigurationException("The ledger must keep row locks, and have one row for each name: table="
                    + sql.table() + " on " + expected.label() + " engine=" + found.engine() + " keys="
                    + found.uniqueKeys() + ", allowed: engine=InnoDB with the key [name]. Change it: ALTER TABLE "
                    + sql.table() + " ENGINE=InnoDB; or as in: " + sql.ddl());
        }
    }

    /** A crash empties an unlogged table. */
    private void requireDurable() throws SQLException {
        String found = TableCheck.persistence(connection, sql.table());
        if (!found.equals("p")) {
            throw new IdConfigurationException("The ledger must not lose rows in a crash: table=" + sql.table()
                    + " on " + expected.label() + " relpersistence=" + found
                    + ", allowed: relpersistence=p. Change it: ALTER TABLE " + sql.table() + " SET LOGGED");
        }
    }

    /** A node of Galera is told to wait until it knows what the others have answered. */
    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
        Set<String> asked = new LinkedHashSet<>(names);
        String query = sql.read(asked.size());
        if (!isSynchronised || !sql.isMySql()) {
            return select(query, asked);
        }
        try (Statement session = connection.createStatement();
                ResultSet galera = session.executeQuery("SHOW SESSION VARIABLES LIKE 'wsrep_sync_wait'")) {
            if (!galera.next()) {
                return select(query, asked);
            }
            String before = galera.getString(2);
            boolean unused = session.execute("SET SESSION wsrep_sync_wait = 1");
            try {
                return select(query, asked);
            } finally {
                unused = session.execute("SET SESSION wsrep_sync_wait = " + before);
            }
        }
    }

    /**
     * Locks rows in the order of their names, for the rest of the caller's transaction. They are returned as they are
     * under the lock, in that order. A missing row is not locked.
     */
    public Collection<Row> lock(Collection<String> names) throws SQLException {
        return lock(names, "");
    }

    /** As above, without rows that others have locked. The server must be able to skip them. */
    public Collection<Row> lockFree(Collection<String> names) throws SQLException {
        return lock(names, " SKIP LOCKED");
    }

    private Collection<Row> lock(Collection<String> names, String skip) throws SQLException {
        Set<String> asked = new LinkedHashSet<>(names);
        return asked.isEmpty()
                ? List.of()
                : select(sql.lock(asked.size()) + skip, asked).rows().values();
    }

    private Page select(String query, Set<String> asked) throws SQLException {
        Map<String, Row> rows = new LinkedHashMap<>();
        long time = 0;
        try (PreparedStatement select = connection.prepareStatement(query)) {
            InList.set(select, 0, asked);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    if (found.getString(1) == null) {
                        time = found.getLong(3);
                    } else {
                        Row row = row(found, asked);
                        rows.put(row.name(), row);
                    }
                }
            }
        } catch (SQLException e) {
            throw explained(e);
        }
        return new Page(rows, time);
    }

    /**
     * Reads a row from the first columns of a query that was made elsewhere: name, version, number, state, text. A
     * column that is not case-sensitive finds rows of other names.
     */
    public Row row(ResultSet found, Set<String> asked) throws SQLException {
        String name = found.getString(1);
        if (!asked.contains(name)) {
            throw ignoresCase();
        }
        return Row.stored(name, found.getString(2), found.getLong(3), found.getString(4), found.getString(5));
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        Collection<Change> ordered = Change.byName(changes).values();
        Set<String> done = new HashSet<>();
        for (boolean isNew : List.of(true, false)) {
            List<Change> some = ordered.stream()
                    .filter(each -> each.expected().isEmpty() == isNew)
                    .toList();
            for (int from = 0; from < some.size(); from += ROWS) {
                done.addAll(write(isNew, some.subList(from, Math.min(some.size(), from + ROWS))));
            }
        }
        return done;
    }

    /** A change is done if its row bears the version: also one that was sent before, without an answer. */
    private Set<String> write(boolean isNew, List<Change> changes) throws SQLException {
        Set<String> names = changes.stream().map(Change::name).collect(Collectors.toCollection(HashSet::new));
        String text =
                isNew ? sql.insert(changes.size(), false) : sql.update(changes.size(), changes.size() >= skipsFrom);
        if (execute(text, changes) < changes.size()) {
            Map<String, Row> rows = read(names).rows();
            changes.stream()
                    .filter(each -> !each.isDone(rows.get(each.name())))
                    .forEach(each -> names.remove(each.name()));
        }
        return names;
    }

    /**
     * Creates rows, or raises the numbers of those that are there, without a new version. In a transaction of the
     * caller.
     *
     * @return how many rows were created or raised; more on MySQL, which counts otherwise
     */
    public int raise(List<Row> rows) throws SQLException {
        Collection<Change> ordered = Change.byName(rows.stream()
                        .map(row -> new Change(Optional.empty(), row, false))
                        .toList())
                .values();
        return ordered.isEmpty() ? 0 : execute(sql.insert(ordered.size(), true), ordered);
    }

    /** Returns how many rows were created or changed. */
    private int execute(String text, Collection<Change> changes) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(text)) {
            int parameter = 0;
            for (Change change : changes) {
                Row next = change.next();
                write.setString(++parameter, next.name());
                write.setString(++parameter, next.version().toString());
                write.setLong(++parameter, next.number());
                write.setString(++parameter, next.state().name());
                write.setString(++parameter, next.storedText());
                write.setString(
                        ++parameter, change.expected().map(Version::toString).orElse("-"));
                write.setInt(++parameter, change.lowers() ? 1 : 0);
            }
            return write.executeUpdate();
        } catch (SQLException e) {
            boolean isThere = sql.product() == DatabaseProduct.H2 && SqlErrors.isDuplicateKey(e);
            if (isThere || (SqlErrors.isDeadlock(e) && connection.getAutoCommit())) {
                return 0;
            }
            throw explained(e);
        }
    }

    private SQLException explained(SQLException e) {
        if (SqlErrors.isDenied(e) || SqlErrors.tableMayBeMissing(e)) {
            throw denied(e);
        }
        return e;
    }

    /** The refusal of a statement on the table because a right is missing. */
    public IdConfigurationException denied(SQLException e) {
        return TableCheck.denied(e, expected);
    }
}
