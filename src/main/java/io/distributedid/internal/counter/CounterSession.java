package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.Database;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A connection to a server of counters: the SQL, and nothing that compares servers. For one thread at a time.
 *
 * @param <C> names a counter
 */
public interface CounterSession<C extends CounterKey> extends Database.Session {

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
     * The server's part of the numbers.
     *
     * @return the same for as long as the connection lives
     */
    Numbering numbering();

    /**
     * What tells the counter's table from its replicas and copies, see {@link ServerIdentity}.
     *
     * @param counter opened on this connection
     * @return empty if it is not known
     * @throws SQLException if the server failed
     */
    String identity(C counter) throws SQLException;

    /**
     * Checks, once on this connection, that the counter's table is there and counts as we do.
     *
     * @param counter to be used
     * @return the record beside the table
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the table must not be used
     */
    RecordTable open(C counter) throws SQLException;

    /**
     * As {@link #open}, but never creates a table.
     *
     * @param counter to be looked at
     * @return the record beside the table
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the table is missing, or must not be used
     */
    RecordTable openToRead(C counter) throws SQLException;

    /**
     * Makes sure that a counter which no record here knows is a new one. A name without a schema may mean another table than before.
     *
     * @param counter opened on this connection
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the name meant another table, which has the counter
     */
    default void requireNew(C counter) throws SQLException {}

    /**
     * Whether ids would not be unique without the record.
     *
     * @return whether its table must be there
     */
    default boolean needsRecord() {
        return false;
    }

    /**
     * The counter's name as its table has it, which may take names for equal that are spelt differently.
     *
     * @param counter opened on this connection
     * @return the name in its row; the counter's own if there is none
     * @throws SQLException if the server failed
     */
    default String storedName(C counter) throws SQLException {
        return counter.rowName();
    }

    /**
     * Reads a counter.
     *
     * @param counter opened on this connection
     * @return the last id given, 0 or less if there is none; empty if the counter's row is missing
     * @throws SQLException if the server failed
     */
    OptionalLong last(C counter) throws SQLException;

    /**
     * How much lower than it was {@link #last} may be without anything having been lost.
     *
     * @param counter that was read with {@link #last}
     * @return 0 if the counter's row never falls
     * @throws SQLException if the server failed
     */
    default long slack(C counter) throws SQLException {
        return 0;
    }

    /**
     * Whether a {@link Draw#note} takes no round trip of its own.
     *
     * @return whether to write down how far this server has come even if there are no others
     */
    default boolean notesAreFree() {
        return false;
    }

    /**
     * Creates or raises a counter, unless it is as high already. In a transaction.
     *
     * @param counter opened on this connection
     * @param above the next ids lie above it
     * @throws SQLException if the server failed
     */
    void raise(C counter, long above) throws SQLException;

    /**
     * Reserves ids, unless the counter has certainly gone back or its record has changed: then it is left as it is.
     *
     * @param counter opened on this connection
     * @param draw how
     * @return the ids; empty if the counter lies below {@link Draw#own}, its row is missing, or the fence is another
     * @throws SQLException if the server failed, or did not do as told
     */
    Optional<Block> reserve(C counter, Draw draw) throws SQLException;

    /**
     * Lowers a counter to the number before a block, if nobody has reserved any since. In a transaction.
     *
     * @param counter opened on this connection
     * @param rest the end of the last block
     * @return whether it was lowered
     * @throws SQLException if the server failed
     */
    default boolean giveBack(C counter, Block rest) throws SQLException {
        return false;
    }

    /**
     * Works in a transaction in which the record's row can be locked before the counter's.
     *
     * @param <T> the result's type
     * @param counter opened on this connection
     * @param work that locks what it changes
     * @return its result
     * @throws SQLException if the server failed; nothing is changed then
     */
    default <T> T inTransaction(C counter, Work<T> work) throws SQLException {
        return Transactions.run(connection(), work);
    }

    /**
     * The connection, for the record.
     *
     * @return open, in autocommit mode
     */
    Connection connection();
}
