package io.distributedid;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Statistics of a sequence in this process since it was opened. They are read from memory; no server is asked. The
 * figures of one component (blocks, worker, a server) are of the same moment. Counts never go down. Immutable.
 *
 * @param issued ids handed out. May miss Snowflake ids that are being handed out at this moment, at most 64 for each
 *     thread
 * @param waits calls that waited for a block, the clock or a window, including those that then failed
 * @param waitTime total time of the waits that have ended
 * @param blocks present if ids are reserved in blocks
 * @param worker present if ids are composed in this process
 * @param servers of the sequence, in the order of the setting
 * @param refusal why the next call would fail, if the reason is neither the blocks nor the worker
 * @param capacity how much is left until the sequence runs out; empty if it is not known
 * @param tenure present if one process at a time gives the ids ({@code distributedid.snowflake.worker})
 */
public record SequenceStatistics(
        long issued,
        long waits,
        Duration waitTime,
        Optional<BlockStatistics> blocks,
        Optional<WorkerStatistics> worker,
        List<ServerStatistics> servers,
        Optional<String> refusal,
        Optional<CapacityStatistics> capacity,
        Optional<TenureStatistics> tenure) {

    /** Without any figures. */
    public static final SequenceStatistics NONE = new SequenceStatistics(
            0,
            0,
            Duration.ZERO,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Keeps a copy of the list. */
    public SequenceStatistics {
        servers = List.copyOf(servers);
    }

    /**
     * Replaces the number of issued ids.
     *
     * @param number how many
     * @return a copy with this number
     */
    public SequenceStatistics withIssued(long number) {
        return new SequenceStatistics(number, waits, waitTime, blocks, worker, servers, refusal, capacity, tenure);
    }

    /**
     * Replaces the servers.
     *
     * @param others the new servers
     * @return a copy with these servers
     */
    public SequenceStatistics withServers(List<ServerStatistics> others) {
        return new SequenceStatistics(issued, waits, waitTime, blocks, worker, others, refusal, capacity, tenure);
    }

    /**
     * Replaces the capacity.
     *
     * @param other the new capacity
     * @return a copy with this capacity
     */
    public SequenceStatistics withCapacity(Optional<CapacityStatistics> other) {
        return new SequenceStatistics(issued, waits, waitTime, blocks, worker, servers, refusal, other, tenure);
    }

    /**
     * Returns how far the servers have drifted apart, as far as this process knows. {@link IdAdmin#counters} asks the
     * servers.
     *
     * @return the highest of the last known counters minus the lowest; empty if fewer than two are known
     */
    public OptionalLong distance() {
        long[] known = servers.stream()
                .flatMapToLong(server -> server.counter().stream())
                .sorted()
                .toArray();
        return known.length < 2 ? OptionalLong.empty() : OptionalLong.of(known[known.length - 1] - known[0]);
    }
}
