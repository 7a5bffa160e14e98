package io.distributedid.backend.snowflake.lease;

/** The store failed; it may work again later. */
public final class WorkerStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    public WorkerStoreException(String message) {
        super(message);
    }

    public WorkerStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
