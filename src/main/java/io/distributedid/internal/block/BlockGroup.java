package io.distributedid.internal.block;

import io.distributedid.spi.Block;
import java.util.List;
import java.util.Set;

/** The servers of many {@link GroupedSource}s, which reserve blocks for several of them at once. Thread-safe. */
public interface BlockGroup {

    /** The servers in messages. Groups with the same name share the log of their outages; empty: each has its own. */
    default String label() {
        return "";
    }

    /** How many calls of {@link #reserve} make sense at the same time: the number of servers. */
    int parallel();

    /**
     * Reserves blocks in as few round trips as possible, and answers the requests. A request that it neither answers
     * nor {@linkplain BlockRequest#postpone postpones} is then reserved alone, by its source, which throws what is
     * wrong.
     *
     * @param requests of sources of this group, not empty
     * @throws InterruptedException if the calling thread was interrupted to stop
     */
    void reserve(List<BlockRequest> requests) throws InterruptedException;

    /**
     * The unused end of a block.
     *
     * @param source of the block, of this group
     * @param ids reserved and never handed out
     */
    record Rest(GroupedSource source, Block ids) {}

    /**
     * Gives unused ids back on a clean stop as {@link io.distributedid.spi.BlockSource#giveBack} does, in as few round
     * trips as possible. What a server that fails does not take is a gap.
     *
     * @param rests of one source, later blocks first
     * @return those that were given back
     * @throws InterruptedException if the calling thread was interrupted to stop
     */
    Set<Rest> giveBack(List<Rest> rests) throws InterruptedException;
}
