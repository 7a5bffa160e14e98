package io.distributedid.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Counts what is under way, up to a bound, and waits until nothing is. Thread-safe. */
final class Tally {

    private static final long POLL_NANOS = Duration.ofMillis(5).toNanos();

    private final AtomicInteger count = new AtomicInteger();

    private final int most;

    Tally(int most) {
        this.most = most;
    }

    static Tally unbounded() {
        return new Tally(Integer.MAX_VALUE);
    }

    /** @throws Problem if as many requests as may wait do so already */
    void up() {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            throw new Problem(
                    ProblemType.UNAVAILABLE,
                    "Too many requests wait already: waiting=" + most + ". Send fewer at once, or ask another server");
        }
    }

    void down() {
        count.decrementAndGet();
    }

    int count() {
        return count.get();
    }

    /** Returns whether the count came to zero in time. */
    boolean awaitZero(Duration timeout) {
        long began = System.nanoTime();
        while (count.get() > 0
                && System.nanoTime() - began < timeout.toNanos()
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, POLL_NANOS);
        }
        return count.get() == 0;
    }
}
