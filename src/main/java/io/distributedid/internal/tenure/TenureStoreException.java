package io.distributedid.internal.tenure;

/** The store failed; it may work again later. */
public final class TenureStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    public TenureStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
