package io.distributedid.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Ids per second for one token. Ids are paid for by time: a caller may have saved one second, and may fall into debt by
 * one request, so that a large one passes too. Then it waits until the debt is paid. Thread-safe.
 */
final class Quota {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long perSecond;

    private final LongSupplier nanoTime;

    /** When all ids are paid for, by {@code nanoTime}. */
    private final AtomicLong paid;

    /** @param nanoTime as {@link System#nanoTime} */
    Quota(long perSecond, LongSupplier nanoTime) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("A quota must be positive: perSecond=" + perSecond);
        }
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        paid = new AtomicLong(nanoTime.getAsLong() - SECOND);
    }

    long perSecond() {
        return perSecond;
    }

    /** How long a caller has to wait before it may ask; not positive if it may ask now. */
    Duration debt() {
        return Duration.ofNanos(paid.get() - nanoTime.getAsLong());
    }

    /** Charges ids. */
    void charge(long count) {
        long price = Math.multiplyExact(count, SECOND) / perSecond;
        long now = nanoTime.getAsLong();
        paid.updateAndGet(time -> (time - (now - SECOND) > 0 ? time : now - SECOND) + price);
    }
}
