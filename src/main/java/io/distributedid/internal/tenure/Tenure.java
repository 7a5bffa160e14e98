package io.distributedid.internal.tenure;

import io.distributedid.DistributedIdException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.tenure.TenureState.Sighting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of this process in a {@link TenureProtocol}: active while it owns the row and its term lasts, else standby.
 * A daemon thread renews the row when a third of the lease is over, and reads the row of another process every 200 ms;
 * see {@link BackgroundLoop}. Only {@link #release} and {@link #abandon} end it.
 *
 * <p>If no renewal succeeds, the term ends and {@link #await} fails, after a wait. The process is active again if the
 * store answers before another process takes over.
 *
 * <p>Thread-safe. One class: callers and the background thread share one state under one lock.
 */
public final class Tenure {

    private static final Logger LOG = System.getLogger(Tenure.class.getName());

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    /**
     * The settings of a tenure.
     *
     * @param lease how long a process stays active without an answer of the store
     * @param callerTimeout how long a caller waits for a renewal that is late
     * @param owner names this process in messages of others
     */
    public record Terms(Duration lease, Duration callerTimeout, String owner) {}

    /** The last failure. The first one after the last success was at {@code since}. */
    private record Failure(Throwable cause, long since) {

        String message() {
            boolean isPlain = cause instanceof TenureStoreException || cause instanceof DistributedIdException;
            return isPlain ? String.valueOf(cause.getMessage()) : cause.toString();
        }
    }

    private final Terms terms;

    private final LongSupplier nanoTime;

    /** Used by one thread at a time: the opener, then the background thread, then the releaser. */
    private final TenureClient client;

    private final BackgroundLoop loop;

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition work = lock.newCondition();

    private final Condition changed = lock.newCondition();

    private volatile TenureState state = TenureState.EMPTY;

    /** The same as in {@link #state}, for one read of memory less. */
    private volatile @Nullable Term current;

    private volatile long takeovers;

    /** Written while the lock is held. */
    private volatile long callerNanos;

    // The lock guards all fields from here on.

    private boolean renewalWanted;

    private boolean closed;

    private @Nullable Failure failure;

    private Tenure(TenureClient client, Terms terms, LongSupplier nanoTime, ThreadFactory threads) {
        this.client = client;
        this.terms = terms;
        this.nanoTime = nanoTime;
        callerNanos = terms.callerTimeout().toNanos();
        loop = new BackgroundLoop(threads, this::stepOnceDue, this::failed);
    }

    /**
     * Reads the row, and becomes active if no other process is. Does not wait for another process.
     *
     * @param store closed with the tenure; left open if that can't be opened
     * @param nanoTime a monotonic clock
     * @throws IdUnavailableException if the row can't be read
     */
    public static Tenure open(TenureStore store, Terms terms, LongSupplier nanoTime) {
        return open(store, terms, nanoTime, BackgroundLoop.threads("distributedid-tenure"));
    }

    static Tenure open(TenureStore store, Terms terms, LongSupplier nanoTime, ThreadFactory threads) {
        TenureClient client = new TenureClient(
                store, new TenureProtocol(terms.lease().toNanos()), nanoTime, Tenure::token, terms.owner());
        Tenure tenure = new Tenure(client, terms, nanoTime, threads);
        try {
            tenure.begin();
        } catch (TenureStoreException e) {
            throw new IdUnavailableException("Which process is active can't be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading which process is active: " + store.label(), e);
        }
        tenure.loop.keepRunning();
        return tenure;
    }

    /** Random, at most 27 characters. */
    private static String token() {
        UUID random = UUID.randomUUID();
        return Long.toUnsignedString(random.getMostSignificantBits(), Character.MAX_RADIX)
                + "."
                + Long.toUnsignedString(random.getLeastSignificantBits(), Character.MAX_RADIX);
    }

    /** Once the row was read, the background thread repeats what fails. */
    private void begin() throws TenureStoreException, InterruptedException {
        try {
            client.step(false);
        } catch (TenureStoreException e) {
            if (client.state().equals(TenureState.EMPTY)) {
                throw e;
            }
            failed(e);
        } catch (IdUnavailableException e) {
            failed(e);
        } finally {
            publish();
        }
    }

    /** From now on callers wait for {@code timeout}, unless they wait longer already. */
    public void allowWait(Duration timeout) {
        lock.lock();
        try {
            callerNanos = Math.max(callerNanos, timeout.toNanos());
        } finally {
            lock.unlock();
        }
    }

    /** How long a call may wait. */
    public Duration callerTimeout() {
        return Duration.ofNanos(callerNanos);
    }

    /** The newest term: the same object until it is renewed. Its lease may be over. Null while standby. */
    public @Nullable Term current() {
        return current;
    }

    /**
     * Fails while this process is standby.
     *
     * @throws IdStandbyException if another process is active
     */
    public void requireNotStandby() {
        if (other(state) != null) {
            lock.lock();
            try {
                requireNotStandby(state);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits for another valid term than {@code spent}, which has ended, or whose values are used up.
     *
     * @param deadline of the whole call, which may have waited before, by {@link System#nanoTime}
     * @throws IdStandbyException if another process is active
     * @throws IdUnavailableException if there is no other term in time; the message has the cause
     */
    public Term await(@Nullable Term spent, long deadline) {
        try {
            lock.lockInterruptibly();
            try {
                return awaitLocked(spent, deadline);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for the lease: " + client.label(), e);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private Term awaitLocked(@Nullable Term spent, long deadline) throws InterruptedException {
        boolean hasAsked = false;
        loop.keepRunning();
        while (true) {
            if (closed) {
                throw new IdUnavailableException("The source of ids is closed: " + client.label());
            }
            TenureState now = state;
            Term held = now.held();
            if (held != null && held != spent && held.isValid(nanoTime.getAsLong())) {
                return held;
            }
            requireNotStandby(now);
            Failure last = failure;
            long left = deadline - System.nanoTime();
            if (left <= 0 || (last != null && isLong(last))) {
                throw late(last);
            }
            if (!hasAsked) {
                hasAsked = true;
                renewalWanted = true;
                work.signal();
            }
            long unused = changed.awaitNanos(left);
        }
    }

    /** During a long outage callers do not wait: the background thread goes on trying. */
    private boolean isLong(Failure last) {
        return System.nanoTime() - last.since > callerNanos;
    }

    private IdUnavailableException late(@Nullable Failure last) {
        String what = "The lease of the active process is not renewed yet: ";
        return last == null
                ? new IdUnavailableException(what + "no answer within " + TimeUnit.NANOSECONDS.toMillis(callerNanos)
                        + " ms from " + client.label())
                : new IdUnavailableException(what + last.message(), last.cause);
    }

    private void requireNotStandby(TenureState now) {
        TenureRow row = other(now);
        if (row != null) {
            throw new IdStandbyException(
                    "This process is standby, and another one gives the ids: active=" + row.owner() + ", "
                            + client.label() + ". Ask that process; if it stops, this one takes over"
                            + Optional.ofNullable(failure)
                                    .map(last -> ", but for now it can't: " + last.message())
                                    .orElse(""),
                    row.owner());
        }
    }

    /** The row of the process that is active instead of this one; null if there is none. */
    private static @Nullable TenureRow other(TenureState now) {
        Sighting seen = now.seen();
        TenureRow row = now.held() != null || seen == null ? null : seen.row();
        return row == null || row.isHandedBack() ? null : row;
    }

    /** Calls no store. Starts the background thread if it does not run. */
    public TenureStatistics statistics() {
        loop.keepRunning();
        TenureState now = state;
        Term held = now.held();
        Optional<Duration> left =
                Optional.ofNullable(held).map(term -> Duration.ofNanos(term.end() - nanoTime.getAsLong()));
        Optional<String> active = held != null
                ? Optional.of(terms.owner())
                : Optional.ofNullable(other(now)).map(TenureRow::owner);
        return new TenureStatistics(held != null, active, left, takeovers, lastFailure());
    }

    private Optional<String> lastFailure() {
        lock.lock();
        try {
            return Optional.ofNullable(failure).map(Failure::message);
        } finally {
            lock.unlock();
        }
    }

    private void stepOnceDue() throws TenureStoreException, InterruptedException {
        if (!awaitWork()) {
            return;
        }
        boolean wanted = setWanted(false);
        try {
            client.step(wanted);
            succeeded();
        } catch (InterruptedException e) {
            boolean unused = setWanted(wanted);
            throw e;
        } finally {
            publish();
        }
    }

    /** Returns false once closed. */
    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long left = failure == null ? client.pauseNanos() : TenureClient.POLL_NANOS;
            while (!closed && !renewalWanted && left > 0) {
                left = work.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a caller has asked for another term. */
    private boolean setWanted(boolean now) {
        lock.lock();
        try {
            boolean before = renewalWanted;
            renewalWanted = now;
            return before;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private void publish() {
        lock.lock();
        try {
            takeovers = client.takeovers();
            if (state != client.state()) {
                state = client.state();
                current = state.held();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void succeeded() {
        lock.lock();
        try {
            if (failure != null) {
                LOG.log(Level.INFO, "The lease of the active process is reachable again: {0}", client.label());
                failure = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable e) {
        lock.lock();
        try {
            long now = System.nanoTime();
            Failure next = new Failure(e, failure == null ? now : failure.since);
            if (failure == null && !closed) {
                LOG.log(
                        Level.WARNING,
                        "The lease of the active process can't be " + (current == null ? "read" : "renewed")
                                + " for now, and that is tried again: " + client.label() + ". Reason: "
                                + next.message());
            }
            LOG.log(Level.DEBUG, "The lease of the active process can't be reached for now", e);
            failure = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the tenure without a call to the store, since a copy of this process may go on with it. */
    public void abandon() {
        boolean unused = stop();
        client.close();
        LOG.log(Level.DEBUG, "The tenure is abandoned, thread ended: {0}", loop.interruptAndAwaitEnd(LONGEST_CLOSE));
    }

    /** Returns false if the last call to the store has failed. */
    private boolean stop() {
        loop.close();
        lock.lock();
        try {
            closed = true;
            work.signal();
            changed.signalAll();
            return failure == null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the tenure, and hands it back if this process is active. Called once, after the last value was taken.
     *
     * @param unused this process uses neither this nor a larger value
     */
    public void release(long unused) {
        boolean storeAnswers = stop();
        try {
            if (loop.awaitEnd(LONGEST_CLOSE) && storeAnswers) {
                client.handBack(unused);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TenureStoreException | RuntimeException e) {
            LOG.log(Level.DEBUG, "The tenure was not handed back: " + client.label(), e);
        } finally {
            client.close();
            loop.interrupt();
        }
    }
}
