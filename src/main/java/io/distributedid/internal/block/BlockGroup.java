package io.distributedid.internal.block;

import io.distributedid.spi.BlockSource;
import java.sql.SQLException;
import java.util.List;

/** The servers of one source of blocks, or of many, for which they reserve at once. Thread-safe. */
public interface BlockGroup {

    /** The servers in messages. Groups with the same name share the log of their outages; empty: each has its own. */
    default String label() {
        return "";
    }

    /** How many calls of {@link #reserve} make sense at the same time: the number of servers. */
    int parallel();

    /** Whether a request may wait for those of other sources. */
    default boolean isShared() {
        return true;
    }

    /**
     * Reserves blocks in as few round trips as possible. Answers each request, lets it fail, or
     * {@linkplain BlockRequest#postpone postpones} it.
     *
     * @param requests of sources of this group, not empty
     * @throws InterruptedException if the calling thread was interrupted to stop
     */
    void reserve(List<BlockRequest> requests) throws InterruptedException;

    /**
     * The group of one source.
     *
     * @param label see {@link #label}
     */
    record Lone(BlockSource source, @Override String label) implements BlockGroup {

        @Override
        public int parallel() {
            return 1;
        }

        @Override
        public boolean isShared() {
            return false;
        }

        @Override
        public void reserve(List<BlockRequest> requests) throws InterruptedException {
            for (BlockRequest each : requests) {
                try {
                    each.answer(source.reserveAged(each.wanted()));
                } catch (SQLException e) {
                    each.fail(e);
                }
            }
        }
    }
}
