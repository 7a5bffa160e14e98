package io.distributedid.backend.snowflake.lease;

/** The store failed; it may work again later. */
public final class WorkerStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Made by stores.
     *
     * @param message which store, and what is wrong
     */
    public WorkerStoreException(String message) {
        super(message);
    }

    /**
     * Made by stores.
     *
     * @param message which store, and what it said
     * @param cause from its driver
     */
    public WorkerStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
