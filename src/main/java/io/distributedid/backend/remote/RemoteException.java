package io.distributedid.backend.remote;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A server gave no ids: it does not answer, can't issue ids now, or answered what no issuing service answers. A later
 * request may succeed. An {@link SQLException}, because that is the failure of a server for everything above.
 */
class RemoteException extends SQLException {

    private static final long serialVersionUID = 1;

    /** @param message complete in itself, without the server's label */
    RemoteException(String message) {
        super(message);
    }

    /**
     * @param message complete in itself, without the server's label
     * @param cause the exception of the connection
     */
    RemoteException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
