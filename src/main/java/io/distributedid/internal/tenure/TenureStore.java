package io.distributedid.internal.tenure;

import org.jspecify.annotations.Nullable;

/**
 * Stores the row of a tenure, and says how far its owner may go. It must not lose what it has answered. Used by one
 * thread at a time.
 *
 * <p>Every call throws {@link TenureStoreException} if the store failed, {@link InterruptedException} on an interrupt,
 * and {@link io.distributedid.IdUnavailableException} if no tenure may begin or go on for now.
 */
public interface TenureStore {

    /** Reads the row, as it is at the call or later. Null if there is none and never was. */
    @Nullable
    TenureRow read() throws TenureStoreException, InterruptedException;

    /**
     * Replaces the row atomically if it is as expected. If it throws, the row may or may not have been replaced, or be
     * replaced later.
     *
     * @param expected the row as it was read or written; null if there was none
     * @return whether the row was replaced; if not, the store is unchanged
     */
    boolean compareAndSet(@Nullable TenureRow expected, TenureRow next)
            throws TenureStoreException, InterruptedException;

    /**
     * Returns the bound that the next request is to store.
     *
     * @param from the first value that the tenure may use
     */
    long bound(long from) throws TenureStoreException, InterruptedException;

    /** Names the store in messages, without user and password. */
    String label();

    void close();
}
