package io.distributedid.backend.snowflake.lease;

/**
 * What the store holds of one worker number. No two rows that were ever written are equal, because each has a token of
 * its own: a row that is equal to one seen before has not changed meanwhile.
 *
 * @param worker the number
 * @param owner who wrote it, for messages; empty if the number was handed back
 * @param reservedUntil all id times below are reserved, in milliseconds since 1970; grows, except when a number is
 *     handed back
 * @param token random, new with every change
 */
public record WorkerRow(long worker, String owner, long reservedUntil, String token) {

    /**
     * Whether its last owner has stopped cleanly.
     *
     * @return true if nobody uses what is not reserved
     */
    public boolean isHandedBack() {
        return owner.isEmpty();
    }
}
