package io.distributedid.backend.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.http.HttpFailures;

/** What a failed request means to the callers of a server. */
final class Failures {

    private Failures() {}

    /**
     * The failure of a server as its callers know it: a {@link RemoteException}, or an exception of this library.
     *
     * @param host of the server
     */
    static Exception of(Throwable failure, String host) {
        Throwable inner = HttpFailures.unwrapped(failure);
        if (inner instanceof RemoteException known) {
            return known;
        }
        if (inner instanceof DistributedIdException known) {
            return known;
        }
        return new UnreachableException(HttpFailures.text(inner, host, RemoteSettings.SERVICE), inner);
    }
}
