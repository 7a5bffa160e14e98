package io.distributedid.server;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ids per second for one token. Ids are paid for by time: a caller may have saved one second, and may fall into debt by
 * one request, so that a large one passes too. Then it waits until the debt is paid.
 *
 * <p>A request reserves its ids before it takes them, so that requests at the same time do not all pass. At its end it
 * is charged what it was given. Thread-safe.
 */
final class Quota {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long perSecond;

    private final LongSupplier nanoTime;

    /** When all ids that were given are paid for, by {@code nanoTime}. Guarded by {@code this}. */
    private long paid;

    /** The price of ids that running requests may be given, in nanoseconds. Guarded by {@code this}. */
    private long reserved;

    /** @param nanoTime as {@link System#nanoTime} */
    Quota(long perSecond, LongSupplier nanoTime) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("A quota must be positive: perSecond=" + perSecond);
        }
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        paid = nanoTime.getAsLong() - SECOND;
    }

    long perSecond() {
        return perSecond;
    }

    private long price(long count) {
        return Math.multiplyExact(count, SECOND) / perSecond;
    }

    /** How long a caller has to wait before it may ask; not positive if it may ask now. */
    synchronized Duration debt() {
        return Duration.ofNanos(paid - nanoTime.getAsLong());
    }

    /** Reserves ids for a request, until {@link #settle}. Returns false if the caller must wait. */
    synchronized boolean reserve(long count) {
        if (paidFrom() + reserved - nanoTime.getAsLong() > 0) {
            return false;
        }
        reserved += price(count);
        return true;
    }

    /** Ends a reservation, and charges what was given of it. */
    synchronized void settle(long ids, long given) {
        reserved -= price(ids);
        paid = paidFrom() + price(given);
    }

    /** No more than a second is saved. */
    private long paidFrom() {
        long oldest = nanoTime.getAsLong() - SECOND;
        return paid - oldest > 0 ? paid : oldest;
    }
}
