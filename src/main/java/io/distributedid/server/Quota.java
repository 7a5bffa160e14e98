package io.distributedid.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
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

    /**
     * What the caller owes.
     *
     * @param paid when all ids that were given are paid for, by {@code nanoTime}
     * @param reserved the price of those that may be given to running requests, in nanoseconds
     */
    private record Account(long paid, long reserved) {

        Account without(long price) {
            return new Account(paid, reserved - price);
        }

        Account charged(long price) {
            return new Account(paid + price, reserved);
        }

        /** No more than a second is saved. */
        Account at(long now) {
            return paid - (now - SECOND) > 0 ? this : new Account(now - SECOND, reserved);
        }
    }

    private final AtomicReference<Account> account;

    /** @param nanoTime as {@link System#nanoTime} */
    Quota(long perSecond, LongSupplier nanoTime) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("A quota must be positive: perSecond=" + perSecond);
        }
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        account = new AtomicReference<>(new Account(nanoTime.getAsLong() - SECOND, 0));
    }

    long perSecond() {
        return perSecond;
    }

    private long price(long count) {
        return Math.multiplyExact(count, SECOND) / perSecond;
    }

    /** How long a caller has to wait before it may ask; not positive if it may ask now. */
    Duration debt() {
        return Duration.ofNanos(account.get().paid - nanoTime.getAsLong());
    }

    /** Reserves ids for a request, until {@link #settle}. Returns false if the caller must wait. */
    boolean reserve(long count) {
        while (true) {
            Account before = account.get();
            long now = nanoTime.getAsLong();
            Account current = before.at(now);
            if (current.paid + current.reserved - now > 0) {
                return false;
            }
            if (account.compareAndSet(before, new Account(current.paid, current.reserved + price(count)))) {
                return true;
            }
        }
    }

    /** Ends a reservation, and charges what was given of it. */
    void settle(long reserved, long given) {
        long now = nanoTime.getAsLong();
        account.updateAndGet(before -> before.without(price(reserved)).at(now).charged(price(given)));
    }
}
