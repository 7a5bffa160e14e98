package io.distributedid.internal.block;

import io.distributedid.internal.process.Platform;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;

/** Makes buffers of sources that are alone in their groups. */
final class LoneBuffer {

    private LoneBuffer() {}

    static BlockBuffer of(
            Sequence sequence, BlockSource source, BlockPolicy policy, Scheduler scheduler, Platform platform) {
        return new BlockBuffer(
                sequence,
                source,
                policy,
                scheduler,
                new BlockQueue(new BlockGroup.Lone(source, ""), scheduler, platform),
                FetchHistory.outages(platform::nanoTime),
                platform,
                opened -> {});
    }
}
