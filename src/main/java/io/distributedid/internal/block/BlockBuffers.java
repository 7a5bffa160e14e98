package io.distributedid.internal.block;

import io.distributedid.SequenceListener;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes buffers. Those whose sources have one group share a {@link BlockQueue}. Thread-safe. */
public final class BlockBuffers {

    private static final Logger LOG = System.getLogger(BlockBuffers.class.getName());

    private final Scheduler scheduler;

    private final SequenceListener listener;

    private final Platform platform;

    private final Map<BlockGroup, BlockQueue> queues = new ConcurrentHashMap<>();

    /** By the servers, or the name of a sequence whose source does not name its servers. */
    private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();

    /** @param listener of waits and fetches */
    public BlockBuffers(Scheduler scheduler, SequenceListener listener, Platform platform) {
        this.scheduler = scheduler;
        this.listener = listener;
        this.platform = platform;
    }

    /** A buffer with the {@code block.} settings of its sequence. */
    public BlockBuffer buffer(Sequence sequence, BlockSource source) {
        BlockQueue queue = source instanceof GroupedSource grouped
                ? queues.computeIfAbsent(grouped.group(), group -> new BlockQueue(group, scheduler, platform))
                : null;
        BlockPolicy policy = BlockPolicy.of(sequence.settings());
        return new BlockBuffer(
                sequence, source, policy, scheduler, queue, outages(sequence, source), platform, listener);
    }

    private OutageLog outages(Sequence sequence, BlockSource source) {
        String servers = source instanceof SharedSource shared ? shared.serverLabels() : "";
        String key = servers.isEmpty() ? "seq=" + sequence.name() : "servers=" + servers;
        return outages.computeIfAbsent(key, each -> FetchHistory.outages(platform::nanoTime));
    }

    /** Ends buffers together, as {@link BlockBuffer#close} ends one. */
    public static void close(List<BlockBuffer> buffers) {
        buffers.forEach(BlockBuffer::beginClose);
        Map<BlockGroup, List<BlockGroup.Rest>> rests = new LinkedHashMap<>();
        for (BlockBuffer buffer : buffers) {
            List<Block> unused = buffer.end();
            if (buffer.source() instanceof GroupedSource source) {
                unused.forEach(ids -> rests.computeIfAbsent(source.group(), group -> new ArrayList<>())
                        .add(new BlockGroup.Rest(source, ids)));
            } else {
                buffer.giveBack(unused);
            }
        }
        rests.forEach(BlockBuffers::giveBack);
    }

    private static void giveBack(BlockGroup group, List<BlockGroup.Rest> rests) {
        try {
            Set<BlockGroup.Rest> given = group.giveBack(rests);
            LOG.log(
                    Level.DEBUG,
                    "Closed with unused ids of {0} blocks; those of {1} were given back, the others are a gap",
                    rests.size(),
                    given.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
