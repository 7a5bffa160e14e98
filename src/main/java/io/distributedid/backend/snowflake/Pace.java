package io.distributedid.backend.snowflake;

import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.time.Duration;

/**
 * The allowed difference between ids and the clock.
 *
 * <p>With a fixed number, {@code maxAhead} is at most {@link #MOST_AHEAD_OF_FIXED}: see {@link Worker#unrecordedUse}.
 *
 * @param maxAhead how far ids may run ahead of the clock
 * @param tolerance how far the clock may go back while callers wait; beyond that they are refused
 */
record Pace(Duration maxAhead, Duration tolerance) {

    /**
     * How far ids of a fixed number may run ahead of the clock, in all processes that ever have it. The next process
     * with the number relies on it, whatever its own settings are. Never raise it.
     */
    static final Duration MOST_AHEAD_OF_FIXED = Duration.ofMillis(100);

    /**
     * The pace of a sequence.
     *
     * @param skew how far the clocks of processes that lease may be apart, in milliseconds
     * @throws io.distributedid.IdConfigurationException if ids would run too far ahead for a fixed number
     */
    static Pace of(Settings settings, IdLayout layout, long skew) {
        Duration maxAhead = settings.get(SnowflakeSettings.MAX_AHEAD);
        if (maxAhead.compareTo(MOST_AHEAD_OF_FIXED) > 0 && LeaseSettings.isFixed(settings, layout)) {
            throw settings.invalid(
                    SnowflakeSettings.MAX_AHEAD,
                    maxAhead.toMillis() + "ms",
                    "1ms to " + MOST_AHEAD_OF_FIXED.toMillis() + "ms with a fixed number, since the next process with"
                            + " that number starts that far ahead of the clock, above all ids of this process. Lower"
                            + " it, and start 10 s after the last process that had the larger value. For more, set"
                            + " distributedid.snowflake.worker=lease");
        }
        // In strict order, ids lie as far ahead of the clock as the one of the process before was ahead of this one.
        return LeaseSettings.isExclusive(settings)
                ? new Pace(LeaseSettings.skew(settings, skew), settings.get(CoreSettings.BLOCK_TIMEOUT))
                : new Pace(maxAhead, settings.get(SnowflakeSettings.CLOCK_TOLERANCE));
    }

    /** {@code maxAhead} in units of a layout, rounded up; at least 1. */
    long aheadTicks(Duration unit) {
        return ticks(maxAhead, unit);
    }

    /** A duration in units of a layout, rounded up; at least 1. */
    static long ticks(Duration ahead, Duration unit) {
        return Math.max(1, (ahead.toMillis() + unit.toMillis() - 1) / unit.toMillis());
    }
}
