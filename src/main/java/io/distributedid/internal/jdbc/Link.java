package io.distributedid.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;

/**
 * A connection to a server, of whatever kind: to a database, or to another store. {@link DedicatedConnection} keeps it.
 * For one thread at a time, apart from {@link #abort}. A failure of the server is an {@link SQLException} here, also if
 * it is no database.
 *
 * @param <S> what the caller keeps for each connection
 */
public interface Link<S> extends AutoCloseable {

    /** Opens links to one server. Thread-safe. */
    interface Source<S> {

        /** The name of the server in messages, without user and password. */
        String label();

        /** Connects within a time, which also bounds each answer of the server. */
        Link<S> connect(Duration atMost) throws SQLException;
    }

    /** Checks the server, and opens the session. Called at most once. */
    S open() throws SQLException;

    /** Whether the server still answers, within a time. */
    default boolean isValid(Duration atMost) throws SQLException {
        return true;
    }

    /** Bounds each answer of the server from now on. */
    default void limit(Duration atMost) {}

    /** Cuts the connection, and so ends a call of another thread. Sends nothing. */
    void abort();

    /** Undoes what was changed on the connection, unless it was cut, and gives it back or closes it. */
    @Override
    default void close() {
        abort();
    }
}
