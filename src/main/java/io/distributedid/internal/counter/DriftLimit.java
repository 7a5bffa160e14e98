package io.distributedid.internal.counter;

/**
 * How far servers that divide the numbers between them may drift apart.
 *
 * @param max the largest difference between the last ids of two servers that needs no explanation
 * @param raise whether a server that lags further when it is first met is raised; else it is refused
 * @param maxSetting the setting of {@code max}, for messages
 * @param raiseSetting the setting of {@code raise}, for messages
 * @param failover what to do when a replica has taken a server's place
 * @param failoverSetting the setting of {@code failover}, for messages
 */
public record DriftLimit(
        long max, boolean raise, String maxSetting, String raiseSetting, Failover failover, String failoverSetting) {

    /** What to do when a replica has taken a server's place: it may lack the ids that the server gave last. */
    public enum Failover {
        /** Raise it by {@link #max} above all that is known. */
        RAISE,
        /** Refuse it until an operator has repaired it. */
        REFUSE,
        /** Go on: the replication loses nothing that was committed. */
        LOSSLESS
    }

    /** How much further than {@link #max} a counter may be raised without an operator. */
    private static final long AUTOMATIC = 1_000;

    /** Some blocks must fit in, and 2^62 ids must lie above. */
    static final long LEAST = 1_000_000;

    static final long MOST = 1L << 60;

    /** What to do with a server that lags when it is first met. */
    public enum Behind {
        REFUSE,
        RAISE
    }

    /**
     * The largest difference that is made up for without an operator: above it the server that is ahead must be wrong.
     */
    long most() {
        return max > MOST / AUTOMATIC ? MOST : max * AUTOMATIC;
    }
}
