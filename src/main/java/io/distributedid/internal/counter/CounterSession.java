package io.distributedid.internal.counter;

import io.distributedid.internal.Database;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A connection to a server of counters: the SQL, and nothing that compares servers. For one thread at a time.
 *
 * @param <C> names a counter; its text goes into messages
 */
public interface CounterSession<C> extends Database.Session {

    /**
     * The server's part of the numbers.
     *
     * @return the same for as long as the connection lives
     */
    Numbering numbering();

    /**
     * Checks, once on this connection, that the counter is there and counts as we do, and creates it if it may.
     *
     * @param counter to be used
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the counter must not be used
     */
    void open(C counter) throws SQLException;

    /**
     * Reads a counter that was opened.
     *
     * @param counter opened on this connection
     * @return the last id given; 0 or less if there is none
     * @throws SQLException if the server failed
     */
    long last(C counter) throws SQLException;

    /**
     * Raises a counter, unless it is as high already.
     *
     * @param counter opened on this connection
     * @param above the next ids lie above it
     * @throws SQLException if the server failed
     */
    void raise(C counter, long above) throws SQLException;

    /**
     * Reserves ids, unless the counter has certainly gone back: then it is left as it is, so that whoever had higher ids notices
     * too.
     *
     * @param counter opened on this connection
     * @param wanted how many; fewer are allowed
     * @param own the last id that this process reserved there, 0 if none
     * @return the ids; empty if the counter lies below {@code own}
     * @throws SQLException if the server failed, or did not do as told
     */
    Optional<Block> reserve(C counter, long wanted, long own) throws SQLException;

    /**
     * Gives the end of a block back, if nobody has reserved any since.
     *
     * @param counter opened on this connection
     * @param rest the end of the last block
     * @return whether it was given back
     * @throws SQLException if the server failed
     */
    default boolean giveBack(C counter, Block rest) throws SQLException {
        return false;
    }

    /**
     * How an operator raises a counter.
     *
     * @param counter any
     * @param id what to raise it to, as in SQL
     * @return a statement
     */
    String raiseSql(C counter, String id);
}
