package io.distributedid.internal.service;

import io.distributedid.IdUnavailableException;
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
 * them share a database: that of one may be down while another one's restarts. While no server can be reached, it is
 * the outage of all. An outage ends with the next success, and is forgotten if nothing was asked for 5 s after a
 * failure.
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

    /**
     * The servers were asked for something.
     *
     * @param began when the first one was asked
     * @param failure null if one gave it. A refusal ends an outage too
     */
    void ended(Object what, long began, @Nullable Exception failure) {
        boolean isOutage = failure instanceof IdUnavailableException;
        if (!isOutage && !isAny) {
            return;
        }
        long now = nanoTime.getAsLong();
        Object place = isOutage && isOfAll.getAsBoolean() ? ALL : what;
        lock.lock();
        try {
            Outage known = outages.remove(place);
            if (!place.equals(ALL)) {
                outages.remove(ALL);
            }
            if (isOutage) {
                long since = known != null && began - known.last <= QUIET_NANOS ? known.since : now;
                outages.put(place, new Outage(since, now, FailureText.of(failure)));
            }
            if (outages.size() > MOST) {
                outages.remove(outages.keySet().iterator().next());
            }
            isAny = !outages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has lasted for longer than a call waits. */
    boolean isLongerThan(Duration timeout, Object what) {
        return find(what)
                .filter(known -> nanoTime.getAsLong() - known.since > timeout.toNanos())
                .isPresent();
    }

    /** Why nothing is given; empty if there is no outage. */
    Optional<String> failure(Object what) {
        return find(what).map(Outage::failure);
    }

    private Optional<Outage> find(Object what) {
        if (!isAny) {
            return Optional.empty();
        }
        boolean isAll = isOfAll.getAsBoolean();
        lock.lock();
        try {
            Outage own = outages.get(what);
            return Optional.ofNullable(isAll ? outages.getOrDefault(ALL, own) : own);
        } finally {
            lock.unlock();
        }
    }
}
