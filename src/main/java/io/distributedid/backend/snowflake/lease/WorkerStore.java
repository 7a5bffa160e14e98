package io.distributedid.backend.snowflake.lease;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores rows of worker numbers, and records by name, on one server or a cluster with consensus. It must not lose what
 * it has answered. For one thread at a time.
 *
 * <p>Every call throws {@link WorkerStoreException} if the store failed, and {@link InterruptedException} on an
 * interrupt. A compare-and-set that throws may or may not have been done, or be done later.
 */
public interface WorkerStore extends AutoCloseable {

    /** The name of the {@link StoreRecord}. No sequence has this name. */
    String STORE_RECORD = "@store";

    /** The number of the row of the process that makes ids without a worker number. */
    long EXCLUSIVE = -1;

    /** The name of the record that tells whether the row {@link #EXCLUSIVE} was ever used. */
    String EXCLUSIVE_RECORD = "@exclusive";

    int OWNER_LENGTH = 200;

    int TOKEN_LENGTH = 36;

    int RECORD_NAME_LENGTH = 60;

    int RECORD_LENGTH = 250;

    /**
     * Reads the rows from {@code first} to {@code last}, as they are at the call or later, in order of their numbers.
     */
    StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException;

    /** The highest number with a row; -1 if there is none. */
    long highest() throws WorkerStoreException, InterruptedException;

    /**
     * Replaces a row atomically if it is as expected.
     *
     * @param expected the row as it was read; null if there was none
     * @param next a row of the same number
     * @return whether the row was replaced; if not, the store is unchanged
     */
    boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException;

    /**
     * Replaces a row atomically if it is as expected and the store meets the condition. A store that can do this in one
     * step overrides it; this one refuses. A caller that is refused reads the store, which tells why.
     *
     * @param expected the row as this process wrote it
     * @param next a row of the same number
     * @return the store's clock at the replacement, in milliseconds since 1970; empty if the store is unchanged
     */
    default OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        return OptionalLong.empty();
    }

    /** Reads the record of a sequence, or {@link #STORE_RECORD}, as it is at the call or later. */
    Optional<String> record(String name) throws WorkerStoreException, InterruptedException;

    /** Reads all records by their names, {@link #STORE_RECORD} included, for a move. */
    Map<String, String> records() throws WorkerStoreException, InterruptedException;

    /**
     * Replaces the record of a sequence, or {@link #STORE_RECORD}, atomically if it is as expected.
     *
     * @param expected the record as it was read; null if there was none
     * @param next other than {@code expected}
     * @return whether the record was replaced; if not, the store is unchanged
     */
    boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException;

    /** For an operator: asks every server that can stand in for others. Returns why some do not answer, by name. */
    default Map<String, String> failures() throws WorkerStoreException, InterruptedException {
        return Map.of();
    }

    /** Names the store in messages, without user and password. */
    String label();

    /**
     * From now on calls wait for a server only briefly, because the store will be closed. By any thread; does not wait.
     */
    default void stop() {}

    /** Ends calls under way with an error, {@link #close} too. By any thread; does not wait. */
    default void cut() {}

    @Override
    void close();
}
