package io.distributedid;

import java.util.OptionalLong;

/**
 * One result of checking a sequence.
 *
 * @param what the object checked: {@code numbering}, {@code table}, {@code counter}, {@code distance}, {@code clock},
 *     ...
 * @param server its address, without user and password; empty if the result concerns no server
 * @param status whether the check succeeded
 * @param detail what was found; for a failure the broken rule, what is allowed, and how to fix it
 * @param lastId the last id that the checked counter has given, 0 if none; empty if the result concerns no counter, the
 *     counter is refused, or its server does not answer
 */
public record CheckResult(String what, String server, Status status, String detail, OptionalLong lastId) {

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
        return new CheckResult(what, server, Status.OK, detail, OptionalLong.empty());
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
        return new CheckResult(what, server, Status.FAILED, detail, OptionalLong.empty());
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
        return new CheckResult(what, server, Status.UNKNOWN, detail, OptionalLong.empty());
    }

    /**
     * Creates a result for a counter on a server that answers.
     *
     * @param server its address
     * @param status whether the counter is as required
     * @param detail what was found
     * @param lastId the last id that it has given; 0 if none
     * @return a result
     */
    public static CheckResult counter(String server, Status status, String detail, long lastId) {
        return new CheckResult("counter", server, status, detail, OptionalLong.of(lastId));
    }
}
