package io.distributedid;

/**
 * Base of every exception that this library throws: an id was not issued. No id is ever lost or repeated by catching it
 * and calling again.
 *
 * @see IdConfigurationException
 * @see IdUnavailableException
 * @see IdsExhaustedException
 */
public class DistributedIdException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what was wrong, what is allowed, and how to fix it */
    public DistributedIdException(String message) {
        super(message);
    }

    /**
     * @param message what was wrong, what is allowed, and how to fix it
     * @param cause what the server or driver said
     */
    public DistributedIdException(String message, Throwable cause) {
        super(message, cause);
    }
}
