package io.distributedid.internal.jdbc;

import java.sql.SQLException;
import java.time.Duration;

/**
 * A connection to a server of ids, of whatever kind: to a database, or to another store. {@link DedicatedConnection}
 * keeps it. For one thread at a time, apart from {@link #abort}. A failure of the server is an {@link SQLException}
 * here, also if it is no database.
 *
 * @param <S> what the caller keeps for each connection
 */
public interface Link<S> {

    /** Opens links to one server. Thread-safe. */
    interface Source<S> {

        /** The name of the server in messages, without user and password. */
        String label();

        /** Connects within a time, which also bounds each answer of the server. */
        Link<S> connect(Duration atMost) throws SQLException;
    }

    /**
     * Checks the server, and opens the session. Called once, before all other methods but {@link #abort} and
     * {@link #release}.
     *
     * @param atMost bounds each answer of the server from now on
     */
    S open(Duration atMost) throws SQLException;

    /** Whether the server still answers, within a time. */
    boolean isValid(Duration atMost) throws SQLException;

    /** Bounds each answer of the server from now on. */
    void limit(Duration atMost);

    /** Undoes what was changed on the connection, before it is released. */
    void restore(S session) throws SQLException;

    /** Cuts the connection, and so ends a call of another thread. Sends nothing. */
    void abort() throws SQLException;

    /** Gives the connection back or closes it. */
    void release() throws SQLException;
}
