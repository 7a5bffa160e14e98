package io.distributedid.backend.snowflake;

import io.distributedid.spi.Settings;
import java.time.Duration;

/**
 * The allowed difference between ids and the clock.
 *
 * @param maxAhead how far ids may run ahead of the clock
 * @param tolerance how far the clock may go back while callers wait; beyond that they are refused
 */
record Pace(Duration maxAhead, Duration tolerance) {

    static Pace of(Settings settings) {
        return new Pace(settings.get(SnowflakeSettings.MAX_AHEAD), settings.get(SnowflakeSettings.CLOCK_TOLERANCE));
    }

    /** {@code maxAhead} in units of a layout, rounded up; at least 1. */
    long aheadTicks(Duration unit) {
        return Math.max(1, (maxAhead.toMillis() + unit.toMillis() - 1) / unit.toMillis());
    }
}
