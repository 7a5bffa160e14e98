package io.distributedid;

/**
 * A setting, a mapping or a server is configured so that ids could not be issued or could collide. Thrown at start
 * wherever it can be known then; trying again does not help, the configuration must change.
 */
public class IdConfigurationException extends DistributedIdException {

    private static final long serialVersionUID = 1L;

    /** @param message the rule that was broken, {@code name=value}, what is allowed, and how to fix it */
    public IdConfigurationException(String message) {
        super(message);
    }

    /**
     * @param message the rule that was broken, {@code name=value}, what is allowed, and how to fix it
     * @param cause what the server or driver said
     */
    public IdConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
