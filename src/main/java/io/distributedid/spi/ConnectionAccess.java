package io.distributedid.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Lends JDBC connections, new ones or those of a pool. Each database from which ids are taken keeps one for as long as
 * it lives. Used by any number of threads at once; all are the library's own and in no transaction of the application.
 */
public interface ConnectionAccess {

    /**
     * Lends a connection.
     *
     * @return an open connection that nobody else uses
     * @throws SQLException if none is available
     */
    Connection obtain() throws SQLException;

    /**
     * Lends a connection to a caller that waits no longer than a timeout.
     *
     * @param timeout for connecting and for each answer meanwhile, if this opens the connection; a pool has its own
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
     * @throws SQLException as closing may
     */
    default void release(Connection connection) throws SQLException {
        connection.close();
    }

    /**
     * Where tables without a schema of their own lie.
     *
     * @return a schema or catalog as in SQL; empty for that of the connection
     */
    default Optional<String> namespace() {
        return Optional.empty();
    }

    /**
     * Names the database in messages.
     *
     * @return without user and password
     */
    String label();
}
