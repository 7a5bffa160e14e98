package io.distributedid.internal.counter;

import io.distributedid.spi.Block;

/**
 * Unused ids for a server to take back.
 *
 * @param ids the end of the last block that was drawn from the counter
 * @param generation under which they were drawn
 */
public record Return(Block ids, long generation) {}
