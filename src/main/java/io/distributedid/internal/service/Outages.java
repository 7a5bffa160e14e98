package io.distributedid.internal.service;

import io.distributedid.internal.jdbc.FailureText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Since when requests for sequences and keys fail. Each has an outage of its own, since only the service knows which of
 * them share a database: that of one may be down while another one's restarts. If no server can be reached, it is the
 * outage of all. An outage ends with the next success, and is forgotten if nothing was asked for 5 s after a failure.
 *
 * <p>Knows the {@value #MOST} that failed last. Calls for others wait once more. Thread-safe.
 */
final class Outages {

    static final int MOST = 2_000;

    private static final long QUIET_NANOS = Duration.ofSeconds(5).toNanos();

    /** The place of the outage of all. */
    private static final Object ALL = new Object();

    private record Outage(long since, long last, String failure) {}

    private final BooleanSupplier isOfAll;

    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();

    /** Those that failed last come last. Guarded by the lock. */
    private final Map<Object, Outage> outages = new LinkedHashMap<>();

    /** So that calls need no lock while all is well. */
    private volatile boolean isAny;

    /** @param isOfAll whether no server can be reached */
    Outages(BooleanSupplier isOfAll, LongSupplier nanoTime) {
        this.isOfAll = isOfAll;
        this.nanoTime = nanoTime;
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /**
     * No server gave what was asked for.
     *
     * @param began when the first one was asked
     */
    void failed(Object what, long began, Exception failure) {
        Object place = isOfAll.getAsBoolean() ? ALL : what;
        lock.lock();
        try {
            long now = now();
            Outage known = outages.remove(place);
            long since = known != null && began - known.last <= QUIET_NANOS ? known.since : now;
            outages.put(place, new Outage(since, now, FailureText.of(failure)));
            if (outages.size() > MOST) {
                outages.remove(outages.keySet().iterator().next());
            }
            isAny = true;
        } finally {
            lock.unlock();
        }
    }

    /** A server answered, though it perhaps gave nothing. */
    void answered() {
        end(ALL);
    }

    /** A server gave what was asked for. */
    void ended(Object what) {
        end(what);
        end(ALL);
    }

    private void end(Object place) {
        if (!isAny) {
            return;
        }
        lock.lock();
        try {
            outages.remove(place);
            isAny = !outages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has lasted for longer than a call waits. */
    boolean isLongerThan(Duration timeout, Object what) {
        Outage known = find(what);
        return known != null && now() - known.since > timeout.toNanos();
    }

    /** Why nothing is given; empty if there is no outage. */
    Optional<String> failure(Object what) {
        return Optional.ofNullable(find(what)).map(Outage::failure);
    }

    private @Nullable Outage find(Object what) {
        if (!isAny) {
            return null;
        }
        lock.lock();
        try {
            return outages.getOrDefault(ALL, outages.get(what));
        } finally {
            lock.unlock();
        }
    }
}
