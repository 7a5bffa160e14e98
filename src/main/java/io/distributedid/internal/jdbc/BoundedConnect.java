package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Platform;
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
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the wait for a connection, even if the driver or the pool has no timeout: a separate thread opens the
 * connection. A connection that arrives too late is given back.
 *
 * <p>The thread ends when the driver or the pool returns. {@link JdbcUrl} sets the drivers' own timeouts for that.
 */
public final class BoundedConnect<K> {

    /** Lends connections of any kind. */
    interface Lender<K> {

        String label();

        K obtain(Duration timeout) throws SQLException;

        void release(K connection) throws SQLException;
    }

    private record Database(ConnectionAccess access) implements Lender<Connection> {

        @Override
        public String label() {
            return access.label();
        }

        @Override
        public Connection obtain(Duration timeout) throws SQLException {
            return access.obtain(timeout);
        }

        @Override
        public void release(Connection connection) throws SQLException {
            access.release(connection);
        }
    }

    private static final Logger LOG = System.getLogger(BoundedConnect.class.getName());

    /** What Spring's AbstractRoutingDataSource throws if the thread has named no target. */
    private static final String ROUTING =
            ". If the DataSource routes, it has no target at start: give it a default one, or set "
                    + "distributedid.open=lazy";

    private final Lender<K> lender;

    private final Platform platform;

    private final CompletableFuture<K> opened = new CompletableFuture<>();

    /** Null before it is started. */
    private volatile @Nullable Thread opener;

    /** Does not connect yet. */
    BoundedConnect(Lender<K> lender, Platform platform) {
        this.lender = lender;
        this.platform = platform;
    }

    /** Borrows a connection, which the caller must release to {@code access}. */
    public static Connection obtain(ConnectionAccess access, Duration timeout)
            throws SQLException, InterruptedException {
        return new BoundedConnect<>(new Database(access), Platform.JVM).obtain(timeout);
    }

    /** Borrows the connection. Call it only once. */
    K obtain(Duration timeout) throws SQLException, InterruptedException {
        Thread started = platform.start("distributedid-connect", () -> open(timeout));
        opener = started;
        if (opened.isCompletedExceptionally()) {
            // Cancelled before the thread was known.
            started.interrupt();
        }
        try {
            return platform.await(opened, timeout.toNanos());
        } catch (TimeoutException e) {
            giveUp(new SQLTimeoutException("No connection within " + timeout.toMillis() + " ms: " + lender.label()));
            return arrived();
        } catch (InterruptedException e) {
            giveUp(new SQLException("Interrupted while connecting: " + lender.label(), e));
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
        giveUp(new SQLException("Closed: " + lender.label()));
    }

    private void giveUp(SQLException why) {
        boolean isMine = opened.completeExceptionally(why);
        Thread running = opener;
        if (isMine && running != null) {
            running.interrupt();
        }
    }

    private K arrived() throws SQLException, InterruptedException {
        try {
            return opened.get();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private SQLException failure(ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        String advice = cause instanceof IllegalStateException ? ROUTING : "";
        return cause instanceof SQLException failure
                ? failure
                : new SQLException(
                        "No connection: " + lender.label() + " said: " + FailureText.of(cause) + advice, cause);
    }

    private void open(Duration timeout) {
        try {
            K connection = lender.obtain(timeout);
            if (!opened.complete(connection)) {
                release(connection);
            }
        } catch (SQLException | RuntimeException | Error e) {
            opened.completeExceptionally(e);
        }
    }

    private void release(K connection) {
        try {
            lender.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection that came too late could not be given back: " + lender.label(), e);
        }
    }
}
