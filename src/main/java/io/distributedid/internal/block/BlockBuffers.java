package io.distributedid.internal.block;

import io.distributedid.SequenceListener;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes buffers. Those whose sources have one group share a {@link BlockQueue}. Thread-safe. */
public final class BlockBuffers {

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
        BlockGroup group = source instanceof GroupedSource grouped ? grouped.group() : new BlockGroup.Lone(source, "");
        BlockQueue queue = group.isShared() ? queues.computeIfAbsent(group, this::queue) : queue(group);
        BlockPolicy policy = BlockPolicy.of(sequence.settings());
        String servers = group.label().isEmpty() ? "seq=" + sequence.name() : "servers=" + group.label();
        OutageLog log = outages.computeIfAbsent(servers, each -> FetchHistory.outages(platform::nanoTime));
        return new BlockBuffer(sequence, source, policy, scheduler, queue, log, platform, listener);
    }

    private BlockQueue queue(BlockGroup group) {
        return new BlockQueue(group, scheduler, platform);
    }

    /** Ends buffers together, as {@link BlockBuffer#close} ends one. */
    public static void close(List<BlockBuffer> buffers) {
        buffers.forEach(BlockBuffer::stop);
        buffers.forEach(BlockBuffer::close);
    }
}
