package io.distributedid.internal.keyed.remote;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Since when keys get no numbers. Each key has an outage of its own, since only the service knows which keys share a
 * database: that of one may be down while another one's restarts. If no server answers, it is the outage of all keys.
 * An outage ends with the next number, and is forgotten if no round of requests has failed for the time of a call.
 *
 * <p>Knows the {@value #MOST} keys whose rounds failed last. Calls for others wait once more. Thread-safe.
 */
final class KeyOutages {

    static final int MOST = 2_000;

    private record Place(String sequence, String key) {

        /** No key is empty. */
        static final Place ALL = new Place("", "");

        static Place of(KeySpot spot) {
            return new Place(spot.sequence(), spot.key());
        }
    }

    /**
     * An outage that lasts.
     *
     * @param since when a round first failed
     * @param last when one failed last
     * @param failure why, in one sentence
     */
    private record Outage(long since, long last, String failure) {}

    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();

    /** Those that failed last come last. Guarded by the lock. */
    private final Map<Place, Outage> outages = new LinkedHashMap<>();

    /** So that calls need no lock while all is well. */
    private volatile boolean isAny;

    KeyOutages(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * A round of requests failed.
     *
     * @param isOfAll whether no server answers
     * @param began when the call sent its first request
     * @param timeout how long a call waits
     * @return how long the outage has lasted, in nanoseconds
     */
    long failed(KeySpot spot, boolean isOfAll, long began, Duration timeout, String failure) {
        Place place = isOfAll ? Place.ALL : Place.of(spot);
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            Outage known = outages.remove(place);
            long since = known != null && began - known.last <= timeout.toNanos() ? known.since : now;
            outages.put(place, new Outage(since, now, failure));
            if (outages.size() > MOST) {
                outages.remove(outages.keySet().iterator().next());
            }
            isAny = true;
            return now - since;
        } finally {
            lock.unlock();
        }
    }

    /** A server answered, though it perhaps had no number. */
    void answered() {
        end(Place.ALL);
    }

    /** A key got a number. */
    void succeeded(KeySpot spot) {
        end(Place.ALL);
        end(Place.of(spot));
    }

    private void end(Place place) {
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

    /** Why a key gets no number. */
    String failure(KeySpot spot) {
        lock.lock();
        try {
            Outage known = outages.getOrDefault(Place.ALL, outages.get(Place.of(spot)));
            return known == null ? "The service has not answered yet" : known.failure;
        } finally {
            lock.unlock();
        }
    }
}
