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

    private final String token;

    private final long perSecond;

    private final LongSupplier nanoTime;

    /** When all ids that were given or reserved are paid for, by {@code nanoTime}. Guarded by {@code this}. */
    private long paid;

    /** The part of {@code paid} that may be given back. Guarded by {@code this}. */
    private long reserved;

    /**
     * @param token its name, for messages
     * @param nanoTime as {@link System#nanoTime}
     */
    Quota(String token, long perSecond, LongSupplier nanoTime) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("A quota must be positive: perSecond=" + perSecond);
        }
        this.token = token;
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        paid = nanoTime.getAsLong() - SECOND;
    }

    private long price(long count) {
        return Math.multiplyExact(count, SECOND) / perSecond;
    }

    /** How long a caller has to wait before it may ask; not positive if it may ask now. */
    synchronized Duration debt() {
        return Duration.ofNanos(saved() - nanoTime.getAsLong());
    }

    /**
     * Reserves ids for a request, until {@link #settle}.
     *
     * @throws Problem if the caller must wait
     */
    synchronized void reserve(long count) {
        if (paid - nanoTime.getAsLong() > 0) {
            throw new Problem(
                    ProblemType.QUOTA,
                    "The quota of the token is used up: token=" + token + ", allowed: " + perSecond
                            + " ids a second. Retry later",
                    // What is reserved may be given back in a moment.
                    debt().minusNanos(reserved));
        }
        long price = price(count);
        paid = saved() + price;
        reserved += price;
    }

    /** Ends a reservation, and charges what was given of it. */
    synchronized void settle(long ids, long given) {
        long price = price(ids);
        paid = saved() + price(given) - price;
        reserved -= price;
    }

    /** No more than a second is saved. */
    private long saved() {
        long oldest = nanoTime.getAsLong() - SECOND;
        return paid - oldest > 0 ? paid : oldest;
    }
}
