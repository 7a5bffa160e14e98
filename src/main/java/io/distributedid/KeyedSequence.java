package io.distributedid;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Numbers per key: those of the messages in a conversation, of comments on a photo, of invoices of a customer. Numbers
 * are positive and begin at 1. <em>If one call for a key has returned before another call for that key begins, the
 * second gets the greater number.</em> This holds over all threads, processes and restarts.
 *
 * <ul>
 *   <li>Numbers have gaps, unless they are taken in the caller's transaction.
 *   <li>Numbers of different keys are not comparable.
 *   <li>A number that is taken outside the caller's transaction may become visible out of order: a reader who has seen
 *       6 may find 5 later. Numbers taken in the transaction are committed in order.
 *   <li>A database that has lost commits gives numbers again: a restored backup, or a replica that lacked the last
 *       commits.
 * </ul>
 *
 * <p>A sequence is used in one way only, which its database records at the first use; another way is refused:
 *
 * <ul>
 *   <li>{@link #next(long)} takes numbers outside the caller's transaction, in one round trip.
 *   <li>{@link #next(long, Connection)} takes numbers in the caller's transaction, without gaps: the row of the key is
 *       locked until the transaction ends, and a rollback gives its numbers back. The promise is then: each number is
 *       greater than every committed number of the key in that database.
 * </ul>
 *
 * <p>A key is a number from 0 up, or a text of 1 to 150 characters ({@link String#length()}) in Unicode's form NFC,
 * without control characters and without white space at its ends. The text {@code "42"} is the same key as the number
 * 42. Other keys are refused with an {@link IllegalArgumentException}.
 *
 * <p>From {@link DistributedIds#keyed}. Thread-safe.
 */
public interface KeyedSequence {

    /**
     * Returns the next number of a key.
     *
     * @param key from 0 up
     * @return positive
     * @throws IllegalArgumentException if the key is negative
     * @throws IdConfigurationException if the sequence is configured wrongly, or its numbers are taken in transactions
     * @throws IdUnavailableException if no number can be issued within {@code distributedid.block.timeout}
     * @throws IdsExhaustedException if the key has no numbers left
     */
    default long next(long key) {
        return next(Long.toString(key));
    }

    /**
     * Returns the next number of a key; see {@link #next(long)}.
     *
     * @param key a text
     * @return positive
     * @throws IllegalArgumentException if the key is not allowed
     */
    long next(String key);

    /**
     * Returns the next numbers of a key, which follow each other without gaps; otherwise as {@link #next(long)}.
     *
     * @param key from 0 up
     * @param count how many, 1 to 10,000
     * @return in ascending order
     * @throws IllegalArgumentException if the key is negative, or the count out of range
     */
    default long[] next(long key, int count) {
        return next(Long.toString(key), count);
    }

    /**
     * Returns the next numbers of a key; see {@link #next(long, int)}.
     *
     * @param key a text
     * @param count how many, 1 to 10,000
     * @return in ascending order
     * @throws IllegalArgumentException if the key is not allowed, or the count out of range
     */
    long[] next(String key, int count);

    /**
     * Returns the last number of a key, or a larger number. Every number of a call that had returned before this call
     * began is at most as large.
     *
     * @param key from 0 up
     * @return 0 if the key has no number yet, or its row was deleted
     * @throws IllegalArgumentException if the key is negative
     * @throws IdConfigurationException if the sequence is configured wrongly, or its numbers are taken in transactions
     * @throws IdUnavailableException if the server does not answer within {@code distributedid.block.timeout}
     */
    default long current(long key) {
        return current(Long.toString(key));
    }

    /**
     * Returns the last number of a key; see {@link #current(long)}.
     *
     * @param key a text
     * @return 0 if the key has no number yet
     * @throws IllegalArgumentException if the key is not allowed
     */
    long current(String key);

    /**
     * Returns the next number of a key, taken in the caller's transaction: without gaps. The key is locked until the
     * transaction ends. Take all numbers of a key from the same database.
     *
     * @param key from 0 up
     * @param connection to the database that stores the row; not in autocommit mode
     * @return positive; given back by a rollback
     * @throws IllegalArgumentException if the key is negative, or the connection in autocommit mode
     * @throws IdConfigurationException if the sequence is configured wrongly, or its numbers are taken outside
     *     transactions
     * @throws IdsExhaustedException if the key has no numbers left
     * @throws SQLException if the database failed. After a deadlock or a serialization failure (SQLState 40001 or
     *     40P01), repeat the whole transaction
     */
    default long next(long key, Connection connection) throws SQLException {
        return next(Long.toString(key), connection);
    }

    /**
     * Returns the next number of a key, taken in the caller's transaction; see {@link #next(long, Connection)}.
     *
     * @param key a text
     * @param connection to the database that stores the row; not in autocommit mode
     * @return positive; given back by a rollback
     * @throws SQLException if the database failed
     */
    long next(String key, Connection connection) throws SQLException;

    /**
     * Returns the next numbers of a key, taken in the caller's transaction; otherwise as {@link #next(long,
     * Connection)}.
     *
     * @param key from 0 up
     * @param count how many, 1 to 10,000
     * @param connection to the database that stores the rows; not in autocommit mode
     * @return in ascending order, without gaps; given back by a rollback
     * @throws SQLException if the database failed
     */
    default long[] next(long key, int count, Connection connection) throws SQLException {
        return next(Long.toString(key), count, connection);
    }

    /**
     * Returns the next numbers of a key, taken in the caller's transaction; see {@link #next(long, int, Connection)}.
     *
     * @param key a text
     * @param count how many, 1 to 10,000
     * @param connection to the database that stores the rows; not in autocommit mode
     * @return in ascending order, without gaps; given back by a rollback
     * @throws SQLException if the database failed
     */
    long[] next(String key, int count, Connection connection) throws SQLException;
}
