package io.distributedid.backend.snowflake.lease;

/** The store is another one than the caller has read. It is unchanged. */
public final class OtherStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    OtherStoreException(String message) {
        super(message);
    }
}
