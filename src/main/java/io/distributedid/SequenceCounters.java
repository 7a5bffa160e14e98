package io.distributedid;

import java.util.Map;

/**
 * The counters of a sequence, read from the servers at about the same time. Immutable.
 *
 * @param lastIds the last id that each server has reserved, 0 if none, by the server's address. Empty if ids come from
 *     no counter
 */
public record SequenceCounters(Map<String, Long> lastIds) {

    /** Keeps a copy of the map. */
    public SequenceCounters {
        lastIds = Map.copyOf(lastIds);
    }

    /**
     * Returns how far the servers have drifted apart.
     *
     * @return the largest of the last ids minus the smallest; 0 if there are fewer than two
     */
    public long distance() {
        return lastIds.values().stream().mapToLong(Long::longValue).max().orElse(0)
                - lastIds.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }
}
