package io.distributedid.internal.lease;

import io.distributedid.DistributedIdException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rights of this process in one store. A daemon thread renews all that are due in one trip, looks at the rows
 * of other processes that this one waits for, and goes on after failures. Only {@link #release} and {@link #abandon}
 * end it.
 *
 * <p>While the store is away, rights last to their end. Then callers wait, until the store has not answered for as long
 * as they may wait; from then on they get its last failure at once. So do all callers if the store refuses.
 *
 * <p>Thread-safe. One class: callers and the thread share one state under one lock.
 */
public final class LeaseRunner {

    private static final Logger LOG = System.getLogger(LeaseRunner.class.getName());

    /** How often the row of another process is read, and a failed step is repeated. */
    static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How often it is looked whether rights are used. */
    static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Callers get a refusal younger than this without another attempt. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LONGEST_CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The last failure, at {@code nanos}. The first one after the last success was at {@code since}. */
    private record Failure(Throwable cause, long nanos, long since) {

        /** Whether the store did not answer. */
        boolean isSilence() {
            return cause instanceof SQLException;
        }

        String message() {
            boolean isPlain = cause instanceof SQLException || cause instanceof DistributedIdException;
            return isPlain ? FailureText.of(cause) : cause.toString();
        }
    }

    /** Work with the store. */
    @FunctionalInterface
    private interface Call<T extends @Nullable Object> {

        T run() throws SQLException, InterruptedException;
    }

    private final LeaseStore store;

    private final Platform platform;

    private final List<Right> rights = new CopyOnWriteArrayList<>();

    /** Held during calls to the store. Guards the client. */
    private final ReentrantLock storeLock;

    private final LeaseClient client;

    private final ReentrantLock lock;

    private final Condition work;

    private final Condition changed;

    // The lock guards all fields from here on.

    private boolean isRunning;

    private boolean isWanted;

    private boolean isStopping;

    private boolean isClosed;

    private long attempts;

    private @Nullable Failure failure;

    /**
     * Calls nothing yet.
     *
     * @param store closed with this
     * @param begins with which a new store begins
     */
    public LeaseRunner(LeaseStore store, StoreHeader.Terms begins, InstantSource clock, Platform platform) {
        this.store = store;
        this.platform = platform;
        client = new LeaseClient(store, begins, clock, platform);
        storeLock = platform.lock();
        lock = platform.lock();
        work = lock.newCondition();
        changed = lock.newCondition();
    }

    /** Names the store in messages, without user and password. */
    public String label() {
        return store.label();
    }

    /**
     * Claims a right, unless it is kept already, and keeps it from then on. Waits for a worker number while all are
     * taken, but not for a process that has a fixed row.
     *
     * @param wait how long
     * @throws NoFreeNumberException if all numbers are taken all the time
     * @throws IdUnavailableException if the store refuses, or does not answer
     */
    public void take(Right right, Duration wait) {
        long deadline = platform.nanoTime() + wait.toNanos();
        String what = "Nothing can be leased";
        while (!rights.contains(right)) {
            try {
                Void unused = inStore(what, () -> {
                    client.step(List.of(right), false);
                    return null;
                });
                begin(right);
            } catch (NoFreeNumberException e) {
                if (platform.nanoTime() - deadline >= 0) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private void begin(Right right) {
        lock.lock();
        try {
            rights.add(right);
            keepRunning();
        } finally {
            lock.unlock();
        }
    }

    private void pause(NoFreeNumberException e) {
        try {
            lock.lockInterruptibly();
            try {
                if (!isStopping) {
                    long unused = work.awaitNanos(POLL_NANOS + platform.random(0, POLL_NANOS));
                }
                if (isStopping) {
                    throw new IdUnavailableException(
                            "The source of ids is closed, while it waited for a worker number. " + e.getMessage(), e);
                }
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw e;
        }
    }

    /** See {@link LeaseClient#takeForSingleUse}. */
    public long takeForSingleUse(Right.Numbers wanted) {
        return inStore("No worker number can be taken", () -> client.takeForSingleUse(wanted));
    }

    /** See {@link LeaseClient#layout}. */
    public Row layout(String sequence, Fields text) {
        return inStore("The layout of a sequence can't be read: seq=" + sequence, () -> client.layout(sequence, text));
    }

    /** What the store says of itself; empty before it was read. */
    public Optional<StoreHeader> header() {
        return Optional.ofNullable(client.header());
    }

    /**
     * Identifies the store; random.
     *
     * @throws IdUnavailableException if it can't be read
     */
    public String token() {
        return inStore("The store of leases can't be read", client::token);
    }

    private <T extends @Nullable Object> T inStore(String what, Call<T> call) {
        try {
            storeLock.lockInterruptibly();
            try {
                return call.run();
            } finally {
                storeLock.unlock();
            }
        } catch (SQLException e) {
            throw new IdUnavailableException(what + ": " + store.label() + " said: " + FailureText.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted. " + what + ": " + store.label(), e);
        }
    }

    /** Whether a right lasts now, by the monotonic clock. */
    public boolean lasts(Right right, Lease lease) {
        return client.isUsable(right, lease);
    }

    /** How long an exclusive right of {@code leaseNanos} lasts without another answer; 0 or less if it is over. */
    public Duration left(Lease held, long leaseNanos) {
        LeaseProtocol protocol = new LeaseProtocol(LeaseProtocol.Rule.UNCHANGED, leaseNanos);
        return Duration.ofNanos(protocol.left(held, platform.nanoTime()));
    }

    /** How far the local clock is ahead of the store's; empty before the store has answered. */
    public Optional<Duration> clockOffset() {
        return Optional.ofNullable(client.clockOffset());
    }

    /** The last failure, unless it was made up for. Starts the thread if it does not run. */
    public Optional<String> failure() {
        lock.lock();
        try {
            keepRunning();
            return Optional.ofNullable(failure).map(Failure::message);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Fails while another process has the right.
     *
     * @throws IdStandbyException if it does
     */
    public void requireNotStandby(Right right) {
        Row row = right.other();
        if (row != null) {
            String owner = LeaseProtocol.owner(row);
            throw new IdStandbyException(
                    "This process is standby, and another one gives the ids: active=" + owner + ", " + store.label()
                            + ". Ask that process; if it stops, this one takes over"
                            + failure()
                                    .map(last -> ", but for now it can't: " + last)
                                    .orElse(""),
                    owner);
        }
    }

    /**
     * Waits until a right can be used, and is another one than {@code spent}.
     *
     * @param limit how long to wait at most
     * @throws IdStandbyException if another process has it
     * @throws IdUnavailableException if it can't be used in time; the message has the cause
     */
    public Lease await(Right right, @Nullable Lease spent, Duration limit) {
        try {
            lock.lockInterruptibly();
            try {
                return awaitLocked(right, spent, limit.toNanos());
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for a lease: " + store.label(), e);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private Lease awaitLocked(Right right, @Nullable Lease spent, long limit) throws InterruptedException {
        long began = platform.nanoTime();
        long before = attempts;
        keepRunning();
        while (true) {
            requireOpen();
            Lease now = right.current();
            if (now != null && now != spent && client.isUsable(right, now)) {
                return now;
            }
            requireNotStandby(right);
            Failure last = failure;
            long time = platform.nanoTime();
            if (time - began >= limit || (last != null && !isWorthWaiting(last, time, limit, attempts > before))) {
                throw late(right, last, limit);
            }
            isWanted |= last == null || time - last.nanos >= FRESH_NANOS;
            work.signal();
            long unused = changed.awaitNanos(limit - (time - began));
        }
    }

    /**
     * All callers wait while the store has not answered for less than they may. Then, and if it has refused, a caller
     * waits for one attempt, unless the last one is fresh.
     *
     * @param tried whether an attempt has ended since the caller came
     */
    private static boolean isWorthWaiting(Failure last, long now, long limit, boolean tried) {
        return last.isSilence() && now - last.since <= limit || !tried && now - last.nanos >= FRESH_NANOS;
    }

    private IdUnavailableException late(Right right, @Nullable Failure last, long limit) {
        Lease held = right.current();
        String what = "The lease has ended, and there is no other yet: "
                + (held == null ? "" : held.row().name() + " ") + "on " + store.label() + ". ";
        return last == null
                ? new IdUnavailableException(what + "No answer within " + TimeUnit.NANOSECONDS.toMillis(limit) + " ms")
                : new IdUnavailableException(what + last.message(), last.cause);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IdUnavailableException("The source of ids is closed: " + store.label());
        }
    }

    /** The lock is held. */
    private void keepRunning() {
        if (isRunning || isClosed || rights.isEmpty()) {
            return;
        }
        isRunning = true;
        try {
            Thread unused = platform.start("distributedid-lease", this::run);
        } catch (Throwable e) {
            // Such as "unable to create native thread", an Error.
            isRunning = false;
            failed(e);
        }
    }

    private void run() {
        try {
            while (awaitWork()) {
                step();
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "A thread that renews leases was interrupted: {0}", store.label());
        } finally {
            ended();
        }
    }

    private void ended() {
        lock.lock();
        try {
            isRunning = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns false once closed. */
    private boolean awaitWork() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = failure == null ? client.pauseNanos(rights) : POLL_NANOS;
            while (!isClosed && !isWanted && left > 0) {
                left = work.awaitNanos(left);
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void step() throws InterruptedException {
        boolean wanted = takeWanted();
        Throwable reason = null;
        try {
            storeLock.lockInterruptibly();
            try {
                client.step(rights, wanted);
            } finally {
                storeLock.unlock();
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            reason = e;
        }
        lock.lock();
        try {
            attempts++;
            if (reason != null) {
                failed(reason);
            } else if (failure != null) {
                LOG.log(Level.INFO, "Leases are renewed again: {0}", store.label());
                failure = null;
            }
            changed.signalAll();
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

    /** The lock is held. */
    private void failed(Throwable e) {
        long now = platform.nanoTime();
        Failure next = new Failure(e, now, failure == null ? now : failure.since);
        if (failure == null && !isClosed) {
            LOG.log(
                    Level.WARNING,
                    "Leases can''t be renewed for now, and that is tried again: {0}. Reason: {1}",
                    store.label(),
                    next.message());
        }
        LOG.log(Level.DEBUG, "Leases can't be renewed for now", e);
        failure = next;
    }

    /** From now on nobody waits for a free number, and calls to the store wait only briefly. By any thread. */
    public void stopWaiting() {
        store.stop();
        lock.lock();
        try {
            isStopping = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void stop() {
        stopWaiting();
        lock.lock();
        try {
            isClosed = true;
            work.signalAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends calls to the store with an error. Called by any thread; does not wait. */
    public void cut() {
        store.cut();
    }

    /** Ends all rights without a call to the store, since a copy of this process may go on with them. */
    public void abandon() {
        stop();
        store.cut();
        store.close();
    }

    /**
     * Ends all rights, and hands them back. Called once, after the last value was taken.
     *
     * @param unused by right: this process uses neither this value nor a larger one
     */
    public void release(Map<Right, Long> unused) {
        stop();
        try {
            if (awaitEnd() && storeLock.tryLock(LONGEST_CLOSE_NANOS, TimeUnit.NANOSECONDS)) {
                try {
                    client.handBack(unused);
                } finally {
                    storeLock.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Leases were not handed back: " + store.label(), e);
        } finally {
            store.close();
        }
    }

    /** Returns whether the thread has ended in time, and the store has refused nothing but one number more. */
    private boolean awaitEnd() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = LONGEST_CLOSE_NANOS;
            while (isRunning && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !isRunning && (failure == null || failure.cause instanceof NoFreeNumberException);
        } finally {
            lock.unlock();
        }
    }
}
