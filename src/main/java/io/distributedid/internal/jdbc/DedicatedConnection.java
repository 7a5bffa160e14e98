package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
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
 * One database on which ids are reserved, in autocommit mode, each call bounded in time. One connection is kept open,
 * used by one thread at a time, and closed at the first error.
 *
 * <p>It is kept even if it comes from the application's pool: a fetch that had to borrow one could wait for threads
 * that hold all the others and wait for ids themselves. It is touched on threads of our own only, whoever calls, and so
 * never takes part in a transaction of the application: see {@link LibraryThread}. What it commits is as durable as the
 * server allows: see {@link Durability}. Thread-safe.
 *
 * @param <S> what is known of a connection
 */
public final class DedicatedConnection<S extends DedicatedConnection.Session> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(DedicatedConnection.class.getName());

    /** How long a server is waited for that is asked for the last time. */
    private static final Duration LAST_WORD = Duration.ofSeconds(1);

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

    /** The connection that is kept, or is being looked at; null if there is none. */
    private volatile @Nullable Connection inHand;

    private volatile @Nullable BoundedConnect connecting;

    private volatile boolean ending;

    private volatile boolean closed;

    /**
     * Connects at the first call.
     *
     * @param access lends connections
     * @param timeout bound for each answer of the server
     * @param opener is shown every new connection
     */
    public DedicatedConnection(ConnectionAccess access, Duration timeout, SessionOpener<S> opener) {
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
        return Thread.currentThread() instanceof LibraryThread
                ? callInTime(work)
                : LibraryThread.call(() -> callInTime(work));
    }

    private <T> T callInTime(Work<S, T> work) throws SQLException, InterruptedException {
        requireOpen();
        if (!lock.tryLock((ending ? LAST_WORD : timeout.multipliedBy(2)).toMillis(), TimeUnit.MILLISECONDS)) {
            if (ending) {
                cut();
            }
            throw new SQLTimeoutException("Another call has not ended in time: " + label());
        }
        return callLocked(work);
    }

    /**
     * Works in a session, but does not wait behind a call that has no answer for {@code 250 ms}: where the server
     * hangs, one thread waits for it.
     *
     * @param <T> the result's type
     * @param work what is done
     * @return what the work returned
     * @throws ServerBusyException if another call takes so long
     * @throws SQLException if no connection is to be had or the work failed
     * @throws InterruptedException if interrupted while waiting for the connection
     */
    public <T> T callUnlessBusy(Work<S, T> work) throws SQLException, InterruptedException {
        return Thread.currentThread() instanceof LibraryThread
                ? callBehindQuickCalls(work)
                : LibraryThread.call(() -> callBehindQuickCalls(work));
    }

    private <T> T callBehindQuickCalls(Work<S, T> work) throws SQLException, InterruptedException {
        requireOpen();
        while (!lock.tryLock(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
            requireOpen();
            long busy = busyNanos();
            if (busy > BUSY_NANOS) {
                throw new ServerBusyException(label(), Duration.ofNanos(busy));
            }
        }
        return callLocked(work);
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
            requireOpen();
            Kept<S> open = usable();
            if (open == null) {
                open = open();
            } else if (ending) {
                AnswerLimit.set(open.connection, atMost(), label());
            }
            boolean succeeded = false;
            try {
                T result = work.in(open.session);
                lastUsed = System.nanoTime();
                succeeded = true;
                return result;
            } finally {
                if (!succeeded || closed) {
                    cutOff(open.connection);
                }
            }
        } finally {
            busySince = 0;
            lock.unlock();
        }
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLException("Closed: " + label());
        }
    }

    private Duration atMost() {
        return ending && timeout.compareTo(LAST_WORD) > 0 ? LAST_WORD : timeout;
    }

    private @Nullable Kept<S> usable() throws SQLException {
        Kept<S> open = kept;
        boolean doubtful = open != null && System.nanoTime() - lastUsed > TRUSTED_IDLE_NANOS;
        if (open != null && doubtful && !open.connection.isValid((int) Math.max(1, atMost().toSeconds()))) {
            cutOff(open.connection);
            return null;
        }
        return open;
    }

    private Kept<S> open() throws SQLException, InterruptedException {
        Connection connection = connect();
        boolean succeeded = false;
        try {
            requireOpen();
            boolean autoCommit = connection.getAutoCommit();
            OptionalInt networkTimeout = AnswerLimit.set(connection, atMost(), label());
            connection.setAutoCommit(true);
            Durability durability = Durability.check(connection, DatabaseProduct.of(connection), label());
            Kept<S> open = new Kept<>(connection, opener.open(connection), autoCommit, networkTimeout, durability);
            kept = open;
            succeeded = true;
            return open;
        } finally {
            if (!succeeded) {
                cutOff(connection);
            }
        }
    }

    private Connection connect() throws SQLException, InterruptedException {
        BoundedConnect attempt = new BoundedConnect(access);
        connecting = attempt;
        boolean succeeded = false;
        try {
            // Whoever closes sees the attempt, or is seen here.
            requireOpen();
            Connection connection = attempt.obtain(atMost());
            inHand = connection;
            succeeded = true;
            return connection;
        } finally {
            connecting = null;
            closed |= !succeeded && ending;
        }
    }

    /** After a failure: nothing is asked of the server any more, and a pool sees that the connection is broken. */
    private void cutOff(Connection connection) {
        kept = null;
        closed |= ending;
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
        AnswerLimit.set(open.connection, atMost(), label());
        try {
            open.session.restore();
            open.durability.restore(open.connection);
            open.connection.setAutoCommit(open.autoCommit);
            AnswerLimit.restore(open.connection, open.networkTimeout);
        } catch (SQLException e) {
            cutOff(open.connection);
            return;
        }
        release(open.connection);
    }

    private void release(Connection connection) {
        inHand = null;
        try {
            access.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + label(), e);
        }
    }

    /**
     * The end is near: who waits for a connection waits no more, a new one or an answer is waited for no longer than
     * for a moment, and after a failure nothing is asked any more. Does not wait.
     */
    public void stop() {
        ending = true;
        BoundedConnect attempt = connecting;
        if (attempt != null) {
            attempt.cancel();
        }
    }

    /** Gives the kept connection back, or cuts off a call that is under way. */
    @Override
    public void close() {
        end();
        LibraryThread.finish(() -> closeHere(this::giveBack));
    }

    /**
     * Cuts the kept connection: another copy of this process may hold it too, so that nothing is sent on it any more.
     */
    public void abandon() {
        end();
        LibraryThread.finish(() -> closeHere(open -> cutOff(open.connection)));
    }

    /**
     * Cuts off whatever is under way, a {@link #close} too. Does not wait: some drivers take their time even for that.
     */
    public void cut() {
        end();
        LibraryThread.named("distributedid-cut", () -> closeHere(open -> cutOff(open.connection)))
                .start();
    }

    private void end() {
        stop();
        closed = true;
    }

    private void closeHere(Consumer<Kept<S>> end) {
        boolean idle = lock.tryLock();
        try {
            Kept<S> open = kept;
            Connection used = inHand;
            if (open != null && idle) {
                end.accept(open);
            } else if (used != null) {
                used.abort(Runnable::run);
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
