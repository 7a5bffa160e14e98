package io.distributedid;

/**
 * What a check of a sequence found.
 *
 * @param what was looked at: {@code numbering}, {@code table}, {@code counter}, {@code distance}, {@code clock}, ...
 * @param server by its address, without user and password; empty if it is no server's
 * @param result whether it is as it must be
 * @param detail what was found; or the rule that is broken, what is allowed, and how to fix it
 */
public record Finding(String what, String server, Result result, String detail) {

    /** Whether something is as it must be. */
    public enum Result {
        /** It is. */
        OK,
        /** It is not, or a server does not answer. */
        FAILED,
        /** It can't be seen from here. */
        UNKNOWN
    }

    /**
     * Something is as it must be.
     *
     * @param what was looked at
     * @param server by its address; empty if it is no server's
     * @param detail what was found
     * @return the finding
     */
    public static Finding ok(String what, String server, String detail) {
        return new Finding(what, server, Result.OK, detail);
    }

    /**
     * Something is not as it must be.
     *
     * @param what was looked at
     * @param server by its address; empty if it is no server's
     * @param detail the rule that is broken, what is allowed, and how to fix it
     * @return the finding
     */
    public static Finding failed(String what, String server, String detail) {
        return new Finding(what, server, Result.FAILED, detail);
    }

    /**
     * Something can't be seen from here.
     *
     * @param what would have to be looked at
     * @param server by its address; empty if it is no server's
     * @param detail why it can't
     * @return the finding
     */
    public static Finding unknown(String what, String server, String detail) {
        return new Finding(what, server, Result.UNKNOWN, detail);
    }
}
