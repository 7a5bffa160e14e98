package io.distributedid.internal;

import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One database on which ids are reserved, in autocommit mode, each call bounded in time. One connection is kept open, used by one
 * thread at a time, and closed at the first error.
 *
 * <p>It is kept even if it comes from the application's pool: a fetch that had to borrow one could wait for threads that hold all
 * the others and wait for ids themselves. It is touched on threads of our own only, whoever calls, and so never takes part in a
 * transaction of the application: see {@link OwnThread}. What it commits is as durable as the server allows: see {@link
 * Durability}. Thread-safe.
 *
 * @param <S> what is known of a connection
 */
public final class Database<S extends Database.Session> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Database.class.getName());

    private static final long TRUSTED_IDLE_NANOS = Duration.ofSeconds(20).toNanos();

    /** A call that takes longer may be to a server that hangs. */
    private static final long BUSY_NANOS = Duration.ofMillis(250).toNanos();

    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    /**
     * Opens sessions.
     *
     * @param <S> what is known of a connection
     */
    @FunctionalInterface
    public interface SessionOpener<S extends Session> {

        /**
         * Checks a connection that was not seen before, or was in other hands meanwhile.
         *
         * @param connection in autocommit mode; not to be closed
         * @return what is known of it, and all that is needed to work on it
         * @throws SQLException if the server failed
         */
        S open(Connection connection) throws SQLException;
    }

    /** A connection in our hands. */
    public interface Session {

        /**
         * Undoes what was set for the session, before the connection is given back.
         *
         * @throws SQLException if the server failed
         */
        default void restore() throws SQLException {}
    }

    /**
     * Work in a session.
     *
     * @param <S> the session's type
     * @param <T> the result's type
     */
    @FunctionalInterface
    public interface Work<S, T> {

        /**
         * Does the work.
         *
         * @param session open, used by nobody else
         * @return its result
         * @throws SQLException if the server failed
         */
        T in(S session) throws SQLException;
    }

    /**
     * @param autoCommit the mode before
     * @param networkTimeout the limit before; empty if the driver knows none
     * @param durability what was raised, and will be set back
     */
    private record Kept<S>(
            Connection connection, S session, boolean autoCommit, OptionalInt networkTimeout, Durability durability) {}

    private final ConnectionAccess access;

    private final Duration timeout;

    private final SessionOpener<S> opener;

    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Kept<S> kept;

    private long lastUsed;

    /** When the call under way got the connection; 0 if there is none. */
    private volatile long busySince;

    private volatile boolean closed;

    /**
     * Connects at the first call.
     *
     * @param access lends connections
     * @param timeout bound for each answer of the server
     * @param opener is shown every new connection
     */
    public Database(ConnectionAccess access, Duration timeout, SessionOpener<S> opener) {
        this.access = access;
        this.timeout = timeout;
        this.opener = opener;
    }

    /**
     * Names the database in messages.
     *
     * @return without user and password
     */
    public String label() {
        return access.label();
    }

    /**
     * Works in a session.
     *
     * @param <T> the result's type
     * @param work what is done
     * @return what the work returned
     * @throws SQLException if no connection is to be had or the work failed
     * @throws InterruptedException if interrupted while waiting for the connection
     */
    public <T> T call(Work<S, T> work) throws SQLException, InterruptedException {
        return OwnThread.call(() -> {
            if (!lock.tryLock(2 * timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTimeoutException("Another call has not ended in time: " + label());
            }
            return callLocked(work);
        });
    }

    /**
     * Works in a session, but does not wait behind a call that has no answer for {@code 250 ms}: where the server hangs, one
     * thread waits for it.
     *
     * @param <T> the result's type
     * @param work what is done
     * @return what the work returned
     * @throws ServerBusyException if another call takes so long
     * @throws SQLException if no connection is to be had or the work failed
     * @throws InterruptedException if interrupted while waiting for the connection
     */
    public <T> T callUnlessBusy(Work<S, T> work) throws SQLException, InterruptedException {
        return OwnThread.call(() -> {
            while (!lock.tryLock(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                long busy = busyNanos();
                if (busy > BUSY_NANOS) {
                    throw new ServerBusyException(label(), Duration.ofNanos(busy));
                }
            }
            return callLocked(work);
        });
    }

    /** Whether a call under way has no answer for so long that the server may hang. */
    public boolean isBusy() {
        return busyNanos() > BUSY_NANOS;
    }

    private long busyNanos() {
        long since = busySince;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /** Lets go of the lock. */
    private <T> T callLocked(Work<S, T> work) throws SQLException, InterruptedException {
        busySince = System.nanoTime() | 1;
        try {
            if (closed) {
                throw new SQLException("Closed: " + label());
            }
            Kept<S> open = usable();
            if (open == null) {
                open = open();
            }
            boolean succeeded = false;
            try {
                T result = work.in(open.session);
                lastUsed = System.nanoTime();
                succeeded = true;
                return result;
            } finally {
                if (!succeeded || closed) {
                    cut(open.connection);
                }
            }
        } finally {
            busySince = 0;
            lock.unlock();
        }
    }

    private @Nullable Kept<S> usable() throws SQLException {
        Kept<S> open = kept;
        boolean doubtful = open != null && System.nanoTime() - lastUsed > TRUSTED_IDLE_NANOS;
        if (open != null && doubtful && !open.connection.isValid((int) Math.max(1, timeout.toSeconds()))) {
            cut(open.connection);
            return null;
        }
        return open;
    }

    private Kept<S> open() throws SQLException, InterruptedException {
        Connection connection = BoundedConnect.obtain(access, timeout);
        boolean succeeded = false;
        try {
            boolean autoCommit = connection.getAutoCommit();
            OptionalInt networkTimeout = limit(connection);
            connection.setAutoCommit(true);
            Durability durability = Durability.check(connection, DatabaseProduct.of(connection), label());
            Kept<S> open = new Kept<>(connection, opener.open(connection), autoCommit, networkTimeout, durability);
            kept = open;
            succeeded = true;
            return open;
        } finally {
            if (!succeeded) {
                cut(connection);
            }
        }
    }

    /** A server that hangs must not hold a thread for ever. Returns the limit before; empty if the driver knows none. */
    private OptionalInt limit(Connection connection) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
            return OptionalInt.of(before);
        } catch (SQLException e) {
            // Narayana's driver does not say that it is the feature which is missing.
            LOG.log(Level.DEBUG, "This driver bounds no answer: " + label(), e);
            return OptionalInt.empty();
        }
    }

    /** After a failure: nothing is asked of the server any more, and a pool sees that the connection is broken. */
    private void cut(Connection connection) {
        kept = null;
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be cut: " + label(), e);
        }
        release(connection);
    }

    /** Gives the connection back as it was. */
    private void giveBack(Kept<S> open) {
        kept = null;
        try {
            open.session.restore();
            open.durability.restore(open.connection);
            open.connection.setAutoCommit(open.autoCommit);
            if (open.networkTimeout.isPresent()) {
                open.connection.setNetworkTimeout(Runnable::run, open.networkTimeout.getAsInt());
            }
        } catch (SQLException e) {
            cut(open.connection);
            return;
        }
        release(open.connection);
    }

    private void release(Connection connection) {
        try {
            access.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + label(), e);
        }
    }

    /** Gives the kept connection back, or cuts off a call that is under way. */
    @Override
    public void close() {
        closed = true;
        OwnThread.finish(() -> closeHere(this::giveBack));
    }

    /** Cuts the kept connection: another copy of this process may hold it too, so that nothing is sent on it any more. */
    public void abandon() {
        closed = true;
        OwnThread.finish(() -> closeHere(open -> cut(open.connection)));
    }

    private void closeHere(Consumer<Kept<S>> end) {
        boolean idle = lock.tryLock();
        try {
            Kept<S> open = kept;
            if (open != null && idle) {
                end.accept(open);
            } else if (open != null) {
                open.connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be cut: " + label(), e);
        } finally {
            if (idle) {
                lock.unlock();
            }
        }
    }
}
