package io.distributedid.internal.jdbc;

import io.distributedid.spi.ConnectionAccess;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;

/**
 * A server that a setting names. If no connection is available, the error names the settings to check. It never holds a
 * password.
 *
 * @param servers the name of the setting
 * @param credentials what holds user and password
 */
record ConfiguredServer(
        String label, DedicatedConnection.Work<Duration, Connection> opener, String servers, String credentials)
        implements ConnectionAccess {

    /** Keeps the SQLState and the code of its cause. */
    private static final class ConnectFailedException extends SQLException {

        private static final long serialVersionUID = 1;

        ConnectFailedException(String message, SQLException cause) {
            super(message, cause.getSQLState(), cause.getErrorCode(), cause);
        }
    }

    @Override
    public Connection obtain() throws SQLException {
        return obtain(JdbcUrl.TIMEOUT);
    }

    /** Callers tell a timeout from other failures by its type. */
    @Override
    public Connection obtain(Duration timeout) throws SQLException {
        try {
            return opener.in(timeout);
        } catch (SQLTimeoutException e) {
            throw e;
        } catch (SQLException e) {
            String advice = advice(e);
            throw advice.isEmpty() ? e : new ConnectFailedException(FailureText.of(e) + ". " + advice, e);
        }
    }

    private String advice(SQLException e) {
        if (SqlErrors.isCausedBy(e, UnknownHostException.class)) {
            return "Check the host in " + servers;
        }
        if (SqlErrors.isCausedBy(e, ConnectException.class)) {
            return "Check that the server runs, and its host and port in " + servers;
        }
        if (SqlErrors.isWrongPassword(e)) {
            return "Check " + credentials;
        }
        return SqlErrors.isWrongDatabase(e) ? "Check the database in " + servers + ", and the rights of its user" : "";
    }

    @Override
    public String toString() {
        return label;
    }
}
