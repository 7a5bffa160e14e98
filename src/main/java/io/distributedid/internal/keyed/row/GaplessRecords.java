package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link RowRecord}s of sequences without gaps, as transactions of callers find them. A transaction that finds none
 * inserts it, together with its first key.
 *
 * <p>A record is known once it was read, but not by the transaction that inserted it: a rollback would undo that. So
 * each record carries the name of its reader's transaction. On MySQL and MariaDB that is the connection's, since they
 * name no transaction: there, another connection must read it.
 *
 * <p>A known record may be gone, together with the rows of keys. So it is read again by each transaction that inserts
 * the row of a key. It is then locked, so that it stays until the transaction ends. Thread-safe.
 */
final class GaplessRecords {

    /** A table in one of the databases: each tenant may have its own. Another schema may have one of that name, too. */
    record Place(String url, String catalog, RowKey record) {

        static Place of(Connection connection, RowKey row) throws SQLException {
            return new Place(
                    connection.getMetaData().getURL(),
                    String.valueOf(connection.getCatalog()),
                    new RowKey(row.table(), row.sequence(), RowKey.RECORD));
        }
    }

    /** @param schemas by {@link RowDialect#schemas} */
    private record Home(Place place, String schemas) {}

    /** By place, the schemas. */
    private final Map<Place, Set<String>> known = new ConcurrentHashMap<>();

    /** Those that this process has inserted, and in which transaction. They may be undone. */
    private final Map<Home, String> inserted = new ConcurrentHashMap<>();

    /** Whether a record is known, in any schema. */
    boolean isKnown(Place place) {
        return known.containsKey(place);
    }

    /** Whether the record of a schema is known. */
    boolean isKnown(Place place, String schemas) {
        return known.getOrDefault(place, Set.of()).contains(schemas);
    }

    /** Checks a record, and inserts it if it is missing. */
    void require(Connection connection, RowDialect dialect, Place place) throws SQLException {
        RowKey row = place.record;
        boolean isInserted =
                dialect.read(connection, row).isEmpty() && dialect.insert(connection, row, RowRecord.GAPLESS.number());
        RowDialect.Found found = dialect.find(connection, row)
                .orElseThrow(() -> new SQLException(
                        "The record of a sequence was deleted while it was written: seq=" + row.sequence()));
        require(found.number(), row);
        Home home = new Home(place, found.schemas());
        if (isInserted) {
            inserted.put(home, found.transaction());
        } else if (!found.transaction().equals(inserted.get(home))) {
            known.computeIfAbsent(place, each -> ConcurrentHashMap.newKeySet()).add(home.schemas);
            inserted.remove(home);
        }
    }

    /** Checks that a record which is known is still there. */
    void requireStill(Connection connection, RowDialect dialect, Place place) throws SQLException {
        RowKey row = place.record;
        RowDialect.Found found = dialect.find(connection, row)
                .orElseThrow(() -> new IdConfigurationException("A sequence has no record any more: seq="
                        + row.sequence() + " table=" + row.table() + ". The table has lost its rows, and keys would"
                        + " begin at 1 again. Restore its rows. If keys may begin at 1, restart all processes that use"
                        + " the sequence"));
        require(found.number(), row);
    }

    static void require(long number, RowKey row) {
        String where = "table=" + row.table();
        RowRecord.parse(number, row.sequence(), where).requireGapless(row.sequence(), where);
    }
}
