package io.distributedid.internal;

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
 * Waits for a connection no longer than a timeout, whatever the driver or the pool does: it is opened on a thread of its own. One
 * that comes too late is given back.
 */
public final class BoundedConnect {

    private static final Logger LOG = System.getLogger(BoundedConnect.class.getName());

    private BoundedConnect() {}

    /**
     * Borrows a connection.
     *
     * @param access lends it
     * @param timeout how long to wait
     * @return to be released to {@code access}
     * @throws SQLException if none came in time, or the server failed
     * @throws InterruptedException if interrupted while waiting
     */
    public static Connection obtain(ConnectionAccess access, Duration timeout)
            throws SQLException, InterruptedException {
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        Thread opener = OwnThread.named("distributedid-connect", () -> open(access, opened));
        opener.start();
        try {
            return opened.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            opener.interrupt();
            giveBackWhenOpened(access, opened);
            throw new SQLTimeoutException("No connection within " + timeout.toMillis() + " ms: " + access.label());
        } catch (InterruptedException e) {
            opener.interrupt();
            giveBackWhenOpened(access, opened);
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof SQLException failure) {
                throw failure;
            }
            throw new SQLException("No connection: " + access.label() + " said: " + cause.getMessage(), cause);
        }
    }

    private static void open(ConnectionAccess access, CompletableFuture<Connection> opened) {
        try {
            opened.complete(access.obtain());
        } catch (SQLException | RuntimeException | Error e) {
            opened.completeExceptionally(e);
        }
    }

    private static void giveBackWhenOpened(ConnectionAccess access, CompletableFuture<Connection> opened) {
        CompletableFuture<Void> unused = opened.thenAccept(connection -> {
            try {
                access.release(connection);
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "A connection that came too late could not be given back: " + access.label(), e);
            }
        });
    }
}
