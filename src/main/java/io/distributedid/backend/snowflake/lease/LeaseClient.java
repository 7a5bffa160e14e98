package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Lease} renews: a number and a window of one store, or of two while numbers move. For one thread at a
 * time.
 */
interface LeaseClient {

    /** The newest grant, perhaps ended; null before the first. The same object until it changes. */
    @Nullable
    Grant granted();

    /**
     * How far the local clock is ahead of the store's, as last seen, give or take half of the answer's time; null
     * before.
     */
    @Nullable
    Duration clockOffset();

    /** Whether there is a reason to {@link #renew}. */
    boolean isDue();

    /** How long the windows are that it asks for now, in milliseconds. */
    long windowMillis();

    /** What tells the store from all others; null before it was read. */
    @Nullable
    String storeToken();

    /**
     * Reads the store, and asks it once for what is needed; to be repeated while {@link #isDue}.
     *
     * @throws NoFreeWorkerException if all numbers are taken
     * @throws IdUnavailableException if the store must not be asked now
     */
    void renew() throws WorkerStoreException, InterruptedException;

    /** Gives up what is above the last id; nothing may be done afterwards. */
    void handBack(long unused) throws WorkerStoreException, InterruptedException;

    /** What the store says of a sequence; it is told {@code content} if it knows nothing. */
    String record(String sequence, String content) throws WorkerStoreException, InterruptedException;

    /** Names the store in messages. */
    String label();

    /** Closes connections. */
    void close();

    /** What a store says of a sequence; it is told {@code content} if it knows nothing. */
    static String record(WorkerStore store, String sequence, String content)
            throws WorkerStoreException, InterruptedException {
        Optional<String> known = store.record(sequence);
        while (known.isEmpty()) {
            if (store.compareAndSetRecord(sequence, null, content)) {
                return content;
            }
            known = store.record(sequence);
        }
        return known.get();
    }
}
