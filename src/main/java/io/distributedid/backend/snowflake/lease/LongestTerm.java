package io.distributedid.backend.snowflake.lease;

/**
 * The longest lease and the largest clock skew of all processes that may be active with a store, in milliseconds.
 *
 * @param lease a process makes ids for so long without an answer of the store
 * @param skew the largest allowed difference between a process's clock and the store's
 */
record LongestTerm(long lease, long skew) {

    /** That of these processes and others. */
    LongestTerm with(LongestTerm others) {
        return new LongestTerm(Math.max(lease, others.lease), Math.max(skew, others.skew));
    }

    LongestTerm withLease(long other) {
        return new LongestTerm(Math.max(lease, other), skew);
    }

    /** How far a bound may be ahead of the store's clock, when it is computed. */
    long ahead() {
        return lease + skew;
    }

    /**
     * After so long the term of any process is over, and the clock of any process is past the bound of that term. The
     * bound was computed by a clock that may be ahead, and the next process may have one that is behind.
     */
    long over() {
        return lease + lease / 10 + 2 * skew;
    }
}
