package io.distributedid.internal.keyed.remote;

import java.util.concurrent.CompletableFuture;

/**
 * One call that may share a request.
 *
 * @param count of the numbers that it wants; 0 to read
 * @param turn what it does next
 */
record SharedCall(int count, CallTime time, CompletableFuture<Turn> turn) {

    /** It leads, or its last number is there. */
    record Turn(boolean leads, long last) {

        static final Turn LEAD = new Turn(true, 0);
    }

    static SharedCall of(int count, CallTime time) {
        return new SharedCall(count, time, new CompletableFuture<>());
    }
}
