package io.distributedid.internal.ledger;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that may be wrong for a moment. If it is suddenly ahead, it shows no time until it has stayed there for
 * {@value #SETTLED_MILLIS} ms: then it was set, or the machine has slept. What is reserved up to a wrong time would be
 * lost for as long as the clock was ahead. Trusts the first reading, and one that is behind. For one thread at a time.
 */
final class SettledClock {

    /** A larger difference is a jump. */
    private static final long JUMP_MILLIS = 1_000;

    private static final long SETTLED_MILLIS = 2_000;

    private static final Logger LOG = System.getLogger(SettledClock.class.getName());

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final String label;

    /** The clock was right when {@link #nanoTime} showed {@link #nanos}. */
    private long millis;

    private long nanos;

    /** By how much the clock has been ahead since {@link #jumpedAt}; 0 if it is not. */
    private long jump;

    private long jumpedAt;

    /**
     * Reads the clock.
     *
     * @param nanoTime never jumps
     * @param label names the user of the time in messages
     */
    SettledClock(InstantSource clock, LongSupplier nanoTime, String label) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.label = label;
        millis = clock.millis();
        nanos = nanoTime.getAsLong();
    }

    /**
     * The time in milliseconds.
     *
     * @throws SQLException while the clock is ahead, and has not stayed there for long enough
     */
    long millis() throws SQLException {
        long now = nanoTime.getAsLong();
        long shown = clock.millis();
        long ahead = shown - millis - TimeUnit.NANOSECONDS.toMillis(now - nanos);
        if (ahead > JUMP_MILLIS) {
            if (jump == 0 || Math.abs(ahead - jump) > JUMP_MILLIS) {
                jump = ahead;
                jumpedAt = now;
            }
            if (now - jumpedAt < TimeUnit.MILLISECONDS.toNanos(SETTLED_MILLIS)) {
                throw new SQLException("The clock has jumped, and no time is reserved until it has stayed there for "
                        + SETTLED_MILLIS + " ms: clock=" + Instant.ofEpochMilli(shown) + ", expected="
                        + Instant.ofEpochMilli(shown - ahead) + ", " + label);
            }
            LOG.log(
                    Level.WARNING,
                    "The clock jumped by " + ahead + " ms, and has stayed there: was it set, or did the machine sleep?"
                            + " Clock=" + Instant.ofEpochMilli(shown) + ", " + label);
        }
        millis = shown;
        nanos = now;
        jump = 0;
        return shown;
    }
}
