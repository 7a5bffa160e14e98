package io.distributedid.snowflake.lease;

import java.time.Duration;

/**
 * How a process leases.
 *
 * @param protocol the rules
 * @param maxClockSkew how far the local clock may be from the store's
 * @param startWait how long to wait at start for a number while all are taken
 * @param patience how long a caller waits for a window that is being renewed
 */
public record LeaseTerms(LeaseProtocol protocol, Duration maxClockSkew, Duration startWait, Duration patience) {

    /** With one number alone. */
    LeaseTerms withNumber(long worker) {
        LeaseProtocol one = new LeaseProtocol(protocol.windowMillis(), worker, worker, protocol.burnt());
        return new LeaseTerms(one, maxClockSkew, startWait, patience);
    }
}
