package io.distributedid;

/**
 * Superclass of the exceptions of this library: no id was issued. It is safe to catch the exception and call again:
 * that neither loses nor repeats an id.
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
     * @param cause the exception of the server or driver
     */
    public DistributedIdException(String message, Throwable cause) {
        super(message, cause);
    }
}
