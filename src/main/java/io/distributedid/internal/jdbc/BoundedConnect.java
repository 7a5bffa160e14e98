package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Bounds the wait for a connection, even if the driver or the pool has no timeout: a separate thread opens the
 * connection. A connection that arrives too late is given back.
 *
 * <p>The thread ends when the driver or the pool returns. {@link JdbcUrl} sets the drivers' own timeouts for that.
 */
public final class BoundedConnect {

    private static final Logger LOG = System.getLogger(BoundedConnect.class.getName());

    private final ConnectionAccess access;

    /** Set before the opener starts. */
    private Duration timeout = Duration.ZERO;

    private final CompletableFuture<Connection> opened = new CompletableFuture<>();

    private final Thread opener = LibraryThread.named("distributedid-connect", this::open);

    /** Does not connect yet. */
    BoundedConnect(ConnectionAccess access) {
        this.access = access;
    }

    /** Borrows a connection, which the caller must release to {@code access}. */
    public static Connection obtain(ConnectionAccess access, Duration timeout)
            throws SQLException, InterruptedException {
        return new BoundedConnect(access).obtain(timeout);
    }

    /** Borrows the connection. Call it only once. */
    Connection obtain(Duration atMost) throws SQLException, InterruptedException {
        timeout = atMost;
        opener.start();
        try {
            return opened.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            giveUp(new SQLTimeoutException("No connection within " + timeout.toMillis() + " ms: " + access.label()));
            return arrived();
        } catch (InterruptedException e) {
            giveUp(new SQLException("Interrupted while connecting: " + access.label(), e));
            if (!opened.isCompletedExceptionally()) {
                release(opened.join());
            }
            throw e;
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Makes {@link #obtain} fail at once, unless the connection is open. Any thread may call it. */
    void cancel() {
        giveUp(new SQLException("Closed: " + access.label()));
    }

    private void giveUp(SQLException why) {
        if (opened.completeExceptionally(why)) {
            opener.interrupt();
        }
    }

    private Connection arrived() throws SQLException, InterruptedException {
        try {
            return opened.get();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private SQLException failure(ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        return cause instanceof SQLException failure
                ? failure
                : new SQLException("No connection: " + access.label() + " said: " + FailureText.of(cause), cause);
    }

    private void open() {
        try {
            Connection connection = access.obtain(timeout);
            if (!opened.complete(connection)) {
                release(connection);
            }
        } catch (SQLException | RuntimeException | Error e) {
            opened.completeExceptionally(e);
        }
    }

    private void release(Connection connection) {
        try {
            access.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection that came too late could not be given back: " + access.label(), e);
        }
    }
}
