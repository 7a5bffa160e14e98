package io.distributedid.internal.jdbc;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection open to a server that reserves ids. Every call has a timeout, one thread at a time uses it, and
 * the first error closes it, unless only the ids of one counter are exhausted. A connection to a database is in
 * autocommit mode.
 *
 * <p>The connection is kept even if it comes from the application's pool. Otherwise a fetch could wait for a connection
 * while the threads that hold all of them wait for ids: a deadlock. Only a {@link LibraryThread} uses the connection,
 * so that it never takes part in a transaction of the application. Thread-safe.
 *
 * <p>It has more than 300 lines because one lock guards opening, use and the end of the connection.
 *
 * @param <S> what the caller keeps for each connection
 */
public final class DedicatedConnection<S extends DedicatedConnection.Session> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(DedicatedConnection.class.getName());

    /** The timeout of each answer after {@link #stop}. */
    private static final Duration LAST_CALL_TIMEOUT = Duration.ofSeconds(1);

    private static final long TRUSTED_IDLE_NANOS = Duration.ofSeconds(20).toNanos();

    /** If a call takes longer, the server may hang. */
    private static final long BUSY_NANOS = Duration.ofMillis(250).toNanos();

    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    /** What the caller keeps for one connection. */
    public interface Session {

        /** Restores session variables before the connection goes back to its pool. */
        default void restore() throws SQLException {}

        /** Whether it goes on after a refusal, which is then about one of several tables, not about the server. */
        default boolean outlivesRefusals() {
            return false;
        }
    }

    /** Work in a session, which no other thread uses meanwhile; or with what else is given. */
    @FunctionalInterface
    public interface Work<S, T> {

        T in(S session) throws SQLException;
    }

    private final Link.Source<S> source;

    private final Duration timeout;

    private final Platform platform;

    private final ReentrantLock lock;

    /** Of the kept connection; null if there is none. Guarded by the lock. */
    private @Nullable S session;

    private long lastUsed;

    /** The start of the current call, by {@link Platform#nanoTime}; 0 if there is none. */
    private volatile long busySince;

    /** The kept connection, or a new one during its checks; null if there is none. */
    private volatile @Nullable Link<S> link;

    private volatile @Nullable BoundedConnect<Link<S>> connecting;

    private volatile boolean ending;

    private volatile boolean closed;

    /**
     * Does not connect yet.
     *
     * @param timeout of each answer of the server
     * @param opener checks a connection that is new, or that others have used since; it must not close it
     */
    public DedicatedConnection(ConnectionAccess access, Duration timeout, Work<Connection, S> opener) {
        this(new JdbcLink.Source<>(access, opener), timeout, Platform.JVM);
    }

    /** As above, to a server of any kind. */
    public DedicatedConnection(Link.Source<S> source, Duration timeout, Platform platform) {
        this.source = source;
        this.timeout = timeout;
        this.platform = platform;
        this.lock = platform.lock();
    }

    /** The name of the database in messages, without user and password. */
    public String label() {
        return source.label();
    }

    /**
     * Runs {@code work} in the session. Waits up to twice the timeout for another call.
     *
     * @throws SQLException also if no connection is available
     */
    public <T> T call(Work<S, T> work) throws SQLException, InterruptedException {
        return platform.call(() -> {
            requireOpen();
            Duration limit = ending ? LAST_CALL_TIMEOUT : timeout.multipliedBy(2);
            if (!lock.tryLock(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                if (ending) {
                    cut();
                }
                throw new SQLTimeoutException("Another call has not ended in time: " + label());
            }
            return callLocked(work);
        });
    }

    /**
     * Like {@link #call}, but fails if another call has waited 250 ms for its answer. So only one thread waits for a
     * server that hangs.
     *
     * @throws ServerBusyException if another call takes that long
     */
    public <T> T callUnlessBusy(Work<S, T> work) throws SQLException, InterruptedException {
        return platform.call(() -> {
            requireOpen();
            while (!lock.tryLock(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                requireOpen();
                long busy = busyNanos();
                if (busy > BUSY_NANOS) {
                    throw new ServerBusyException(label(), Duration.ofNanos(busy));
                }
            }
            return callLocked(work);
        });
    }

    /** Whether the current call has waited so long for its answer that the server may hang. */
    public boolean isBusy() {
        return busyNanos() > BUSY_NANOS;
    }

    private long busyNanos() {
        long since = busySince;
        return since == 0 ? 0 : platform.nanoTime() - since;
    }

    /** The caller holds the lock; this method releases it. */
    private <T> T callLocked(Work<S, T> work) throws SQLException, InterruptedException {
        busySince = platform.nanoTime() | 1;
        boolean succeeded = false;
        try {
            requireOpen();
            T result = work.in(checked());
            lastUsed = platform.nanoTime();
            succeeded = true;
            return result;
        } catch (IdsExhaustedException e) {
            succeeded = isAnswer(e);
            throw e;
        } catch (IdConfigurationException e) {
            S refused = session;
            succeeded = refused != null && refused.outlivesRefusals() && isAnswer(e);
            throw e;
        } finally {
            if (!succeeded || closed || session == null) {
                cutOff();
            }
            busySince = 0;
            lock.unlock();
        }
    }

    /** Whether the server has answered well. A suppressed error is one of a rollback or the like. */
    private static boolean isAnswer(Exception e) {
        return e.getSuppressed().length == 0;
    }

    private void requireOpen() throws SQLException {
        if (closed) {
            throw new SQLException("Closed: " + label());
        }
    }

    private Duration atMost() {
        return ending && timeout.compareTo(LAST_CALL_TIMEOUT) > 0 ? LAST_CALL_TIMEOUT : timeout;
    }

    /** The session of the kept connection if that can still be used, or else of a new one. */
    private S checked() throws SQLException, InterruptedException {
        Link<S> kept = link;
        S open = session;
        if (kept == null || open == null) {
            return open();
        }
        if (platform.nanoTime() - lastUsed > TRUSTED_IDLE_NANOS && !isValid(kept)) {
            cutOff();
            return open();
        }
        if (ending) {
            kept.limit(atMost());
        }
        return open;
    }

    /** Pools and drivers throw unchecked exceptions too. */
    private boolean isValid(Link<S> kept) {
        try {
            return kept.isValid(atMost());
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "A connection could not be checked: " + label(), e);
            return false;
        }
    }

    private S open() throws SQLException, InterruptedException {
        BoundedConnect<Link<S>> attempt = new BoundedConnect<>(label(), source::connect, platform);
        connecting = attempt;
        Link<S> connected;
        try {
            // Either stop() sees the attempt, or this check sees the end.
            requireOpen();
            connected = attempt.obtain(atMost());
            link = connected;
        } finally {
            connecting = null;
        }
        // Either a close sees the link, or this check sees the close.
        requireOpen();
        connected.limit(atMost());
        S open = connected.open();
        session = open;
        return open;
    }

    /** After a failure: sends nothing more to the server. A pool sees that the connection is broken. */
    private void cutOff() {
        closed |= ending;
        release(Link::abort);
    }

    private void release(Consumer<Link<S>> end) {
        session = null;
        // Until it is closed, cut() must find it.
        try (Link<S> released = link) {
            if (released != null) {
                end.accept(released);
            }
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "A connection could not be cut: " + label(), e);
        } finally {
            link = null;
        }
    }

    /**
     * Announces the end, without waiting: cancels the wait for a connection, and limits later connects and answers to
     * one second at most. The next failure closes this object.
     */
    public void stop() {
        ending = true;
        BoundedConnect<Link<S>> attempt = connecting;
        if (attempt != null) {
            attempt.cancel();
        }
    }

    /** Gives the kept connection back, or aborts the connection of the current call. */
    @Override
    public void close() {
        platform.finish(end(() -> release(kept -> kept.limit(atMost()))));
    }

    /** Aborts the kept connection. Sends nothing on it, because a copy of this process may have the same connection. */
    public void abandon() {
        platform.finish(end(this::cutOff));
    }

    /** Aborts the current call's connection, also during {@link #close}. Does not wait: some drivers abort slowly. */
    public void cut() {
        Thread unused = platform.start("distributedid-cut", end(this::cutOff));
    }

    /**
     * From now on calls fail. Returns what ends the connection.
     *
     * @param ifIdle what ends it if no call uses it
     */
    private Runnable end(Runnable ifIdle) {
        stop();
        closed = true;
        return () -> {
            boolean idle = lock.tryLock();
            try {
                Link<S> used = link;
                if (idle) {
                    ifIdle.run();
                } else if (used != null) {
                    used.abort();
                }
            } finally {
                if (idle) {
                    lock.unlock();
                }
            }
        };
    }
}
