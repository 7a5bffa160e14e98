package io.distributedid;

/**
 * No id can be issued now without risking a duplicate: every server is down, a wait timed out or was interrupted, the
 * clock went back, or the sequence was closed. A later call may succeed.
 */
public class IdUnavailableException extends DistributedIdException {

    private static final long serialVersionUID = 1L;

    /** @param message what is missing, and how to fix it */
    public IdUnavailableException(String message) {
        super(message);
    }

    /**
     * @param message what is missing, and how to fix it
     * @param cause the exception of the server or driver
     */
    public IdUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
