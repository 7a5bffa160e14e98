package io.distributedid;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a sequence has done in this process since it was opened. Figures are those of one moment, as far as they come
 * from one place; no server is asked for them. Counts never go down.
 *
 * @param issued ids handed out. Snowflake ids that are being handed out at this moment may be missing, 64 for each
 *     thread at the most; sequences that share a counter ({@link DistributedIdSettings#SNOWFLAKE_COUNTER}) are counted
 *     together
 * @param waits calls that had to wait, for a block, the clock or a window; also those that then failed
 * @param waitTime how long those took that are over
 * @param blocks of sequences whose ids are reserved in blocks
 * @param worker of sequences whose ids are composed in this process
 * @param servers those that ids come from, in the order of the setting
 * @param refusal why the next call would fail, if it is neither the blocks' fault nor the worker's
 */
public record SequenceStatistics(
        long issued,
        long waits,
        Duration waitTime,
        Optional<BlockStatistics> blocks,
        Optional<WorkerStatistics> worker,
        List<ServerStatistics> servers,
        Optional<String> refusal) {

    /** Nothing is known. */
    public static final SequenceStatistics NONE = new SequenceStatistics(
            0, 0, Duration.ZERO, Optional.empty(), Optional.empty(), List.of(), Optional.empty());

    /** Keeps a copy of the list. */
    public SequenceStatistics {
        servers = List.copyOf(servers);
    }

    /**
     * The same of other servers.
     *
     * @param others those that ids come from
     * @return all else as it is
     */
    public SequenceStatistics withServers(List<ServerStatistics> others) {
        return new SequenceStatistics(issued, waits, waitTime, blocks, worker, others, refusal);
    }

    /**
     * How far the servers have drifted apart, as far as this process knows; {@link DistributedIds#counters} asks them.
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
