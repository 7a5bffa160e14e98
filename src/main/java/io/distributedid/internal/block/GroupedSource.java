package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;

/** A source of blocks whose servers reserve for several sources at once. */
public interface GroupedSource extends BlockSource {

    /** The same object for all sources of the group. */
    BlockGroup group();
}
