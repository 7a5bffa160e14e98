package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** A counter on one connection: its SQL, and nothing that compares servers. For one thread at a time. */
public interface StoredCounter {

    /** Work in a transaction. It locks what it changes. */
    @FunctionalInterface
    interface Work<T> {

        T run() throws SQLException;
    }

    /** The record beside the counter's table, shared by all counters of the table. */
    RecordStore record();

    /** Identifies the server; empty if it is not known. */
    String identity();

    /** The counter's name as in its row, since a table may ignore case; the configured name if there is no row. */
    String storedName() throws SQLException;

    /** The last id given, 0 or less if there is none. Empty if the counter's row is missing. */
    OptionalLong last() throws SQLException;

    /** How far {@link #last} may fall without a loss: 0 if the counter's row never falls. Call {@code last()} first. */
    default long slack() throws SQLException {
        return 0;
    }

    /** The largest id that its column holds. Call {@code last()} first. */
    default long largest() {
        return Long.MAX_VALUE;
    }

    /**
     * In a transaction: creates the counter, or raises it unless it is as high already. The next ids lie above
     * {@code above}.
     */
    void raise(long above) throws SQLException;

    /**
     * Reserves ids. Changes nothing if the counter has certainly gone back, or its record has changed.
     *
     * @return empty if the counter lies below {@link Draw#lastKnown}, its row is missing, or the generation is not that
     *     of {@link Draw#fence}
     * @throws SQLException if the server failed, or gave ids against the settings of its session
     * @throws io.distributedid.IdsExhaustedException if the column holds no larger ids
     */
    Optional<Block> reserve(Draw draw) throws SQLException;

    /**
     * In a transaction: lowers the counter to the number before {@code rest}, the end of the last block. Returns false
     * if ids were reserved since.
     */
    default boolean giveBack(Block rest) throws SQLException {
        return false;
    }

    /**
     * Works in a transaction in which the record's row can be locked before the counter's. If it fails, nothing is
     * changed.
     */
    <T> T inTransaction(Work<T> work) throws SQLException;
}
