package io.distributedid.backend.snowflake.lease;

import io.distributedid.spi.Settings;
import java.time.Duration;

/** How far the clocks of processes that lease may be apart. */
public final class ClockSkew {

    private ClockSkew() {}

    /** The largest allowed difference between a process and the store, for a sequence whose number is leased. */
    public static Duration max(Settings settings, long maxWorker) {
        return LeaseSettings.terms(settings, new NumberRange(0, maxWorker)).maxClockSkew();
    }
}
