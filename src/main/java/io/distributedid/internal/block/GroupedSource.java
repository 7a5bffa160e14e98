package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;

/** A source of blocks that names its servers. */
public interface GroupedSource extends BlockSource {

    /** The same object for all sources whose requests travel together. */
    BlockGroup group();
}
