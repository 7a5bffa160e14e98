package io.distributedid.backend.snowflake.lease;

import java.time.Duration;

/**
 * The settings of the one process at a time that makes ids without a worker number.
 *
 * @param lease how long it makes ids without an answer of the store, in whole milliseconds
 * @param maxClockSkew the largest allowed difference between the local clock and the store's
 * @param callerTimeout how long a caller waits for a renewal that is late
 * @param owner names this process to those that stand by
 */
public record ExclusiveTerms(Duration lease, Duration maxClockSkew, Duration callerTimeout, String owner) {}
