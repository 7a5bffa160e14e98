package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;

/** A source of blocks whose servers serve other sources too: their outages are logged together. */
public interface SharedSource extends BlockSource {

    /** The servers in messages; empty if the outages of this source are logged apart. */
    String serverLabels();
}
