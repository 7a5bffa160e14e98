package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers of keys in the caller's transaction. Its statement locks the row of the key until the transaction ends: the
 * next transaction waits, and takes the next number after a commit, or the same one after a rollback.
 *
 * <p>The first use of a sequence in a database reads its {@link RowRecord}, and inserts it in the same transaction if
 * it is missing. It is read again until a transaction has found it there: a rollback would undo the insert. The record
 * comes before the key in every transaction, so these locks make no deadlock. Thread-safe.
 */
public final class GaplessRows {

    /** Beyond it, keys are forgotten; then one statement locks a little more than it must. */
    private static final int MOST_KNOWN = 100_000;

    private record Place(String url, String catalog, String table, String sequence) {}

    /** Where the record was found. */
    private final Set<Place> recorded = ConcurrentHashMap.newKeySet();

    /** Rows that were there before. */
    private final Set<RowKey> known = ConcurrentHashMap.newKeySet();

    /**
     * Takes numbers of a key, and returns the last of them.
     *
     * @param table in SQL
     * @throws IllegalArgumentException if the connection is in autocommit mode
     * @throws SQLException of the database; the caller decides whether to repeat the transaction
     */
    public long take(Connection connection, String table, String sequence, String key, int count) throws SQLException {
        RowKey row = new RowKey(table, sequence, key);
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("Numbers without gaps need a transaction: " + row
                    + " autoCommit=true. Call connection.setAutoCommit(false) before, or leave out the connection");
        }
        RowDialect dialect = RowDialect.of(DatabaseProduct.of(connection));
        try {
            requireRecord(connection, dialect, row);
            long last = dialect.takeInTransaction(connection, row, count, known.contains(row));
            if (last > count) {
                note(row);
            }
            return last;
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                TableCheck.Expected expected =
                        new RowTable(table, false, connection.getMetaData().getURL()).expected(dialect);
                throw new IdConfigurationException(
                        "The table of numbers per key is missing: table=" + table + ". Create it: " + expected.ddl(),
                        e);
            }
            throw e;
        }
    }

    /**
     * Gives numbers back in the transaction that took them, as its last ones of the key.
     *
     * @param last the last number that was taken
     * @param unused how many, with {@code last} as the largest
     * @throws SQLException if others were taken since
     */
    public void giveBack(Connection connection, String table, String sequence, String key, long last, int unused)
            throws SQLException {
        RowKey row = new RowKey(table, sequence, key);
        RowDialect dialect = RowDialect.of(DatabaseProduct.of(connection));
        if (!dialect.replace(connection, row, last, last - unused)) {
            throw new SQLException("Numbers that no row got can't be given back, because others were taken since: "
                    + row + " last=" + last + " unused=" + unused + ". Roll the transaction back");
        }
    }

    /** Checks the table, and the record if there is one. */
    public void require(Connection connection, String table, String sequence) throws SQLException {
        DatabaseProduct product = DatabaseProduct.of(connection);
        RowDialect dialect = RowDialect.of(product);
        new RowTable(table, false, connection.getMetaData().getURL()).require(connection, product, dialect);
        RowKey record = new RowKey(table, sequence, RowKey.RECORD);
        OptionalLong found = dialect.read(connection, record);
        if (found.isPresent()) {
            require(found.getAsLong(), record);
        }
    }

    /** Whether the table has a row of the sequence. */
    public static boolean isUsed(Connection connection, String table, String sequence) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT number FROM " + table + " WHERE name = ? AND key_text > ?")) {
            select.setMaxRows(1);
            select.setString(1, sequence);
            select.setString(2, RowKey.FLOOR);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next();
            }
        }
    }

    private void note(RowKey row) {
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.add(row);
    }

    private void requireRecord(Connection connection, RowDialect dialect, RowKey row) throws SQLException {
        String catalog = String.valueOf(connection.getCatalog());
        Place place = new Place(connection.getMetaData().getURL(), catalog, row.table(), row.sequence());
        if (recorded.contains(place)) {
            return;
        }
        RowKey record = new RowKey(row.table(), row.sequence(), RowKey.RECORD);
        OptionalLong found = dialect.read(connection, record);
        if (found.isPresent()) {
            require(found.getAsLong(), row);
            recorded.add(place);
        } else if (!dialect.insert(connection, record, RowRecord.GAPLESS)) {
            require(dialect.readLatest(connection, record).orElse(RowRecord.GAPLESS), row);
        }
    }

    private static void require(long number, RowKey row) {
        if (!RowRecord.parse(number, row.sequence(), "table=" + row.table()).isGapless()) {
            throw new IdConfigurationException("The numbers of a sequence must all be taken in one way: seq="
                    + row.sequence() + " is recorded as taken outside of transactions, table=" + row.table()
                    + ". Leave out the connection, or use another sequence for numbers without gaps");
        }
    }
}
