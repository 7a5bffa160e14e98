package io.distributedid.internal.counter;

/**
 * How far servers that divide the numbers between them may drift apart.
 *
 * @param max the largest normal difference between the last ids of two servers
 * @param raise whether a server that is further behind at the first look is raised also if no record explains that;
 *     else it is refused
 * @param raiseSetting the setting of {@code raise}, for messages
 * @param failover what to do when a replica has taken a server's place
 */
public record DriftLimit(long max, boolean raise, String raiseSetting, Failover failover) {

    /** What to do when a replica has taken a server's place: it may lack the ids that the server gave last. */
    public enum Failover {
        /** Raise it by {@link #max} above all that is known. */
        RAISE,
        /** Refuse it until an operator has repaired it. */
        REFUSE,
        /** Go on: the replication loses nothing that was committed. */
        LOSSLESS
    }

    /** How many times {@link #max} a counter may be raised without an operator. */
    private static final long AUTOMATIC = 1_000;

    /** A few blocks fit in. */
    static final long LEAST = 1_000_000;

    /** Leaves room for 2^62 ids above. */
    static final long MOST = 1L << 60;

    /** What to do with a server that lags behind the others when it is first asked, and no record explains that. */
    public enum Behind {
        REFUSE,
        RAISE
    }

    /** The largest difference that is made up for without an operator. Beyond it, the server ahead must be wrong. */
    long most() {
        return max > MOST / AUTOMATIC ? MOST : max * AUTOMATIC;
    }
}
