package io.distributedid.internal.keyed.row;

import io.distributedid.internal.keyed.row.RowRecord.Way;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
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

    /** A row in one of the databases: each tenant may have its own. Another schema may have a row of that name, too. */
    record Place(String database, String table, RowKey row) {

        Place ofRecord() {
            return new Place(database, table, RowKey.record(row.sequence()));
        }

        private String where() {
            return "table=" + table;
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

    private final Platform platform;

    GaplessRecords(Platform platform) {
        this.platform = platform;
    }

    private Map<String, RowRecord> known(Place place) {
        return known.computeIfAbsent(place.ofRecord(), each -> new ConcurrentHashMap<>());
    }

    /**
     * The schemas whose record is known, perhaps those of the connection among them: the statement that takes numbers
     * must check that. If they are many, the connection's alone, for which it is asked; empty if their record is not
     * known.
     */
    Set<String> schemas(RowStore rows, Place place) throws SQLException {
        Map<String, RowRecord> homes = known(place);
        if (homes.size() <= MOST_SCHEMAS) {
            // Others may come to be known while the statement runs.
            return Set.copyOf(homes.keySet());
        }
        String schemas = rows.schemas();
        return homes.containsKey(schemas) ? Set.of(schemas) : Set.of();
    }

    /** Checks the record of a row, and inserts it if it is missing. */
    void require(RowStore rows, Place place) throws SQLException {
        RowKey row = place.ofRecord().row;
        boolean isInserted = rows.read(row).isEmpty()
                && rows.insert(row, RowRecord.random(Way.GAPLESS, platform).number());
        RowStore.Found found = rows.find(row)
                .orElseThrow(() -> repeat("was changed by another transaction since this one began", place, ""));
        RowRecord record = parse(found.number(), place);
        if (isInserted) {
            note(record, found.transaction());
        } else if (!found.transaction().equals(INSERTED.get(record))) {
            requireSame(known(place).putIfAbsent(found.schemas(), record), record, place);
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
    void requireStill(RowStore rows, Place place) throws SQLException {
        Optional<RowStore.Found> found = rows.find(place.ofRecord().row);
        if (found.isPresent()) {
            RowRecord record = parse(found.get().number(), place);
            requireSame(known(place).get(found.get().schemas()), record, place);
        } else if (rows.findsNewest()) {
            throw RowRecord.lost(false, place.row.sequence(), place.where());
        } else {
            throw repeat(
                    "was written since this transaction began, or is gone",
                    place,
                    ". If that does not help, the table has lost its rows, and keys would begin at 1 again: restore its"
                            + " rows, or restart all processes that use the sequence" + Pages.onCall("keyed-lost"));
        }
    }

    private static UnseenException repeat(String what, Place place, String otherwise) {
        return new UnseenException("The record of a sequence " + what + ": seq=" + place.row.sequence() + " "
                + place.where() + ". Repeat the transaction" + otherwise);
    }

    private static void requireSame(@Nullable RowRecord before, RowRecord found, Place place) {
        if (before != null && !before.equals(found)) {
            throw RowRecord.lost(true, place.row.sequence(), place.where());
        }
    }

    private static RowRecord parse(long number, Place place) {
        return RowRecord.parse(number, Way.GAPLESS, place.row.sequence(), place.where());
    }
}
