package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the wait for a link, even if the driver or the pool has no timeout: a separate thread opens the link. One that
 * arrives too late is closed.
 *
 * <p>The thread ends when the driver or the pool returns. {@link JdbcUrl} sets the drivers' own timeouts for that.
 */
final class BoundedConnect<L extends Link<?>> {

    /** What Spring's AbstractRoutingDataSource throws if the thread has named no target. */
    private static final String ROUTING =
            ". If the DataSource routes, it has no target at start: give it a default target, or set"
                    + " distributedid.open=lazy";

    /** Hikari's default wait is longer than ours, so that a pool seldom says it itself. */
    private static final String POOL =
            ". If it comes from a pool, the pool must have room for one more connection, which is kept for ids";

    private final String label;

    private final DedicatedConnection.Work<Duration, L> opener;

    private final Platform platform;

    private final CompletableFuture<L> opened = new CompletableFuture<>();

    /** Done when nobody waits for the link any more. */
    private final CompletableFuture<@Nullable Void> abandoned = new CompletableFuture<>();

    /** Does not connect yet. */
    BoundedConnect(String label, DedicatedConnection.Work<Duration, L> opener, Platform platform) {
        this.label = label;
        this.opener = opener;
        this.platform = platform;
    }

    /** Connects. Call it only once. */
    L obtain(Duration timeout) throws SQLException, InterruptedException {
        Thread started = platform.start("distributedid-connect", () -> open(timeout));
        // At once, if it was cancelled before the thread was known.
        var unused = abandoned.thenRun(started::interrupt);
        try {
            return await(timeout);
        } catch (InterruptedException e) {
            giveUp(new SQLException("Interrupted while connecting: " + label, e));
            var unusedEither = opened.thenAccept(Link::close);
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof SQLException failure) {
                throw failure;
            }
            String advice = cause instanceof IllegalStateException ? ROUTING : "";
            throw new SQLException("No connection: " + label + " said: " + FailureText.of(cause) + advice, cause);
        }
    }

    private L await(Duration timeout) throws InterruptedException, ExecutionException {
        try {
            return platform.await(opened, timeout.toNanos());
        } catch (TimeoutException e) {
            giveUp(new SQLTimeoutException("No connection within " + timeout.toMillis() + " ms: " + label + POOL));
            return opened.get();
        }
    }

    /** Makes {@link #obtain} fail at once, unless the link is open. Any thread may call it. */
    void cancel() {
        giveUp(new SQLException("Closed: " + label));
    }

    private void giveUp(SQLException why) {
        if (opened.completeExceptionally(why)) {
            abandoned.complete(null);
        }
    }

    private void open(Duration timeout) {
        try {
            L link = opener.in(timeout);
            if (!opened.complete(link)) {
                link.close();
            }
        } catch (SQLException | RuntimeException | Error e) {
            opened.completeExceptionally(e);
        }
    }
}
