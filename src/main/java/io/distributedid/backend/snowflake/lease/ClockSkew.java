package io.distributedid.backend.snowflake.lease;

import io.distributedid.spi.Settings;
import java.time.Duration;

/** How far the clocks of processes that lease may be apart. */
public final class ClockSkew {

    private ClockSkew() {}

    /**
     * The limit of a sequence.
     *
     * @param settings of the sequence, whose number is leased
     * @param maxWorker the largest number that fits its layout
     * @return between a process and the store
     */
    public static Duration max(Settings settings, long maxWorker) {
        return LeaseSettings.terms(settings, new NumberRange(0, maxWorker)).maxClockSkew();
    }
}
