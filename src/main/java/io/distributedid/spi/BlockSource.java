package io.distributedid.spi;

import java.sql.SQLException;
import java.time.Duration;

/**
 * Reserves blocks of one sequence. A reservation is durable before the call returns. Called by one thread at a time for
 * one sequence.
 */
@FunctionalInterface
public interface BlockSource {

    /**
     * Reserves ids that were never reserved before. After an exception, ids may be reserved and never used: a gap.
     *
     * @param wanted how many ids, at least 1; the block may have fewer
     * @return the reserved ids
     * @throws SQLException if the server failed; the caller retries later
     * @throws InterruptedException if the calling thread was interrupted to stop
     */
    Block reserve(long wanted) throws SQLException, InterruptedException;

    /**
     * Reserves ids as {@link #reserve} does, and says how old they are. A source that may take ids out of a reserve,
     * such as a service with a buffer of its own, overrides this method.
     *
     * @param wanted how many ids, at least 1; the block may have fewer
     * @return the ids, with their age at the end of this call; zero if the call itself reserved them
     * @throws SQLException if the server failed; the caller retries later
     * @throws InterruptedException if the calling thread was interrupted to stop
     */
    default ReservedBlock reserveAged(long wanted) throws SQLException, InterruptedException {
        return new ReservedBlock(reserve(wanted), Duration.ZERO);
    }

    /**
     * Returns the server that was asked last. Called by the thread that reserves.
     *
     * @return its label; empty if none was asked, or the backend has no labels
     */
    default String server() {
        return "";
    }
}
