package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gets a number and windows from one store, or from two while numbers move. For one thread at a time. */
interface LeaseClient {

    /** The newest grant, which may have ended; null before the first. The same object until it changes. */
    @Nullable
    Grant granted();

    /**
     * How far the local clock was ahead of the store's, within half of the answer's time; null before the first answer.
     */
    @Nullable
    Duration clockOffset();

    /** Whether {@link #renew} is needed. */
    boolean isDue();

    /** The length of the windows that it requests now, in milliseconds. */
    long windowMillis();

    /** Identifies the store; null before it was read. */
    @Nullable
    String storeToken();

    /**
     * Sends a request, if it can without reading the store and is not refused. Otherwise reads the store, and sends at
     * most one request. Repeat while {@link #isDue}.
     *
     * @throws NoFreeWorkerException if all numbers are taken
     * @throws IdUnavailableException if no request may be sent now
     */
    void renew() throws WorkerStoreException, InterruptedException;

    /** Gives up the time from {@code unused} on. The last call before {@link #close}. */
    void handBack(long unused) throws WorkerStoreException, InterruptedException;

    /** Returns the store's record of a sequence. If there is none, writes {@code content} and returns it. */
    String record(String sequence, String content) throws WorkerStoreException, InterruptedException;

    String label();

    void close();

    /** As above, in one store. */
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
