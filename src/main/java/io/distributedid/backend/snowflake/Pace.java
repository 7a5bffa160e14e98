package io.distributedid.backend.snowflake;

import io.distributedid.spi.Settings;
import java.time.Duration;

/**
 * How ids and the clock may lie apart.
 *
 * @param maxAhead how far ids may run ahead of the clock
 * @param tolerance how far back the clock may have gone for callers to wait
 */
record Pace(Duration maxAhead, Duration tolerance) {

    static Pace of(Settings settings) {
        return new Pace(settings.get(SnowflakeSettings.MAX_AHEAD), settings.get(SnowflakeSettings.CLOCK_TOLERANCE));
    }

    /** How many units of a layout ids may run ahead of the clock: at least one. */
    long aheadTicks(Duration unit) {
        return Math.max(1, (maxAhead.toMillis() + unit.toMillis() - 1) / unit.toMillis());
    }
}
