package io.distributedid.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Counts what is under way, cheaply, and lets one thread wait until nothing is. Thread-safe. */
final class Tally {

    /** Bounds the wait if the waiter is noticed late. */
    private static final long LONGEST_PARK_NANOS = Duration.ofMillis(50).toNanos();

    private final AtomicInteger count = new AtomicInteger();

    private volatile @Nullable Thread waiter;

    void up() {
        count.incrementAndGet();
    }

    void down() {
        if (count.decrementAndGet() == 0) {
            LockSupport.unpark(waiter);
        }
    }

    int count() {
        return count.get();
    }

    /** Returns whether the count came to zero in time. */
    boolean awaitZero(Duration timeout) {
        waiter = Thread.currentThread();
        long began = System.nanoTime();
        long left = timeout.toNanos();
        while (count.get() > 0 && left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, Math.min(left, LONGEST_PARK_NANOS));
            left = timeout.toNanos() - (System.nanoTime() - began);
        }
        return count.get() == 0;
    }
}
