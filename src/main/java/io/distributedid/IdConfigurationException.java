package io.distributedid;

/**
 * A setting, a mapping or a server is configured so that ids can't be issued or could collide. Thrown at start where
 * possible. A retry does not help: the configuration must change.
 */
public class IdConfigurationException extends DistributedIdException {

    private static final long serialVersionUID = 1L;

    /** @param message the broken rule, {@code name=value}, what is allowed, and how to fix it */
    public IdConfigurationException(String message) {
        super(message);
    }

    /**
     * @param message the broken rule, {@code name=value}, what is allowed, and how to fix it
     * @param cause the exception of the server or driver
     */
    public IdConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
