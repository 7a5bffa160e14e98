package io.distributedid;

/**
 * What a check of a sequence found.
 *
 * @param what was looked at: {@code numbering}, {@code table}, {@code counter}, {@code distance}, {@code clock}, ...
 * @param server by its address, without user and password; empty if it is no server's
 * @param status whether it is as it must be
 * @param detail what was found; or the rule that is broken, what is allowed, and how to fix it
 */
public record CheckResult(String what, String server, Status status, String detail) {

    /** Whether something is as it must be. */
    public enum Status {
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
     * @return a result
     */
    public static CheckResult ok(String what, String server, String detail) {
        return new CheckResult(what, server, Status.OK, detail);
    }

    /**
     * Something is not as it must be.
     *
     * @param what was looked at
     * @param server by its address; empty if it is no server's
     * @param detail the rule that is broken, what is allowed, and how to fix it
     * @return a result
     */
    public static CheckResult failed(String what, String server, String detail) {
        return new CheckResult(what, server, Status.FAILED, detail);
    }

    /**
     * Something can't be seen from here.
     *
     * @param what would have to be looked at
     * @param server by its address; empty if it is no server's
     * @param detail why it can't
     * @return a result
     */
    public static CheckResult unknown(String what, String server, String detail) {
        return new CheckResult(what, server, Status.UNKNOWN, detail);
    }
}
