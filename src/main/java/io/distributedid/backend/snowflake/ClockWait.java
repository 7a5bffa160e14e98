package io.distributedid.backend.snowflake;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the clock while former ids are ahead of it. */
final class ClockWait {

    private static final long NAP_MILLIS = 10;

    private ClockWait() {}

    /**
     * Returns when the clock is at {@code millis}, or at the deadline, or when {@code closing} is counted down.
     *
     * @param deadline by {@link System#nanoTime}
     */
    static void until(InstantSource clock, long millis, long deadline, CountDownLatch closing)
            throws InterruptedException {
        while (clock.millis() < millis && System.nanoTime() - deadline < 0) {
            if (closing.await(NAP_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }
}
