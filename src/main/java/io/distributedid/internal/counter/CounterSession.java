package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection to a server of counters. For one thread at a time.
 *
 * @param <C> names a counter
 */
public interface CounterSession<C extends CounterKey> extends DedicatedConnection.Session {

    /**
     * The server's part of the numbers.
     *
     * @return the same for as long as the connection lives
     */
    Numbering numbering();

    /**
     * Checks, once on this connection, that the counter's table is there and counts as we do.
     *
     * @param counter to be used
     * @return the same at each call
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the table must not be used
     */
    StoredCounter open(C counter) throws SQLException;

    /**
     * As {@link #open}, but never creates a table.
     *
     * @param counter to be looked at
     * @return the same at each call
     * @throws SQLException if the server failed
     * @throws io.distributedid.IdConfigurationException if the table is missing, or must not be used
     */
    StoredCounter openToRead(C counter) throws SQLException;

    /**
     * Whether ids would not be unique without the record.
     *
     * @return whether its table must be there
     */
    default boolean needsRecord() {
        return false;
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
     * The connection, for questions about the server.
     *
     * @return open, in autocommit mode
     */
    Connection connection();
}
