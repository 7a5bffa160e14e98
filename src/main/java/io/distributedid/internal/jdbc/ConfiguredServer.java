package io.distributedid.internal.jdbc;

import io.distributedid.spi.ConnectionAccess;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server that a setting names. If no connection is available, the error names the settings to check. It never holds a
 * password.
 *
 * @param servers the name of the setting
 * @param credentials what holds user and password
 */
record ConfiguredServer(ConnectionAccess access, String servers, String credentials) implements ConnectionAccess {

    @Override
    public Connection obtain() throws SQLException {
        try {
            return access.obtain();
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    @Override
    public Connection obtain(Duration timeout) throws SQLException {
        try {
            return access.obtain(timeout);
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    /** Callers tell a timeout from other failures by its type. */
    private SQLException explained(SQLException e) {
        String advice = advice(e);
        return advice.isEmpty() || e instanceof SQLTimeoutException
                ? e
                : new ConnectFailedException(FailureText.of(e) + ". " + advice, e);
    }

    private String advice(SQLException e) {
        if (isCausedBy(e, UnknownHostException.class)) {
            return "Check the host in " + servers;
        }
        if (isCausedBy(e, ConnectException.class)) {
            return "Check that the server runs, and its host and port in " + servers;
        }
        if (SqlErrors.isWrongPassword(e)) {
            return "Check " + credentials;
        }
        return SqlErrors.isWrongDatabase(e) ? "Check the database in " + servers + ", and the rights of its user" : "";
    }

    private static boolean isCausedBy(SQLException e, Class<? extends Exception> type) {
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(type::isInstance);
    }

    @Override
    public void release(Connection connection) throws SQLException {
        access.release(connection);
    }

    @Override
    public Optional<String> namespace() {
        return access.namespace();
    }

    @Override
    public String label() {
        return access.label();
    }

    @Override
    public String toString() {
        return access.toString();
    }
}
