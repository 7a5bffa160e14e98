package io.distributedid.backend.snowflake.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a lease.
 *
 * @param maxClockSkew the largest allowed difference between the local clock and the store's
 * @param startWait how long the start waits for a free number
 * @param callerTimeout how long a caller waits for a window that is being renewed; in an outage, from its beginning
 * @param whileUsed whether a window is renewed only while it is used, since the store is this machine's disk; the first
 *     caller after a pause then waits for the renewal
 */
public record LeaseTerms(
        LeaseProtocol protocol, Duration maxClockSkew, Duration startWait, Duration callerTimeout, boolean whileUsed) {

    LeaseTerms(LeaseProtocol protocol, Duration maxClockSkew, Duration startWait, Duration callerTimeout) {
        this(protocol, maxClockSkew, startWait, callerTimeout, false);
    }

    /** The same terms for one number. */
    LeaseTerms withNumber(long worker) {
        LeaseProtocol one = new LeaseProtocol(protocol.windowMillis(), worker, worker, protocol.singleUse());
        return new LeaseTerms(one, maxClockSkew, startWait, callerTimeout, whileUsed);
    }

    /**
     * The time after which every window requested by now is over, by all clocks. The window of a number that was handed
     * back begins up to {@link LeaseProtocol#HANDBACK_WAIT_MILLIS} later.
     */
    long overNanos(long windowMillis) {
        long window = TimeUnit.MILLISECONDS.toNanos(windowMillis);
        long later = TimeUnit.MILLISECONDS.toNanos(LeaseProtocol.HANDBACK_WAIT_MILLIS);
        return later + window + 2 * Math.max(maxClockSkew.toNanos(), window / 4);
    }
}
