package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.BackgroundLoop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * A worker number with a window of time, leased for this process by the rules of {@link LeaseProtocol}, which a
 * {@link LeaseClient} carries out. A daemon thread renews the window once half of it is over; see
 * {@link BackgroundLoop}. Only {@link #release} and {@link #abandon} end the renewal. The last failure is in the
 * {@link #statistics}.
 *
 * <p>While the store is away the window stays valid to its end. Then callers wait, until the store has not answered for
 * {@code callerTimeout}, which is {@code block.timeout}. Later callers get its last failure at once; so do all callers
 * if the store has refused a window, or if the thread can't run. If another process has taken the number meanwhile, as
 * after a long pause, another number is leased.
 *
 * <p>Thread-safe. One class: callers and the renewing thread share one state under one lock.
 */
public final class Lease {

    @Name("io.distributedid.Window")
    @Label("Window")
    @Category("Distributed Ids")
    @Description("A worker number was leased, or its window prolonged")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads them.
    private static final class WindowEvent extends Event {

        @Label("Worker")
        long worker;

        @Label("From")
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long from;

        @Label("Until")
        @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
        long until;

        @Label("Store")
        @Nullable
        String store;
    }

    private static final Logger LOG = System.getLogger(Lease.class.getName());

    /** Callers get a failure younger than this without another attempt. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How often a store that does not answer is tried while callers wait. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    /** The last failure, at {@code nanos}. The first one after the last success was at {@code since}. */
    private record Failure(Throwable cause, long nanos, long since) {

        String message() {
            boolean isPlain = cause instanceof WorkerStoreException || cause instanceof DistributedIdException;
            return isPlain ? FailureText.of(cause) : cause.toString();
        }
    }

    private final LeaseTerms terms;

    private final InstantSource clock;

    /**
     * Used by one thread at a time: the opener, then the renewing thread under {@link #storeLock}, then the releaser.
     */
    private final LeaseClient client;

    /** Held during calls to the store, once the renewing thread runs. */
    private final ReentrantLock storeLock = new ReentrantLock();

    private final BackgroundLoop loop;

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition work = lock.newCondition();

    private final Condition changed = lock.newCondition();

    private volatile @Nullable Grant current;

    private volatile @Nullable Duration clockOffset;

    /** Whether a caller has read the window since it was last renewed. */
    private volatile boolean used;

    // The lock guards all fields from here on.

    private long callerNanos;

    private boolean renewalRequested;

    private boolean closed;

    private long attempts;

    private @Nullable Failure failure;

    /** When the last call to the store was about to begin. */
    private long lastTry;

    /** Whether a call to the store is under way or about to begin. */
    private boolean calling;

    private Lease(LeaseClient client, LeaseTerms terms, InstantSource clock, ThreadFactory threads) {
        this.client = client;
        this.terms = terms;
        this.clock = clock;
        callerNanos = terms.callerTimeout().toNanos();
        loop = new BackgroundLoop(threads, this::renewOnceDue, this::failed);
    }

    /**
     * Leases a number, and waits until its window begins.
     *
     * @param store closed with the lease, or if that can't be opened
     * @param closing ends the waits when counted down
     * @throws IdUnavailableException if all numbers are taken, the store failed, or the clock is far from the store's
     * @throws io.distributedid.IdConfigurationException if the settings do not fit the store
     */
    public static Lease open(WorkerStore store, LeaseTerms terms, InstantSource clock, CountDownLatch closing) {
        boolean taken = false;
        try {
            Lease lease = open(new StoreClient(store, terms, clock), terms, clock, closing);
            taken = true;
            return lease;
        } finally {
            if (!taken) {
                store.close();
            }
        }
    }

    /**
     * Leases a number through a client.
     *
     * @param client closed with the lease; left open if that can't be opened
     * @throws IdUnavailableException with a {@link WorkerStoreException} as its cause if the call may be repeated with
     *     the same client, which remembers its request
     */
    static Lease open(LeaseClient client, LeaseTerms terms, InstantSource clock, CountDownLatch closing) {
        return open(client, terms, clock, closing, BackgroundLoop.threads("distributedid-lease"));
    }

    static Lease open(
            LeaseClient client, LeaseTerms terms, InstantSource clock, CountDownLatch closing, ThreadFactory threads) {
        Lease lease = new Lease(client, terms, clock, threads);
        try {
            lease.take(closing);
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException("No worker number can be leased: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while leasing a worker number: " + client.label(), e);
        }
        lease.keepRenewing();
        return lease;
    }

    private void keepRenewing() {
        if (!terms.protocol().singleUse()) {
            loop.keepRunning();
        }
    }

    private void take(CountDownLatch closing) throws WorkerStoreException, InterruptedException {
        long start = System.nanoTime();
        while (client.isDue()) {
            try {
                client.renew();
            } catch (NoFreeWorkerException e) {
                if (terms.protocol().singleUse()
                        || System.nanoTime() - start > terms.startWait().toNanos()) {
                    throw e;
                }
                if (closing.await(pauseNanos(), TimeUnit.NANOSECONDS)) {
                    throw new IdUnavailableException(
                            "The source of ids is closed, while it waited for a worker number. " + e.getMessage(), e);
                }
            }
        }
        publish();
        Grant grant = granted();
        LOG.log(Level.INFO, "Worker number {0} is leased: {1}", Long.toString(grant.worker()), client.label());
        ClockWait.until(clock, grant.from(), start + terms.callerTimeout().toNanos(), closing);
    }

    /** The number and window to use now: the same object until it changes. */
    public Grant current() {
        if (!used) {
            used = true;
        }
        return granted();
    }

    /** From now on callers wait for {@code timeout}, unless they wait longer already. */
    void allowWait(Duration timeout) {
        lock.lock();
        try {
            callerNanos = Math.max(callerNanos, timeout.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private Grant granted() {
        Grant grant = current;
        if (grant == null) {
            throw new IllegalStateException("The lease is not open");
        }
        return grant;
    }

    /**
     * Statistics of the newest window, without its end if the number is for a single use or is renewed when needed.
     * Calls no store, and does not count as use of the window. Starts the renewing thread if it does not run.
     */
    public WorkerStatistics statistics(Instant now) {
        Grant grant = granted();
        keepRenewing();
        Failure last;
        lock.lock();
        try {
            last = failure;
        } finally {
            lock.unlock();
        }
        return new WorkerStatistics(
                grant.worker(),
                now,
                grant.until() == Long.MAX_VALUE || (terms.whileUsed() && last == null)
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(grant.until())),
                terms.whileUsed() ? Optional.empty() : Optional.ofNullable(clockOffset),
                Optional.ofNullable(last).map(Failure::message));
    }

    /**
     * Waits until {@link #current} is not {@code spent} any more, and returns it.
     *
     * @throws IdUnavailableException if there is no other window; the message has the cause
     */
    public Grant await(Grant spent) {
        try {
            lock.lockInterruptibly();
            try {
                return awaitLocked(spent);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for a window: worker=" + spent.worker(), e);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private Grant awaitLocked(Grant spent) throws InterruptedException {
        long deadline = System.nanoTime() + callerNanos;
        long before = attempts;
        boolean hasAsked = false;
        keepRenewing();
        while (granted() == spent) {
            if (closed) {
                throw new IdUnavailableException("The source of ids is closed: worker=" + spent.worker());
            }
            long now = System.nanoTime();
            long left = deadline - now;
            Failure last = failure;
            if (left <= 0 || (last != null && !isWorthWaiting(last, now, attempts > before, hasAsked))) {
                throw late(spent, last);
            }
            hasAsked = true;
            if (last == null || now - lastTry >= RETRY_NANOS) {
                requestRenewal();
            }
            long unused = changed.awaitNanos(last == null ? left : Math.min(left, RETRY_NANOS));
        }
        return granted();
    }

    /**
     * All callers wait while the store has not answered for less than the timeout. Then, and after another failure, one
     * caller at a time tries again, since the store may hang. Others get the last failure.
     *
     * @param tried whether an attempt has ended since the caller came
     * @param hasAsked whether the caller has asked for one
     */
    private boolean isWorthWaiting(Failure last, long now, boolean tried, boolean hasAsked) {
        boolean isLong = now - last.since > callerNanos;
        if (last.cause instanceof WorkerStoreException && !isLong) {
            return true;
        }
        return !tried && now - last.nanos >= FRESH_NANOS && (hasAsked || !isLong || !(renewalRequested || calling));
    }

    private IdUnavailableException late(Grant spent, @Nullable Failure last) {
        String what = "The window of the worker number has ended and there is no other yet: worker=" + spent.worker()
                + " until=" + Instant.ofEpochMilli(spent.until()) + ", clock=" + clock.instant() + ". ";
        return last == null
                ? new IdUnavailableException(what + "no answer within " + TimeUnit.NANOSECONDS.toMillis(callerNanos)
                        + " ms from " + client.label())
                : new IdUnavailableException(what + last.message(), last.cause);
    }

    private void renewOnceDue() throws WorkerStoreException, InterruptedException {
        if (!awaitWork()) {
            return;
        }
        try {
            renew();
            succeeded();
        } catch (InterruptedException e) {
            // Callers that wait need not wait for the next round.
            lock.lock();
            try {
                requestRenewal();
            } finally {
                lock.unlock();
            }
            throw e;
        } finally {
            publish();
            callEnded();
        }
    }

    private void callEnded() {
        lock.lock();
        try {
            calling = false;
        } finally {
            lock.unlock();
        }
    }

    private void requestRenewal() {
        renewalRequested = true;
        work.signal();
    }

    private void renew() throws WorkerStoreException, InterruptedException {
        storeLock.lockInterruptibly();
        try {
            while (client.isDue()) {
                client.renew();
            }
        } finally {
            storeLock.unlock();
        }
    }

    /**
     * Returns the store's record of a sequence. If there is none, writes {@code content} and returns it.
     *
     * @throws IdUnavailableException if the store failed
     */
    public String record(String sequence, String content) {
        try {
            storeLock.lockInterruptibly();
            try {
                return client.record(sequence, content);
            } finally {
                storeLock.unlock();
            }
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(
                    "The record of a sequence can't be read: seq=" + sequence + ". " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the record of a sequence: seq=" + sequence, e);
        }
    }

    /** Names the store in messages, without user and password. */
    public String storeLabel() {
        return client.label();
    }

    /** Identifies the store; random. */
    public String storeToken() {
        return Objects.requireNonNull(client.storeToken());
    }

    /** Returns false once closed. */
    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long left = pauseNanos();
            while (!closed && !renewalRequested && (left > 0 || !isWatched())) {
                left = left > 0 ? work.awaitNanos(left) : pauseNanos();
            }
            renewalRequested = false;
            used = false;
            calling = !closed;
            lastTry = System.nanoTime();
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the window must be renewed in time. */
    private boolean isWatched() {
        return !terms.whileUsed() || used || failure != null;
    }

    /** A random time around a twentieth of the window, so that processes that started together do not stay in step. */
    private long pauseNanos() {
        long even = TimeUnit.MILLISECONDS.toNanos(client.windowMillis()) / 20;
        return even / 2 + ThreadLocalRandom.current().nextLong(even + 1);
    }

    @SuppressWarnings("ReferenceEquality")
    private void publish() {
        Grant granted = client.granted();
        clockOffset = client.clockOffset();
        lock.lock();
        try {
            if (current == granted) {
                return;
            }
            current = granted;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (granted != null) {
            record(granted);
        }
    }

    private void record(Grant granted) {
        WindowEvent event = new WindowEvent();
        if (event.shouldCommit()) {
            event.worker = granted.worker();
            event.from = granted.from();
            event.until = granted.until();
            event.store = client.label();
            event.commit();
        }
    }

    private void succeeded() {
        lock.lock();
        try {
            attempts++;
            if (failure != null) {
                LOG.log(
                        Level.INFO,
                        "The worker number is renewed again: worker={0} on {1}",
                        Long.toString(granted().worker()),
                        client.label());
                failure = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable e) {
        lock.lock();
        try {
            attempts++;
            if (failure == null && !closed) {
                LOG.log(
                        Level.WARNING,
                        "A worker number can't be renewed for now, and it is tried again: worker="
                                + granted().worker() + ". Ids are available until "
                                + Instant.ofEpochMilli(granted().until()) + ". Reason: "
                                + new Failure(e, 0, 0).message());
            }
            LOG.log(Level.DEBUG, "A worker number can't be renewed for now", e);
            long now = System.nanoTime();
            failure = new Failure(e, now, failure == null ? now : failure.since);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the lease without a call to the store. The row stays reserved to its end, since a copy may use the window.
     */
    public void abandon() {
        boolean unused = stop();
        client.close();
        LOG.log(
                Level.DEBUG,
                "A worker number is not used any more, thread ended: {0}",
                loop.interruptAndAwaitEnd(LONGEST_CLOSE));
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

    /** Ends the lease. Called once, after the last id; no id has the time {@code unused} or a later one. */
    public void release(long unused) {
        boolean storeAnswers = stop();
        try {
            if (loop.awaitEnd(LONGEST_CLOSE) && storeAnswers) {
                client.handBack(unused);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WorkerStoreException | RuntimeException e) {
            LOG.log(Level.DEBUG, "A worker number was not handed back: " + client.label(), e);
        } finally {
            client.close();
            loop.interrupt();
        }
    }
}
