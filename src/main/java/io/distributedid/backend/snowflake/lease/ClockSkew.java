package io.distributedid.backend.snowflake.lease;

import io.distributedid.spi.Settings;
import java.time.Duration;

/** How far the clocks of processes that lease may be apart. */
public final class ClockSkew {

    private ClockSkew() {}

    /** How far ids of other processes may lie ahead of the local clock, for a sequence whose number is leased. */
    public static Duration max(Settings settings, long maxWorker) {
        if (LeaseSettings.isExclusive(settings)) {
            // The next owner begins at the bound of the one before, which lies ahead of that one's clock by a lease.
            ExclusiveTerms terms = LeaseSettings.exclusiveTerms(settings);
            return terms.maxClockSkew().multipliedBy(2).plus(terms.lease());
        }
        return LeaseSettings.terms(settings, new NumberRange(0, maxWorker)).maxClockSkew();
    }
}
