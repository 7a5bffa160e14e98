package io.distributedid.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Counts what is under way, and waits until nothing is. Thread-safe. */
final class Tally {

    private static final long POLL_NANOS = Duration.ofMillis(5).toNanos();

    private final AtomicInteger count = new AtomicInteger();

    void up() {
        count.incrementAndGet();
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
