package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.FailureText;
import java.sql.SQLException;

/** The failure of a server, with its name in the message. */
final class RowException extends SQLException {

    private static final long serialVersionUID = 1L;

    RowException(String message, SQLException cause) {
        super(message, cause.getSQLState(), cause.getErrorCode(), cause);
    }

    static RowException of(String server, SQLException cause) {
        return new RowException(server + " said: " + FailureText.of(cause), cause);
    }
}
