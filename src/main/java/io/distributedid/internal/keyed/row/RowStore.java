package io.distributedid.internal.keyed.row;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The rows of keys, on one connection. A number is taken by one statement that adds to a row and returns the sum. Only
 * the first number of a key needs more. For one thread at a time.
 *
 * <p><b>Deleted keys.</b> The floor of a sequence is a row, too. To delete keys, an operator first raises the floor to
 * their largest number, commits, and then deletes the keys that are not above the floor. A process that finds no row of
 * a key inserts one with the number of the floor, and locks the floor meanwhile. So the floor that is read is not older
 * than the deletion, and the next number of a deleted key is larger than all before.
 *
 * <p><b>Lost rows.</b> The row of a key is inserted only while the sequence has the {@link RowRecord} that the caller
 * knows, which is locked meanwhile. If it is missing, or another one, the table has lost its rows. On PostgreSQL and
 * H2, numbers outside of transactions are added only then, too, since a proxy may exchange the server behind a
 * connection.
 */
public interface RowStore {

    /**
     * Numbers that are asked for together with others.
     *
     * @param record the number that the record of the sequence must have
     */
    record Take(RowKey row, long count, long record) {}

    /**
     * A row that was read in a transaction.
     *
     * @param schemas by {@link #schemas}
     * @param transaction a text that is the same in all statements of a transaction that has written. A database that
     *     names no transactions gives that of the connection
     */
    record Found(long number, String schemas, String transaction) {}

    /** A text that no other database has. */
    String database() throws SQLException;

    /** The number in a row; empty if there is no row. */
    OptionalLong read(RowKey row) throws SQLException;

    /** Why numbers of a key were not added. Throws if there are too few. */
    default SQLException refused(RowKey row, long count) throws SQLException {
        OptionalLong number = read(row);
        if (number.isPresent() && number.getAsLong() > Long.MAX_VALUE - count) {
            throw row.exhausted(count);
        }
        return new SQLException(
                "The row of a key, or the record of its sequence, was changed while a number was taken: " + row);
    }

    /** Inserts a row unless it is there, and returns whether it was missing. */
    boolean insert(RowKey row, long number) throws SQLException;

    // Outside of transactions of the caller.

    /**
     * Adds to a row, and returns the sum; empty, and adds nothing, if the row is missing or the sum too large.
     *
     * @param record the number that the record of the sequence must have. MySQL does not look
     */
    OptionalLong add(RowKey row, long count, long record) throws SQLException;

    /**
     * As {@link #add} for several rows, in one transaction that waits for no lock. A row that another client has
     * locked, that is missing or has too few numbers left, is left out.
     */
    Map<RowKey, Long> addTogether(List<Take> takes) throws SQLException;

    /**
     * Inserts a row with the number of the sequence's floor. Does nothing if the row is there, the floor is not, or the
     * record has not that number.
     */
    void insertAboveFloor(RowKey row, long record) throws SQLException;

    // In a transaction of the caller.

    /**
     * Takes numbers of a key, and returns the last of them. The row stays locked until the end of the transaction.
     * Empty, and neither takes nor locks anything, in other schemas than the given ones.
     *
     * @param isKnown whether the row was there before. It is only a hint: the row may be gone since
     * @param schemas those that {@link #schemas} may be; if none, any
     */
    OptionalLong take(RowKey row, long count, boolean isKnown, Set<String> schemas) throws SQLException;

    /**
     * Reads a row: never an old version, or one that is gone since. Locks it against changes. On H2 it locks nothing,
     * and above READ COMMITTED reads the version of the transaction's snapshot.
     */
    Optional<Found> find(RowKey row) throws SQLException;

    /**
     * Whether {@link #find} finds all rows that are committed. Otherwise the transaction may have begun before the row
     * was written.
     */
    boolean findsNewest() throws SQLException;

    /** Changes a row from one number to another if it has the first. Returns whether it had. */
    boolean replace(RowKey row, long from, long to) throws SQLException;

    /** Whether the transaction certainly goes on after an error of the database, with what it has written. */
    boolean keepsTransaction(SQLException error) throws SQLException;

    /** A text that is the same only if a table without schema is: the schemas in which it is looked for. */
    String schemas() throws SQLException;

    /** Undoes what was changed on the connection. */
    void restore() throws SQLException;
}
