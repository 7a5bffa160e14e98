package io.distributedid.internal.block;

import io.distributedid.BlockStatistics;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a buffer has done. Guarded by its lock. */
final class BufferCounts {

    long reserved;

    long dropped;

    long overdue;

    long fetched;

    long failedFetches;

    long fetchNanos;

    BlockStatistics toStatistics(long reserve, @Nullable String failure) {
        return new BlockStatistics(
                reserved,
                reserve,
                dropped,
                overdue,
                fetched,
                failedFetches,
                Duration.ofNanos(fetchNanos),
                Optional.ofNullable(failure));
    }
}
