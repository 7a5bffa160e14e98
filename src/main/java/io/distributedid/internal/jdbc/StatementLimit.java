package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Bounds how long a database works on each query, and sets the session back as it was. The server ends the query, since
 * {@link Statement#setQueryTimeout} makes MySQL's driver open a second connection to kill it, which a pool's proxy may
 * send elsewhere:
 *
 * <pre>
 * SET SESSION max_execution_time = 2000          -- MySQL; milliseconds
 * SET SESSION max_statement_time = 2             -- MariaDB; seconds
 * SET LOCAL statement_timeout = 2000             -- PostgreSQL; in a transaction, since PgBouncer lends sessions to others
 * </pre>
 *
 * A server that hangs ends nothing. There the driver gives up {@link #PATIENCE} later, and the connection is closed.
 */
public final class StatementLimit {

    private static final Logger LOG = System.getLogger(StatementLimit.class.getName());

    /** Beyond the limit, so that the server ends a slow query first. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Queries. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    /** Undoes what was set. */
    @FunctionalInterface
    private interface Undo {
        void run() throws SQLException;
    }

    private StatementLimit() {}

    /** Runs queries; each may take as long as the limit says. */
    public static <T> T within(Duration limit, Connection connection, Work<T> work) throws SQLException {
        OptionalInt network = AnswerLimit.set(connection, limit.plus(PATIENCE), "the database of the entities");
        Undo undo = limit(connection, limit);
        boolean alive = true;
        try {
            return work.run();
        } catch (SQLException e) {
            alive = !SqlErrors.isUnanswered(e);
            throw e;
        } finally {
            if (alive) {
                restore(connection, undo, network);
            } else {
                cut(connection);
            }
        }
    }

    private static Undo limit(Connection connection, Duration limit) throws SQLException {
        DatabaseProduct product = DatabaseProduct.find(connection).orElse(null);
        if (product == null) {
            return () -> {};
        }
        return switch (product) {
            case MYSQL -> variable(connection, "max_execution_time", limit.toMillis());
            case MARIADB -> variable(connection, "max_statement_time", limit.toSeconds());
            case POSTGRESQL -> transaction(connection, limit);
            case H2 -> timeout(connection, limit);
        };
    }

    private static Undo variable(Connection connection, String name, long limit) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@SESSION." + name)) {
            row.next();
            String before = row.getString(1);
            execute(connection, "SET SESSION " + name + " = " + limit);
            return () -> execute(connection, "SET SESSION " + name + " = " + before);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "The server does not limit queries: variable=" + name, e);
            return () -> {};
        }
    }

    private static Undo transaction(Connection connection, Duration limit) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        execute(connection, "SET LOCAL statement_timeout = " + limit.toMillis());
        return () -> {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        };
    }

    /** H2 keeps it for all statements of the session. */
    private static Undo timeout(Connection connection, Duration limit) throws SQLException {
        int before = setTimeout(connection, Math.toIntExact(limit.toSeconds()));
        return () -> setTimeout(connection, before);
    }

    private static int setTimeout(Connection connection, int seconds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int before = statement.getQueryTimeout();
            statement.setQueryTimeout(seconds);
            return before;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void restore(Connection connection, Undo undo, OptionalInt network) {
        try {
            undo.run();
            AnswerLimit.restore(connection, network);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A session could not be set back, and is closed", e);
            cut(connection);
        }
    }

    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be closed", e);
        }
    }
}
