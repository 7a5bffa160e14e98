package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.SkipLocked;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Map;

/**
 * Several rows of one sequence table, and their records, on a server that can skip locked rows. For one thread at a
 * time.
 */
final class LockedRows {

    private final Connection connection;

    private final RowSet rows;

    private final SkipLocked locks;

    private final String table;

    /** The table's name in a query that finds rows by name. */
    private final String indexedTable;

    LockedRows(Connection connection, SkipLocked locks, String table) throws SQLException {
        this.connection = connection;
        this.rows = new RowSet(connection);
        this.locks = locks;
        this.table = table;
        this.indexedTable = byName(connection, table);
    }

    <T> T inTransaction(StoredCounter.Work<T> work) throws SQLException {
        return Transactions.run(connection, work);
    }

    /** Locks rows for the rest of the transaction. Returns the ids, by name, of those that others have not locked. */
    Map<String, Long> lock(Collection<String> names) throws SQLException {
        return rows.read(RowSet.selectIds(indexedTable, names) + locks.update(), names);
    }

    /** The ids of the rows that are there, by name. */
    Map<String, Long> ids(Collection<String> names) throws SQLException {
        return rows.read(RowSet.selectIds(table, names), names);
    }

    /**
     * Sets the ids of rows that are locked. Fails unless each still holds the id that was read: a table that has become
     * MyISAM keeps no lock.
     */
    void setIds(Map<String, Long> read, Map<String, Long> ids) throws SQLException {
        int changed = locks.isMySql()
                ? rows.replace(table, read, ids)
                // This finds each row by its key. An UPDATE might scan the table, and wait for locks of other rows.
                : rows.insert(table, ids, " ON CONFLICT (name) DO UPDATE SET id = excluded.id");
        if (changed != ids.size()) {
            throw new SQLException("A row of the sequence table was changed while it was locked: table=" + table
                    + " names=" + ids.keySet() + " changed=" + changed + ". Does its engine keep row locks?");
        }
    }

    /** Locks records so that others can't change them. Returns the generations of those that others have not locked. */
    Map<String, Long> share(String record, Collection<String> keys) throws SQLException {
        return readRecords("generation", record, keys, locks.share());
    }

    /** Locks records to change them. Returns the generations of those that others have not locked. */
    Map<String, Long> lockRecords(String record, Collection<String> keys) throws SQLException {
        return readRecords("generation", record, keys, locks.update());
    }

    /** The floors of the records that are there, by key. */
    Map<String, Long> floors(String record, Collection<String> keys) throws SQLException {
        return readRecords("last_id", record, keys, "");
    }

    private Map<String, Long> readRecords(String column, String record, Collection<String> keys, String end)
            throws SQLException {
        return rows.read("SELECT counter, " + column + " FROM " + locks.byPrimaryKey(record) + where(keys) + end, keys);
    }

    /** Raises the generations of records that are locked. */
    void nextGeneration(String record, Collection<String> keys) throws SQLException {
        rows.update("UPDATE " + locks.byPrimaryKey(record) + " SET generation = generation + 1" + where(keys), keys);
    }

    private static String where(Collection<String> keys) {
        return " WHERE counter " + InList.of(keys.size()) + " AND server = 0";
    }

    /** The name of the table in a query that finds rows by name. */
    private String byName(Connection connection, String sequenceTable) throws SQLException {
        if (!locks.isMySql()) {
            return sequenceTable;
        }
        try (Statement statement = connection.createStatement();
                ResultSet index = statement.executeQuery("SHOW INDEX FROM " + sequenceTable
                        + " WHERE Non_unique = 0 AND Seq_in_index = 1 AND Column_name = 'name'")) {
            return index.next()
                    ? sequenceTable + " FORCE INDEX (`" + index.getString("Key_name") + "`)"
                    : sequenceTable;
        }
    }
}
