package io.distributedid.backend.snowflake.lease;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a clock that others have run ahead of. */
public final class ClockWait {

    private static final long NAP_MILLIS = 10;

    private ClockWait() {}

    /**
     * Returns when the clock has come to a time, or real time to a deadline, or nobody wants to wait any more.
     *
     * @param clock the local one
     * @param millis since 1970
     * @param deadline by {@link System#nanoTime}
     * @param closing counted down when nobody wants to wait
     * @throws InterruptedException if the thread was told to stop
     */
    public static void until(InstantSource clock, long millis, long deadline, CountDownLatch closing)
            throws InterruptedException {
        while (clock.millis() < millis && System.nanoTime() - deadline < 0) {
            if (closing.await(NAP_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }
}
