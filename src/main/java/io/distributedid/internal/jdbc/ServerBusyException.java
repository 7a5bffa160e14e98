package io.distributedid.internal.jdbc;

import java.sql.SQLTimeoutException;
import java.time.Duration;

/** A server is at work on another call for so long that it may hang: no reason to leave it out, but to ask another. */
public final class ServerBusyException extends SQLTimeoutException {

    private static final long serialVersionUID = 1;

    public ServerBusyException(String label, Duration since) {
        super("Another call has not been answered for " + since.toMillis() + " ms: " + label);
    }

    public ServerBusyException(String label) {
        super("Another call is under way: " + label);
    }
}
