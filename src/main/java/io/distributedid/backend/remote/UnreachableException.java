package io.distributedid.backend.remote;

import org.jspecify.annotations.Nullable;

/** A server can't be reached, for any sequence: no connection, no answer in time, or the answer of a proxy. */
final class UnreachableException extends RemoteException {

    private static final long serialVersionUID = 1;

    /**
     * @param message complete in itself, without the server's label
     * @param cause the exception of the connection; null if another one answered
     */
    UnreachableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
