package io.distributedid.internal.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;

/** Sets the network timeout of a connection, so that a server that hangs does not block a thread for ever. */
public final class AnswerLimit {

    private static final Logger LOG = System.getLogger(AnswerLimit.class.getName());

    private AnswerLimit() {}

    /** Returns the previous timeout in milliseconds; empty if the driver does not support network timeouts. */
    public static OptionalInt set(Connection connection, Duration limit, String label) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
            return OptionalInt.of(before);
        } catch (SQLException e) {
            // Not only SQLFeatureNotSupportedException: Narayana's driver throws another SQLException.
            LOG.log(Level.DEBUG, "The driver does not support setNetworkTimeout: " + label, e);
            return OptionalInt.empty();
        }
    }

    /** Restores the timeout that {@link #set} returned. */
    public static void restore(Connection connection, OptionalInt before) throws SQLException {
        if (before.isPresent()) {
            connection.setNetworkTimeout(Runnable::run, before.getAsInt());
        }
    }
}
