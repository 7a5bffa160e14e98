package io.distributedid.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Lends JDBC connections, new or from a pool. The library keeps one connection to each database that gives ids.
 * Thread-safe. Called on threads of the library, outside any transaction of the application.
 */
public interface ConnectionAccess {

    /**
     * Lends a connection.
     *
     * @return open, and used by no other thread
     * @throws SQLException if none is available
     */
    Connection obtain() throws SQLException;

    /**
     * Lends a connection within a timeout.
     *
     * @param timeout for connecting and for each answer meanwhile, if the call opens a connection; a pool has its own
     * @return as {@link #obtain()}
     * @throws SQLException if none is available
     */
    default Connection obtain(Duration timeout) throws SQLException {
        return obtain();
    }

    /**
     * Takes a lent connection back.
     *
     * @param connection from {@link #obtain()}
     * @throws SQLException if closing it fails
     */
    default void release(Connection connection) throws SQLException {
        connection.close();
    }

    /**
     * Returns the namespace of tables whose name has no schema.
     *
     * @return a schema or catalog as in SQL; empty for that of the connection
     */
    default Optional<String> namespace() {
        return Optional.empty();
    }

    /**
     * Returns the name of the database in messages.
     *
     * @return without user and password
     */
    String label();
}
