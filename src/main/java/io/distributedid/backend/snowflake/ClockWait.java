package io.distributedid.backend.snowflake;

import io.distributedid.IdUnavailableException;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a clock while ids are ahead of it. Thread-safe. */
final class ClockWait {

    /** A clock that needs this much longer than the expected wait, in real time, stands still: an error. */
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final InstantSource clock;

    private volatile boolean closed;

    ClockWait(InstantSource clock) {
        this.clock = clock;
    }

    InstantSource clock() {
        return clock;
    }

    /**
     * Returns when the clock shows {@code millis}. An interrupt stays set.
     *
     * @param what ends an error: what the clock is short of
     * @throws IdUnavailableException if the clock stands still, or the wait is interrupted or closed
     */
    void until(long millis, String what) {
        long wait = millis - clock.millis();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) + STALL_NANOS;
        for (long left = wait; left > 0; left = millis - clock.millis()) {
            String shortOf = left + " ms short of " + what;
            if (closed) {
                throw new IdUnavailableException(
                        "The source of ids was closed while it waited for the clock: " + shortOf);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IdUnavailableException("Interrupted while waiting for the clock: " + shortOf);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IdUnavailableException("The clock stands still: clock=" + clock.instant() + ", " + shortOf);
            }
            LockSupport.parkNanos(this, Math.min(LONGEST_NAP_NANOS, TimeUnit.MILLISECONDS.toNanos(left)));
        }
    }

    /** Ends all waits with an error, now and later. Called by any thread. */
    void close() {
        closed = true;
    }
}
