package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.jdbc.InList;
import java.sql.Connection;
import java.sql.SQLException;
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
        this.indexedTable = locks.byName(connection, table);
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

    /** Sets the ids of rows that are locked. */
    void setIds(Map<String, Long> ids) throws SQLException {
        rows.insert(table, ids, locks.setId());
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
        return rows.read("SELECT counter, " + column + " FROM " + locks.byKey(record) + where(keys) + end, keys);
    }

    /** Raises the generations of records that are locked. */
    void nextGeneration(String record, Collection<String> keys) throws SQLException {
        rows.update("UPDATE " + locks.byKey(record) + " SET generation = generation + 1" + where(keys), keys);
    }

    private static String where(Collection<String> keys) {
        return " WHERE counter " + InList.of(keys.size()) + " AND server = 0";
    }
}
