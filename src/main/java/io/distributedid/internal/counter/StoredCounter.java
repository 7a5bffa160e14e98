package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** A counter on one connection: its SQL, and nothing that compares servers. For one thread at a time. */
public interface StoredCounter {

    /**
     * Work in a transaction.
     *
     * @param <T> the result's type
     */
    @FunctionalInterface
    interface Work<T> {

        /**
         * Does it.
         *
         * @return its result
         * @throws SQLException if the server failed
         */
        T run() throws SQLException;
    }

    /**
     * The record beside the counter's table.
     *
     * @return shared by all counters of the table
     */
    RecordTable record();

    /**
     * What tells the counter's table from its replicas and copies, see {@link ServerIdentity}.
     *
     * @return empty if it is not known
     */
    String identity();

    /**
     * Makes sure that a counter which no record here knows is a new one. A name without a schema may mean another table
     * than before.
     *
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the name meant another table, which has the counter
     */
    default void requireNew() throws SQLException {}

    /**
     * The counter's name as its table has it, which may take names for equal that are spelt differently.
     *
     * @return the name in its row; the counter's own if there is none
     * @throws SQLException if the server failed
     */
    String storedName() throws SQLException;

    /**
     * Reads the counter.
     *
     * @return the last id given, 0 or less if there is none; empty if the counter's row is missing
     * @throws SQLException if the server failed
     */
    OptionalLong last() throws SQLException;

    /**
     * How much lower than it was {@link #last} may be without anything having been lost. To be called after
     * {@link #last}.
     *
     * @return 0 if the counter's row never falls
     * @throws SQLException if the server failed
     */
    default long slack() throws SQLException {
        return 0;
    }

    /**
     * Creates or raises the counter, unless it is as high already. In a transaction.
     *
     * @param above the next ids lie above it
     * @throws SQLException if the server failed
     */
    void raise(long above) throws SQLException;

    /**
     * Reserves ids, unless the counter has certainly gone back or its record has changed: then it is left as it is.
     *
     * @param draw how
     * @return the ids; empty if the counter lies below {@link Draw#lastHere}, its row is missing, or the fence is
     *     another
     * @throws SQLException if the server failed, or did not do as told
     * @throws io.distributedid.IdsExhaustedException if the column holds no larger ids
     */
    Optional<Block> reserve(Draw draw) throws SQLException;

    /**
     * Lowers the counter to the number before a block, if nobody has reserved any since. In a transaction.
     *
     * @param rest the end of the last block
     * @return whether it was lowered
     * @throws SQLException if the server failed
     */
    default boolean giveBack(Block rest) throws SQLException {
        return false;
    }

    /**
     * Works in a transaction in which the record's row can be locked before the counter's.
     *
     * @param <T> the result's type
     * @param work that locks what it changes
     * @return its result
     * @throws SQLException if the server failed; nothing is changed then
     */
    <T> T inTransaction(Work<T> work) throws SQLException;
}
