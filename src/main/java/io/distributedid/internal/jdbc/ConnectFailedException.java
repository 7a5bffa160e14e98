package io.distributedid.internal.jdbc;

import java.sql.SQLException;

/** No connection to a server that a setting names. Its message says why and what to check. */
final class ConnectFailedException extends SQLException {

    private static final long serialVersionUID = 1;

    /** Keeps the SQLState and the code of {@code cause}. */
    ConnectFailedException(String message, SQLException cause) {
        super(message, cause.getSQLState(), cause.getErrorCode(), cause);
    }
}
