package io.distributedid.internal.jdbc;

import java.sql.SQLTimeoutException;
import java.time.Duration;

/** Another call to the server takes so long that the server may hang. Callers ask another server, but keep this one. */
public final class ServerBusyException extends SQLTimeoutException {

    private static final long serialVersionUID = 1;

    public ServerBusyException(String label, Duration since) {
        super("Another call has not been answered for " + since.toMillis() + " ms: " + label);
    }

    public ServerBusyException(String label) {
        super("Another call is under way: " + label);
    }
}
