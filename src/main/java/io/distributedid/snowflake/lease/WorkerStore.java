package io.distributedid.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * Holds the rows of worker numbers: on one server, or on several that agree as one, and never forgets what it has answered. Used by
 * one thread at a time.
 */
public interface WorkerStore extends AutoCloseable {

    /**
     * Reads rows, not older than when it was called.
     *
     * @param first the lowest number
     * @param last the highest number
     * @return the rows that exist, in order, and the store's time
     * @throws StoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    Reading read(long first, long last) throws StoreException, InterruptedException;

    /**
     * The highest number that has a row.
     *
     * @return -1 if there is none
     * @throws StoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    long highest() throws StoreException, InterruptedException;

    /**
     * Replaces a row, in one step, if it is as expected.
     *
     * @param expected as it was read; null if there was none
     * @param next of the same number
     * @return whether it was replaced; if not, the store is as it was
     * @throws StoreException if the store failed, and the row may or may not be replaced, now or later
     * @throws InterruptedException if the thread was told to stop, and the row may or may not be replaced
     */
    boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next) throws StoreException, InterruptedException;

    /**
     * Names the store in messages.
     *
     * @return without user and password
     */
    String label();

    /** Closes connections. */
    @Override
    void close();
}
