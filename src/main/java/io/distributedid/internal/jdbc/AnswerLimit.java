package io.distributedid.internal.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;

/** How long a connection waits for an answer: a server that hangs must not hold a thread for ever. */
public final class AnswerLimit {

    private static final Logger LOG = System.getLogger(AnswerLimit.class.getName());

    private AnswerLimit() {}

    /** Returns the limit before, in milliseconds; empty if the driver knows none. */
    public static OptionalInt set(Connection connection, Duration limit, String label) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
            return OptionalInt.of(before);
        } catch (SQLException e) {
            // Narayana's driver does not say that it is the feature which is missing.
            LOG.log(Level.DEBUG, "This driver bounds no answer: " + label, e);
            return OptionalInt.empty();
        }
    }

    /** Sets what {@link #set} has returned. */
    public static void restore(Connection connection, OptionalInt before) throws SQLException {
        if (before.isPresent()) {
            connection.setNetworkTimeout(Runnable::run, before.getAsInt());
        }
    }
}
