package io.distributedid.internal.tenure;

/**
 * The stored row of a tenure. Each row ever written has its own token, so no two are equal. A row that equals one read
 * before has not changed meanwhile.
 *
 * @param owner the process that wrote the row, for messages; empty if the tenure was handed back
 * @param bound the owner uses no value from here on; its successor begins here. Only a hand-back lowers it
 * @param lease how long the owner may act without another answer of the store, in nanoseconds
 * @param token random, new with every change
 */
public record TenureRow(String owner, long bound, long lease, String token) {

    /** Whether the last owner has stopped cleanly, so that its lease need not be waited for. */
    public boolean isHandedBack() {
        return owner.isEmpty();
    }
}
