package io.distributedid.internal.block;

import java.util.List;

/** The servers of many {@link GroupedSource}s, which reserve blocks for several of them at once. Thread-safe. */
public interface BlockGroup {

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
}
