package io.distributedid.backend.snowflake.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How a process leases.
 *
 * @param protocol the rules
 * @param maxClockSkew how far the local clock may be from the store's
 * @param startWait how long to wait at start for a number while all are taken
 * @param patience how long a caller waits for a window that is being renewed
 * @param whileUsed whether a window is renewed only while somebody looks at it, since the store is this machine's disk;
 *     the first caller after a rest waits for it then
 */
public record LeaseTerms(
        LeaseProtocol protocol, Duration maxClockSkew, Duration startWait, Duration patience, boolean whileUsed) {

    LeaseTerms(LeaseProtocol protocol, Duration maxClockSkew, Duration startWait, Duration patience) {
        this(protocol, maxClockSkew, startWait, patience, false);
    }

    /** With one number alone. */
    LeaseTerms withNumber(long worker) {
        LeaseProtocol one = new LeaseProtocol(protocol.windowMillis(), worker, worker, protocol.singleUse());
        return new LeaseTerms(one, maxClockSkew, startWait, patience, whileUsed);
    }

    /** By then a window of anybody is over that was asked for now, whatever the clocks say. */
    long overNanos(long windowMillis) {
        long window = TimeUnit.MILLISECONDS.toNanos(windowMillis);
        return window + 2 * Math.max(maxClockSkew.toNanos(), window / 4);
    }
}
