package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Lets a PostgreSQL server end a statement whose client is gone. By default, the server looks for its client only when
 * it has an answer. So a statement that waits for a lock would wait on after its client has given up and closed the
 * connection, and each retry would add one more. One statement on each new connection, from PostgreSQL 14 on:
 *
 * <pre>
 * SELECT set_config(name, '1000', false) FROM pg_settings
 *     WHERE name = 'client_connection_check_interval' AND setting = '0';
 * </pre>
 *
 * <p>An interval that is set already stays. MySQL, MariaDB and H2 limit each wait for a lock themselves.
 *
 * <p>A {@code lock_timeout} would stay in a session that a pooler such as PgBouncer lends to others, and end their
 * waits too. The interval ends nothing that still has a client.
 */
public final class ClientWatch {

    private static final Logger LOG = System.getLogger(ClientWatch.class.getName());

    private static final String INTERVAL = "client_connection_check_interval";

    /** How long an abandoned statement may go on, in milliseconds. */
    private static final int MILLIS = 1_000;

    private final boolean isSet;

    private ClientWatch(boolean isSet) {
        this.isSet = isSet;
    }

    /** Sets the interval for the session, if it has none. Needs autocommit mode. */
    public static ClientWatch start(Connection connection, DatabaseProduct product) throws SQLException {
        return new ClientWatch(product == DatabaseProduct.POSTGRESQL && set(connection));
    }

    private static boolean set(Connection connection) throws SQLException {
        try {
            return change(connection, MILLIS, 0);
        } catch (SQLException e) {
            if (!SqlErrors.isInvalidSetting(e)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "The server's operating system does not tell it that a client is gone", e);
            return false;
        }
    }

    /** Undoes the change to the session. */
    public void restore(Connection connection) throws SQLException {
        if (isSet) {
            change(connection, 0, MILLIS);
        }
    }

    /** Returns whether the session had the other value. */
    private static boolean change(Connection connection, int to, int from) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT set_config(name, '" + to
                        + "', false) FROM pg_settings WHERE name = '" + INTERVAL + "' AND setting = '" + from + "'")) {
            return row.next();
        }
    }
}
