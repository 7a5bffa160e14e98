package io.distributedid.internal.lease;

import io.distributedid.IdUnavailableException;

/** All worker numbers are taken. One that is not used any more becomes free when its window is over. */
public final class NoFreeNumberException extends IdUnavailableException {

    private static final long serialVersionUID = 1L;

    private final long until;

    NoFreeNumberException(String message, long until) {
        super(message);
        this.until = until;
    }

    /** When the first one is free unless it is renewed, by the store's clock; 0 if never. */
    public long until() {
        return until;
    }
}
