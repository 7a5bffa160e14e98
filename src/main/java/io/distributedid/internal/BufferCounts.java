package io.distributedid.internal;

import io.distributedid.SequenceStatistics;

/** What a buffer has done. Guarded by its lock. */
final class BufferCounts {

    long reserved;

    long dropped;

    long overdue;

    long fetches;

    long failedFetches;

    long waits;

    SequenceStatistics toStatistics(long available) {
        return new SequenceStatistics(reserved, available, dropped, overdue, fetches, failedFetches, waits);
    }
}
