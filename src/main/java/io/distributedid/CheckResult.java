package io.distributedid;

/**
 * One result of checking a sequence.
 *
 * @param what the object checked: {@code numbering}, {@code table}, {@code counter}, {@code distance}, {@code clock},
 *     ...
 * @param server its address, without user and password; empty if the result concerns no server
 * @param status whether the check succeeded
 * @param detail what was found; for a failure the broken rule, what is allowed, and how to fix it
 */
public record CheckResult(String what, String server, Status status, String detail) {

    /** The outcome of a check. */
    public enum Status {
        /** As required. */
        OK,
        /** Not as required, or a server does not answer. */
        FAILED,
        /** This process can't check it. */
        UNKNOWN
    }

    /**
     * Creates a result for an object that is as required.
     *
     * @param what the object checked
     * @param server its address; empty if the result concerns no server
     * @param detail what was found
     * @return a result
     */
    public static CheckResult ok(String what, String server, String detail) {
        return new CheckResult(what, server, Status.OK, detail);
    }

    /**
     * Creates a result for an object that is not as required.
     *
     * @param what the object checked
     * @param server its address; empty if the result concerns no server
     * @param detail the broken rule, what is allowed, and how to fix it
     * @return a result
     */
    public static CheckResult failed(String what, String server, String detail) {
        return new CheckResult(what, server, Status.FAILED, detail);
    }

    /**
     * Creates a result for an object that this process can't check.
     *
     * @param what the object
     * @param server its address; empty if the result concerns no server
     * @param detail why it can't be checked
     * @return a result
     */
    public static CheckResult unknown(String what, String server, String detail) {
        return new CheckResult(what, server, Status.UNKNOWN, detail);
    }
}
