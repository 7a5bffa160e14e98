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

    /** The server's part of the numbers. It never changes on one connection. */
    Numbering numbering();

    /**
     * Checks, once on this connection, that the counter's table is there and fits the settings of this client.
     *
     * @throws io.distributedid.IdConfigurationException if the table must not be used
     */
    StoredCounter open(C counter) throws SQLException;

    /**
     * As {@link #open}, but never creates a table.
     *
     * @throws io.distributedid.IdConfigurationException if the table is missing, or must not be used
     */
    StoredCounter openToRead(C counter) throws SQLException;

    /** Whether ids would not be unique without the table of the record. */
    default boolean needsRecord() {
        return false;
    }

    /** Whether a {@link Draw#note} takes no extra round trip. Then a server without others is noted too. */
    default boolean notesAreFree() {
        return false;
    }

    /** The connection, in autocommit mode, for questions about the server. */
    Connection connection();
}
