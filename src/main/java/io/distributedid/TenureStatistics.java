package io.distributedid;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether this process gives the ids of a sequence in strict order, or stands by while another process does.
 *
 * @param isActive whether this process owned the lease at its last look
 * @param active the active process, as it names itself; empty if there is none
 * @param left how long this process may give ids without another answer of the store, negative if the lease is over;
 *     empty if it is standby
 * @param takeovers how often this process became active
 * @param failure why the lease can't be read, taken or renewed; empty if it can
 */
public record TenureStatistics(
        boolean isActive, Optional<String> active, Optional<Duration> left, long takeovers, Optional<String> failure) {}
