package io.distributedid.internal.jdbc;

import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A connection of the application, or of its pool, borrowed for a moment. All waits are bounded: for the connection,
 * even if the pool has no timeout, and for each answer, if the driver supports it. It goes back with the timeout that
 * it had. For one thread.
 */
public final class BorrowedConnection implements AutoCloseable {

    private static final Logger LOG = System.getLogger(BorrowedConnection.class.getName());

    private final ConnectionAccess database;

    private final Connection connection;

    private final OptionalInt timeoutBefore;

    private BorrowedConnection(ConnectionAccess database, Connection connection, OptionalInt timeoutBefore) {
        this.database = database;
        this.connection = connection;
        this.timeoutBefore = timeoutBefore;
    }

    /** Borrows a connection within the limit, which then holds for each answer. */
    public static BorrowedConnection obtain(ConnectionAccess database, Duration limit)
            throws SQLException, InterruptedException {
        return obtain(database, limit, limit);
    }

    /** Borrows a connection within {@code limit}. */
    public static BorrowedConnection obtain(ConnectionAccess database, Duration limit, Duration ofEachAnswer)
            throws SQLException, InterruptedException {
        Connection connection = BoundedConnect.obtain(database, limit);
        return new BorrowedConnection(
                database, connection, AnswerLimit.set(connection, ofEachAnswer, database.label()));
    }

    public Connection get() {
        return connection;
    }

    /** Gives it back. A failure is not the caller's. */
    @Override
    public void close() {
        try {
            try {
                AnswerLimit.restore(connection, timeoutBefore);
            } finally {
                database.release(connection);
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + database.label(), e);
        }
    }
}
