package io.distributedid.internal;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Block;
import java.util.HashMap;
import java.util.Map;

/**
 * Notices a counter that went back: a truncated table, a restored backup, a deleted row. It is then refused for as long as the
 * process lives, even once it has come past the ids of this process again: other processes may have had higher ones.
 *
 * <p>Servers are told apart by the remainder of their ids. For one sequence, and one thread at a time.
 */
public final class HighestIds {

    private final Map<Long, Long> lastByRemainder = new HashMap<>();

    private final Map<Long, String> wentBack = new HashMap<>();

    /** Knows of no ids. */
    public HighestIds() {}

    /**
     * Requires that a block lies above all earlier ones of the same server.
     *
     * @param block just reserved
     * @param where names the counter
     * @param remedy how to raise it
     * @return the block
     * @throws IdConfigurationException if it does not
     */
    public Block requireAbove(Block block, String where, String remedy) {
        long remainder = Math.floorMod(block.first(), block.step());
        long before = lastByRemainder.getOrDefault(remainder, 0L);
        if (block.first() <= before) {
            wentBack.putIfAbsent(
                    remainder,
                    "A counter went back and may give ids again: " + where + " id=" + block.first() + ", but it gave "
                            + before + " before. Raise it above every id in use and restart: " + remedy);
        }
        String refusal = wentBack.get(remainder);
        if (refusal != null) {
            throw new IdConfigurationException(refusal);
        }
        lastByRemainder.put(remainder, block.last());
        return block;
    }
}
