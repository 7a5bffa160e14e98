package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.keyed.row.GaplessRecords.Place;
import io.distributedid.internal.keyed.row.RowRecord.Way;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers of keys in the caller's transaction. Its statement locks the row of the key until the transaction ends: the
 * next transaction waits, and takes the next number after a commit, or the same one after a rollback.
 *
 * <p>A transaction that finds no row of a key reads the sequence's record, see {@link GaplessRecords}. So no key begins
 * at 1 in a sequence that is numbered in another way, or whose table has lost its rows. Until the record is known, it
 * comes before the key in every transaction, so these locks make no deadlock. That holds in each schema: a statement
 * takes no number in a schema whose record is not known. Thread-safe.
 */
public final class GaplessRows {

    /** Beyond it, keys are forgotten; then one statement locks a little more than it must. */
    private static final int MOST_KNOWN = 100_000;

    private final GaplessRecords records;

    /** Rows that were there before. */
    private final Set<Place> known = ConcurrentHashMap.newKeySet();

    /** Rows that may have begun in a table that has lost its rows: a transaction may have kept them unchecked. */
    private final Set<Place> unchecked;

    public GaplessRows(Platform platform) {
        this(new GaplessRecords(platform), ConcurrentHashMap.newKeySet());
    }

    private GaplessRows(GaplessRecords records, Set<Place> unchecked) {
        this.records = records;
        this.unchecked = unchecked;
    }

    /** After a suspend: what knows the same records, so that a table that lost its rows meanwhile is noticed. */
    public GaplessRows resumed() {
        return new GaplessRows(records, unchecked);
    }

    /**
     * Takes numbers of a key, and returns the last of them.
     *
     * @param table in SQL
     * @throws IllegalArgumentException if the connection is in autocommit mode
     * @throws SQLException of the database; the caller decides whether to repeat the transaction
     */
    public long take(Connection connection, String table, String sequence, String key, int count) throws SQLException {
        RowKey row = new RowKey(sequence, key);
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("Numbers without gaps need a transaction: " + row
                    + " autoCommit=true. Call connection.setAutoCommit(false) first, or leave out the connection");
        }
        try {
            return take(RowSql.on(connection, table), table, row, count);
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                throw new IdConfigurationException(
                        "The table of numbers per key is missing: table=" + table + ". Create it: "
                                + RowTable.ddl(DatabaseProduct.of(connection), table),
                        e);
            }
            throw e;
        }
    }

    /** As above, in the transaction of the rows. */
    public long take(RowStore rows, String table, RowKey row, int count) throws SQLException {
        Place place = new Place(rows.database(), table, row);
        boolean isThere = false;
        try {
            long last = takeWithRecord(rows, place, count);
            isThere = last > count;
            return last;
        } finally {
            if (isThere) {
                note(place);
            } else {
                // It was deleted, or never committed. Else each repeated transaction would be a deadlock again.
                known.remove(place);
            }
        }
    }

    private long takeWithRecord(RowStore rows, Place place, int count) throws SQLException {
        boolean isKnown = known.contains(place);
        Set<String> schemas = records.schemas(rows, place);
        if (!schemas.isEmpty()) {
            OptionalLong last = rows.take(place.row(), count, isKnown, schemas);
            if (last.isPresent()) {
                if (last.getAsLong() == count || unchecked.contains(place)) {
                    requireRecord(rows, place, last.getAsLong(), count);
                }
                return last.getAsLong();
            }
        }
        records.require(rows, place);
        return rows.take(place.row(), count, isKnown, Set.of()).orElseThrow();
    }

    /** For a key that may just have got its first numbers. */
    private void requireRecord(RowStore rows, Place place, long last, int count) throws SQLException {
        unchecked.add(place);
        try {
            records.requireStill(rows, place);
            unchecked.remove(place);
        } catch (IdConfigurationException | SQLException e) {
            undo(rows, place, last, count, e);
            throw e;
        }
    }

    /**
     * If the caller commits all the same, no process must take the row for one that was there before. Only while the
     * transaction lasts: if the database has ended it, a row with this number is another transaction's.
     */
    private void undo(RowStore rows, Place place, long last, int count, Exception why) {
        try {
            boolean isOfDatabase = why instanceof SQLException && !(why instanceof GaplessRecords.UnseenException);
            if (!isOfDatabase || rows.keepsTransaction((SQLException) why)) {
                // What was there before may be numbers of others.
                boolean isUndone = rows.replace(place.row(), last, last - count);
                if (isUndone && last == count) {
                    unchecked.remove(place);
                }
            }
        } catch (SQLException | RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    /** Checks the table, and the record if there is one. */
    public void require(Connection connection, String table, String sequence) throws SQLException {
        RowTable expected = new RowTable(
                table, false, JdbcUrl.label(connection.getMetaData().getURL()));
        expected.require(connection, expected.expected(DatabaseProduct.of(connection)));
        OptionalLong found = RowSql.on(connection, table).read(RowKey.record(sequence));
        if (found.isPresent()) {
            RowRecord unused = RowRecord.parse(found.getAsLong(), Way.GAPLESS, sequence, "table=" + table);
        }
    }

    /** Whether the table has the row of a key of the sequence. */
    public static boolean isUsed(Connection connection, String table, String sequence) throws SQLException {
        return RowSql.on(connection, table).hasOtherRow(sequence, List.of(RowKey.RECORD, RowKey.FLOOR));
    }

    /** Whether the row was there before, in this database. */
    boolean isKnown(RowStore rows, String table, RowKey row) throws SQLException {
        return known.contains(new Place(rows.database(), table, row));
    }

    private void note(Place place) {
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.add(place);
    }
}
