package io.distributedid;

/**
 * This process is standby: another process gives the ids of the sequence, in strict order. A call there may succeed
 * now, and a call here once the other process has ended.
 */
public class IdStandbyException extends IdUnavailableException {

    private static final long serialVersionUID = 1L;

    /** The name of the active process. */
    private final String active;

    /**
     * @param message what is missing, and how to fix it
     * @param active the active process, as it names itself
     */
    public IdStandbyException(String message, String active) {
        super(message);
        this.active = active;
    }

    /**
     * Returns the process that was active when this one looked last.
     *
     * @return its {@code distributedid.snowflake.lease.owner}; by default its host, pid and start
     */
    public String active() {
        return active;
    }
}
