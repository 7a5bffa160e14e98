package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;

/** Blocks of servers that have names. */
public interface ServedBlocks extends BlockSource {

    /**
     * Who was asked last. Called by the thread that reserves.
     *
     * @return its label; empty if nobody was
     */
    String server();
}
