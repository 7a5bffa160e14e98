package io.distributedid.backend.snowflake.lease;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The local clock, compared with the time that has passed since its last reading. A clock that is suddenly ahead may be
 * wrong for a moment only. A window reserved at such a time would be lost for as long as the clock was ahead. So a time
 * after a jump is returned only once the clock has kept it for {@value #SETTLED_MILLIS} ms: then the clock was set, or
 * the machine has slept. For one thread at a time.
 */
final class CheckedClock {

    /** A short sleep; tests advance their clocks instead. */
    @FunctionalInterface
    interface Nap {

        void take() throws InterruptedException;
    }

    /** A larger difference is a jump. */
    static final long JUMP_MILLIS = 1_000;

    private static final long SETTLED_MILLIS = 2_000;

    private static final long TIMEOUT_MILLIS = 5_000;

    private static final Logger LOG = System.getLogger(CheckedClock.class.getName());

    /** A jump by {@code millis}, first seen at {@code nanos}. */
    private record Jump(long millis, long nanos) {}

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final Nap nap;

    private final String label;

    /** The clock was right when {@link #nanoTime} showed {@link #anchorNanos}. */
    private long anchorMillis;

    private long anchorNanos;

    private @Nullable Jump jump;

    /**
     * Trusts the first reading of the clock.
     *
     * @param nanoTime never jumps
     * @param label names the state file in messages
     */
    CheckedClock(InstantSource clock, LongSupplier nanoTime, Nap nap, String label) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.nap = nap;
        this.label = label;
        follow(clock.millis());
    }

    /**
     * The time, once the clock has settled.
     *
     * @throws WorkerStoreException if that takes longer than {@value #TIMEOUT_MILLIS} ms
     */
    long millis() throws WorkerStoreException, InterruptedException {
        long began = nanoTime.getAsLong();
        while (true) {
            long now = clock.millis();
            long ahead = now - anchorMillis - sinceMillis(anchorNanos);
            if (isTrusted(now, ahead)) {
                return now;
            }
            if (sinceMillis(began) > TIMEOUT_MILLIS) {
                throw new WorkerStoreException(
                        "The clock jumps, and no time is reserved until it stays where it is for "
                                + SETTLED_MILLIS + " ms: clock=" + Instant.ofEpochMilli(now) + ", expected="
                                + Instant.ofEpochMilli(now - ahead) + ", " + label);
            }
            nap.take();
        }
    }

    private boolean isTrusted(long now, long ahead) {
        if (Math.abs(ahead) <= JUMP_MILLIS) {
            follow(now);
            return true;
        }
        Jump known = jump;
        if (known == null || Math.abs(ahead - known.millis) > JUMP_MILLIS) {
            jump = new Jump(ahead, nanoTime.getAsLong());
        } else if (sinceMillis(known.nanos) >= SETTLED_MILLIS) {
            follow(now);
            LOG.log(
                    Level.WARNING,
                    "The clock jumped by " + ahead
                            + " ms, and has stayed there: was it set, or did the machine sleep? Clock="
                            + Instant.ofEpochMilli(now) + ", " + label);
            return true;
        }
        return ahead < 0;
    }

    private void follow(long now) {
        anchorMillis = now;
        anchorNanos = nanoTime.getAsLong();
        jump = null;
    }

    private long sinceMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - nanos);
    }
}
