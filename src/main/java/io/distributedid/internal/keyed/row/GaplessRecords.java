package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@link RowRecord}s of sequences without gaps, as transactions of callers find them. A transaction that finds none
 * inserts it, together with its first key.
 *
 * <p>A record is known once it was read, but not by the transaction that inserted it: a rollback would undo that. So
 * each record carries the name of its reader's transaction. On MySQL and MariaDB that is the connection's, since they
 * name no transaction: there, another connection must read it. The clients of a JVM may share a transaction, so they
 * share what they have inserted.
 *
 * <p>A known record may be gone, together with the rows of keys, and another process may have inserted another one. So
 * it is read again, and compared, by each transaction that inserts the row of a key. It is then locked, so that it
 * stays until the transaction ends. Thread-safe.
 */
final class GaplessRecords {

    /** The SQLState of a transaction that is to be repeated. */
    private static final String REPEAT = "40001";

    /** Thrown by this class, and not by the database: the transaction goes on. */
    static final class UnseenException extends SQLException {

        private static final long serialVersionUID = 1;

        UnseenException(String message) {
            super(message, REPEAT);
        }
    }

    /** A table in one of the databases: each tenant may have its own. Another schema may have one of that name, too. */
    record Place(String url, String catalog, RowKey record) {

        static Place of(Connection connection, RowKey row) throws SQLException {
            return new Place(
                    connection.getMetaData().getURL(),
                    String.valueOf(connection.getCatalog()),
                    new RowKey(row.table(), row.sequence(), RowKey.RECORD));
        }
    }

    /** How many a statement names. Beyond it, the names would cost more than a question. */
    private static final int MOST_SCHEMAS = 100;

    /** Beyond it, records are forgotten whose transactions were probably rolled back. */
    private static final int MOST_INSERTED = 10_000;

    /**
     * Records that this JVM has inserted, which may be undone, and in which transaction. No two records are the same,
     * so it does not matter where they are.
     */
    private static final Map<RowRecord, String> INSERTED = new ConcurrentHashMap<>();

    /** By place and schemas. */
    private final Map<Place, Map<String, RowRecord>> known = new ConcurrentHashMap<>();

    /**
     * The schemas whose record is known, perhaps those of the connection among them: the statement that takes numbers
     * must check that. If they are many, the connection's alone, for which it is asked; empty if their record is not
     * known.
     */
    Set<String> schemas(Connection connection, RowDialect dialect, Place place) throws SQLException {
        Map<String, RowRecord> homes = known.getOrDefault(place, Map.of());
        if (homes.size() <= MOST_SCHEMAS) {
            // Others may come to be known while the statement runs.
            return Set.copyOf(homes.keySet());
        }
        String schemas = dialect.readSchemas(connection);
        return homes.containsKey(schemas) ? Set.of(schemas) : Set.of();
    }

    /** Checks a record, and inserts it if it is missing. */
    void require(Connection connection, RowDialect dialect, Place place) throws SQLException {
        RowKey row = place.record;
        boolean isInserted = dialect.read(connection, row).isEmpty()
                && dialect.insert(
                        connection, row, RowRecord.random(RowRecord.Way.GAPLESS).number());
        RowDialect.Found found = dialect.find(connection, row).orElseThrow(() -> changed(row));
        RowRecord record = require(found.number(), row);
        if (isInserted) {
            note(record, found.transaction());
        } else if (!found.transaction().equals(INSERTED.get(record))) {
            RowRecord before = known.computeIfAbsent(place, each -> new ConcurrentHashMap<>())
                    .putIfAbsent(found.schemas(), record);
            requireSame(before, record, row);
            INSERTED.remove(record);
        }
    }

    private static void note(RowRecord record, String transaction) {
        if (INSERTED.size() >= MOST_INSERTED) {
            INSERTED.clear();
        }
        INSERTED.put(record, transaction);
    }

    /**
     * Checks that a record which is known is still there, and still the same.
     *
     * @throws UnseenException with SQLState 40001 if the transaction may be too old to see it. To insert it would tell,
     *     but some transactions can't undo that
     * @throws SQLException of the database
     */
    void requireStill(Connection connection, RowDialect dialect, Place place) throws SQLException {
        RowKey row = place.record;
        Optional<RowDialect.Found> seen = dialect.find(connection, row);
        if (seen.isEmpty()) {
            if (dialect.findsNewest(connection)) {
                throw lost(false, row);
            }
            throw unseen(row);
        }
        RowDialect.Found found = seen.get();
        RowRecord record = require(found.number(), row);
        requireSame(known.getOrDefault(place, Map.of()).get(found.schemas()), record, row);
    }

    private static SQLException changed(RowKey row) {
        return new SQLException(
                "The record of a sequence was changed by another transaction since this one began: seq="
                        + row.sequence() + " table=" + row.table() + ". Repeat the transaction",
                REPEAT);
    }

    private static UnseenException unseen(RowKey row) {
        return new UnseenException(
                "The record of a sequence was written since this transaction began, or is gone: seq=" + row.sequence()
                        + " table=" + row.table()
                        + ". Repeat the transaction. If that does not help, the table has lost its rows, and keys"
                        + " would begin at 1 again: restore its rows, or restart all processes that use the sequence");
    }

    private static void requireSame(@Nullable RowRecord before, RowRecord found, RowKey row) {
        if (before != null && !before.equals(found)) {
            throw lost(true, row);
        }
    }

    private static IdConfigurationException lost(boolean isAnother, RowKey row) {
        return RowRecord.lost(isAnother, row.sequence(), "table=" + row.table());
    }

    static RowRecord require(long number, RowKey row) {
        String where = "table=" + row.table();
        RowRecord record = RowRecord.parse(number, row.sequence(), where);
        record.requireGapless(row.sequence(), where);
        return record;
    }
}
