package io.distributedid.spi;

import java.sql.SQLException;

/** Reserves blocks of one sequence, durably and before it returns. Called by one thread at a time for one sequence. */
@FunctionalInterface
public interface BlockSource {

    /**
     * Reserves ids that were never reserved before. An exception may leave ids reserved that nobody gets; they are a
     * gap.
     *
     * @param wanted how many ids, at least 1; a block of fewer is allowed
     * @return the reserved ids
     * @throws SQLException if the server failed; the caller tries again later
     * @throws InterruptedException if the fetching thread was told to stop
     */
    Block reserve(long wanted) throws SQLException, InterruptedException;

    /**
     * Gives the unused end of a block back on a clean stop, if that is provably safe: nobody can have reserved an id
     * after it. Called after the last {@link #reserve}, for later blocks first.
     *
     * @param rest ids that were reserved and never handed out, up to the end of their block
     * @return whether they were given back; if not they are a gap
     * @throws SQLException if the server failed; the ids are a gap
     * @throws InterruptedException if the thread was told to stop
     */
    default boolean giveBack(Block rest) throws SQLException, InterruptedException {
        return false;
    }

    /**
     * The server that was asked last. Called by the thread that reserves.
     *
     * @return its label; empty if nobody was asked, or the backend does not say
     */
    default String server() {
        return "";
    }
}
