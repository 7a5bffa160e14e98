package io.distributedid.backend.snowflake.lease;

/**
 * The store's row of a worker number. Each row ever written has its own token, so no two are equal. A row that equals
 * one read before has not changed meanwhile.
 *
 * @param owner the process that wrote the row, for messages; empty if the number was handed back
 * @param reservedUntil all id times before it are reserved, in milliseconds since 1970; only a hand-back lowers it
 * @param token random, new with every change
 */
public record WorkerRow(long worker, String owner, long reservedUntil, String token) {

    /** Whether the last owner has stopped cleanly. Then no process uses times that are not reserved. */
    public boolean isHandedBack() {
        return owner.isEmpty();
    }

    /** Whether the number is never used again, so that its window has no end. */
    boolean isForSingleUse() {
        return reservedUntil == Long.MAX_VALUE;
    }
}
