package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdSettings;
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
        return new Pace(
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_MAX_AHEAD,
                        Duration.ofMillis(100),
                        Duration.ofMillis(1),
                        Duration.ofSeconds(10)),
                settings.duration(
                        DistributedIdSettings.SNOWFLAKE_CLOCK_TOLERANCE,
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ofMinutes(1)));
    }

    /** {@code maxAhead} in units of a layout, rounded up; at least 1. */
    long aheadTicks(Duration unit) {
        return Math.max(1, (maxAhead.toMillis() + unit.toMillis() - 1) / unit.toMillis());
    }
}
