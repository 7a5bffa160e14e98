package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Bounds the run time of each query, and restores the session. The server ends the query.
 * {@link Statement#setQueryTimeout} is no alternative: MySQL's driver opens a second connection for the KILL, which a
 * proxy may route to another server.
 *
 * <pre>
 * SET SESSION max_execution_time = 2000          -- MySQL; milliseconds
 * SET SESSION max_statement_time = 2             -- MariaDB; seconds
 * SET LOCAL statement_timeout = 2000             -- PostgreSQL; in a transaction, since PgBouncer shares sessions
 * SET QUERY_TIMEOUT = 2000                       -- H2; milliseconds
 * </pre>
 *
 * If the server hangs, the driver gives up {@link #DRIVER_MARGIN} later, and the connection is closed.
 */
public final class StatementLimit {

    private static final Logger LOG = System.getLogger(StatementLimit.class.getName());

    /** The driver waits this much longer, so that the server ends a slow query first. */
    static final Duration DRIVER_MARGIN = Duration.ofSeconds(3);

    private static final String H2_TIMEOUT =
            "setting_value FROM information_schema.settings WHERE setting_name = 'QUERY_TIMEOUT'";

    private StatementLimit() {}

    /** Runs queries, each with the limit. */
    public static <T> T within(Duration limit, Connection connection, SqlSupplier<T> work) throws SQLException {
        try (JdbcLink<?> link = JdbcLink.over(connection, "the database of the entities")) {
            link.limit(limit.plus(DRIVER_MARGIN));
            link.onClose(limit(connection, limit));
            try {
                return work.get();
            } catch (SQLException e) {
                if (SqlErrors.isUnanswered(e)) {
                    link.abort();
                }
                throw e;
            }
        }
    }

    private static JdbcLink.Undo limit(Connection connection, Duration limit) throws SQLException {
        DatabaseProduct product = DatabaseProduct.find(connection).orElse(null);
        if (product == null) {
            return () -> {};
        }
        String millis = String.valueOf(limit.toMillis());
        String seconds = String.valueOf(limit.toMillis() / 1000.0);
        return switch (product) {
            case MYSQL -> variable(connection, "@@SESSION.max_execution_time", "SESSION max_execution_time", millis);
            case MARIADB -> variable(connection, "@@SESSION.max_statement_time", "SESSION max_statement_time", seconds);
            case POSTGRESQL -> transaction(connection, millis);
            case H2 -> variable(connection, H2_TIMEOUT, "QUERY_TIMEOUT", millis);
        };
    }

    private static JdbcLink.Undo variable(Connection connection, String value, String name, String limit) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + value)) {
            row.next();
            String before = row.getString(1);
            execute(connection, "SET " + name + " = " + limit);
            return () -> execute(connection, "SET " + name + " = " + before);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "The server does not limit queries: variable=" + name, e);
            return () -> {};
        }
    }

    private static JdbcLink.Undo transaction(Connection connection, String millis) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        execute(connection, "SET LOCAL statement_timeout = " + millis);
        return () -> {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        };
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
