package io.distributedid.internal.lease;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that keeps the rights of this process in one store, and goes on after failures. Only its user ends
 * it. Thread-safe.
 */
public final class LeaseLoop {

    private static final Logger LOG = System.getLogger(LeaseLoop.class.getName());

    /** How often the row of another process is read, and a failed step is repeated. */
    public static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** What the thread does. */
    public interface Work {

        /**
         * Renews and claims what is due.
         *
         * @param isWanted whether somebody waits for more
         */
        void step(boolean isWanted) throws SQLException, InterruptedException;

        /** After a step: how long the next one has nothing to do unless it is wanted. */
        long pauseNanos();

        /** Whether the last step could do nothing, so that the next one is not hurried. */
        default boolean isStuck() {
            return false;
        }
    }

    /** Uses the store. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object> {

        T run() throws SQLException, InterruptedException;
    }

    /** The last failure. The first one after the last success was at {@code since}. */
    public record Failure(Throwable cause, long since) {

        /** Whether the store did not answer. */
        boolean isSilence() {
            return cause instanceof SQLException;
        }

        public String message() {
            boolean isPlain = cause instanceof SQLException || cause instanceof DistributedIdException;
            return isPlain ? FailureText.of(cause) : cause.toString();
        }
    }

    private final Work work;

    private final String label;

    private final OutageLog outages;

    private final Platform platform;

    private final Runnable changed;

    private final BackgroundLoop loop;

    /** Held while the store is used. */
    private final ReentrantLock storeLock;

    private final ReentrantLock lock;

    private final Condition woken;

    /** Null after a success. */
    private volatile @Nullable Failure failure;

    /** Changed under the lock. */
    private volatile boolean isWanted;

    /**
     * Starts no thread yet.
     *
     * @param label names the store in messages
     * @param outages shared by the users of a store
     * @param changed called without a lock after each step, and at the end; must not wait
     */
    public LeaseLoop(Work work, String label, OutageLog outages, Platform platform, Runnable changed) {
        this.work = work;
        this.label = label;
        this.outages = outages;
        this.platform = platform;
        this.changed = changed;
        storeLock = platform.lock();
        lock = platform.lock();
        woken = lock.newCondition();
        loop = new BackgroundLoop(platform, "distributedid-lease", this::round, this::failed);
    }

    /** What outages of stores are logged by. */
    public static OutageLog outages(Platform platform) {
        return new OutageLog(LOG, platform::nanoTime);
    }

    /** Starts the thread unless it runs. */
    public void keepRunning() {
        loop.keepRunning();
    }

    /** Has the thread do a step now; after a failure, in a while. */
    public void want() {
        if (!isWanted) {
            lock.lock();
            try {
                isWanted = true;
                woken.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Null after a success. */
    public @Nullable Failure failure() {
        return failure;
    }

    public boolean isEnded() {
        return loop.isClosed();
    }

    private void round() throws SQLException, InterruptedException {
        if (awaitWork()) {
            step();
            failure = null;
            outages.succeeded(this, () -> "Leases are renewed again: " + label);
            changed.run();
        }
    }

    private void step() throws SQLException, InterruptedException {
        boolean wanted = takeWanted();
        try {
            Void unused = call(() -> {
                work.step(wanted);
                return null;
            });
        } catch (InterruptedException e) {
            if (wanted) {
                want();
            }
            throw e;
        }
    }

    /** Uses the store while no step does. */
    <T extends @Nullable Object> T call(Call<T> call) throws SQLException, InterruptedException {
        storeLock.lockInterruptibly();
        try {
            return call.run();
        } finally {
            storeLock.unlock();
        }
    }

    /** Returns false once it is to end. */
    private boolean awaitWork() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean mustPause = failure != null || work.isStuck();
            long left = failure == null ? work.pauseNanos() : POLL_NANOS;
            while (!isEnded() && left > 0 && (mustPause || !isWanted)) {
                left = woken.awaitNanos(left);
            }
            return !isEnded();
        } finally {
            lock.unlock();
        }
    }

    private boolean takeWanted() {
        lock.lock();
        try {
            boolean was = isWanted;
            isWanted = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable e) {
        Failure before = failure;
        failure = new Failure(e, before == null ? platform.nanoTime() : before.since);
        if (!isEnded()) {
            outages.failed(this, "Leases can't be renewed for now, retrying: " + label, e, Pages.onCall("lease-ended"));
        }
        changed.run();
    }

    /** Has no step begin any more. Does not wait. */
    public void stop() {
        loop.close();
        lock.lock();
        try {
            woken.signal();
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Ends without a word to the store: a copy of this process may go on with the rights. */
    public void abandon() {
        stop();
        boolean unused = loop.interruptAndAwaitEnd(Duration.ofSeconds(1));
    }

    /**
     * Ends. A step that hangs ends when the user closes the store: an interrupt would close the files of an embedded
     * database.
     *
     * @param timeout how long to wait for the step that is under way, and for another call
     * @param last is called then, unless the store has not answered, or refused more than one number
     */
    public void close(Duration timeout, Call<?> last) {
        stop();
        try {
            if (loop.awaitEnd(timeout) && isWell() && storeLock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    Object unused = last.run();
                } finally {
                    storeLock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Leases were not handed back: " + label, e);
        }
    }

    private boolean isWell() {
        Failure found = failure;
        return found == null || found.cause instanceof NoFreeNumberException;
    }
}
