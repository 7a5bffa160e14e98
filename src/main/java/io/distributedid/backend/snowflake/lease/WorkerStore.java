package io.distributedid.backend.snowflake.lease;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds the rows of worker numbers, and records by name: on one server, or on several that agree as one. It never
 * forgets what it has answered. Used by one thread at a time.
 */
public interface WorkerStore extends AutoCloseable {

    /** The name of the record that holds what the store says of itself. No sequence has it. */
    String OWN_RECORD = "@store";

    /** The longest name of a record. */
    int RECORD_NAME_LENGTH = 60;

    /** The longest content of a record. */
    int RECORD_LENGTH = 250;

    /**
     * Reads rows, not older than when it was called.
     *
     * @param first the lowest number
     * @param last the highest number
     * @return the rows that exist, in order, the store's time and its {@link #OWN_RECORD}
     * @throws WorkerStoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException;

    /**
     * The highest number that has a row.
     *
     * @return -1 if there is none
     * @throws WorkerStoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    long highest() throws WorkerStoreException, InterruptedException;

    /**
     * Replaces a row, in one step, if it is as expected.
     *
     * @param expected as it was read; null if there was none
     * @param next of the same number
     * @return whether it was replaced; if not, the store is as it was
     * @throws WorkerStoreException if the store failed, and the row may or may not be replaced, now or later
     * @throws InterruptedException if the thread was told to stop, and the row may or may not be replaced
     */
    boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException;

    /**
     * Reads a record, not older than when it was called.
     *
     * @param name of a sequence, or {@link #OWN_RECORD}
     * @return its content; empty if there is none
     * @throws WorkerStoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    Optional<String> record(String name) throws WorkerStoreException, InterruptedException;

    /**
     * Reads all records, for a move.
     *
     * @return by their names, {@link #OWN_RECORD} included
     * @throws WorkerStoreException if the store failed
     * @throws InterruptedException if the thread was told to stop
     */
    Map<String, String> records() throws WorkerStoreException, InterruptedException;

    /**
     * Replaces a record, in one step, if it is as expected.
     *
     * @param name of a sequence, or {@link #OWN_RECORD}
     * @param expected as it was read; null if there was none
     * @param next its new content, other than {@code expected}
     * @return whether it was replaced; if not, the store is as it was
     * @throws WorkerStoreException if the store failed, and the record may or may not be replaced, now or later
     * @throws InterruptedException if the thread was told to stop, and the record may or may not be replaced
     */
    boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException;

    /**
     * Names the store in messages.
     *
     * @return without user and password
     */
    String label();

    /**
     * Before the end: waits for a server no longer than for a moment from now on. Called by any thread; does not wait.
     */
    default void stop() {}

    /** Ends calls that are under way with an error, {@link #close} too. Called by any thread; does not wait. */
    default void cut() {}

    /** Closes connections. */
    @Override
    void close();
}
