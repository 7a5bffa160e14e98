package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes buffers. Those whose sources have one group share a {@link BlockQueue}. Thread-safe. */
public final class BlockBuffers {

    private final FetchThreads threads;

    private final Map<BlockGroup, BlockQueue> queues = new ConcurrentHashMap<>();

    public BlockBuffers(FetchThreads threads) {
        this.threads = threads;
    }

    /** A buffer with the {@code block.} settings of its sequence. */
    public BlockBuffer buffer(Sequence sequence, BlockSource source) {
        BlockQueue queue = source instanceof GroupedSource grouped
                ? queues.computeIfAbsent(grouped.group(), group -> new BlockQueue(group, threads, System::nanoTime))
                : null;
        BlockPolicy policy = BlockPolicy.of(sequence.settings());
        return new BlockBuffer(sequence, source, policy, threads, queue, System::nanoTime);
    }
}
