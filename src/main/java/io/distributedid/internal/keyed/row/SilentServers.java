package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.DedicatedConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The servers that were asked in vain just now, for any sequence. They are not waited for again. So one that hangs
 * delays one sequence, not each. What a server says on another connection does not count: this one may still be
 * refused. Thread-safe.
 */
final class SilentServers {

    /** A server is asked again after it. */
    static final long PAUSE = Duration.ofSeconds(5).toNanos();

    /** When the server was last asked in vain on a connection that has not answered since. */
    private final Map<DedicatedConnection<RowSession>, Long> since = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    SilentServers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    boolean isSilent(DedicatedConnection<RowSession> connection) {
        return isSilentSince(connection, nanoTime.getAsLong() - PAUSE);
    }

    /** Whether it was asked in vain at a time or after it. */
    boolean isSilentSince(DedicatedConnection<RowSession> connection, long time) {
        Long last = since.get(connection);
        return last != null && last - time >= 0;
    }

    void answered(DedicatedConnection<RowSession> connection) {
        if (!since.isEmpty()) {
            since.remove(connection);
        }
    }

    void silent(DedicatedConnection<RowSession> connection) {
        since.put(connection, nanoTime.getAsLong());
    }
}
