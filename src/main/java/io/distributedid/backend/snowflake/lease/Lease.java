package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
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
 * A worker number and a window of time for this process: taken when it is opened, renewed by a daemon thread once half
 * of the window is over, handed back when it is released. By the rules of {@link LeaseProtocol}, carried out by a
 * {@link StoreClient}. Only the release ends the renewal, see {@link BackgroundLoop}; whatever went wrong last is in
 * the {@link #statistics}.
 *
 * <p>While the store is away the window stays valid to its end; then {@link #await} fails, at once if the store has
 * just been tried. If the number was taken by others meanwhile, as after a long pause, another one is leased.
 * Thread-safe.
 */
public final class Lease {

    @Name("io.distributedid.Window")
    @Label("Window")
    @Category("Distributed Ids")
    @Description("A worker number was leased, or its window prolonged")
    @StackTrace(false)
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

    /** A failure that is younger is told to callers without another attempt. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    /**
     * @param nanos when
     * @param since when the first one was after the last success
     */
    private record Failure(Throwable cause, long nanos, long since) {

        String said() {
            boolean isPlain = cause instanceof WorkerStoreException || cause instanceof DistributedIdException;
            return isPlain ? String.valueOf(cause.getMessage()) : cause.toString();
        }
    }

    private final LeaseTerms terms;

    private final InstantSource clock;

    /** Belongs to the opener, then to the thread, then to the releaser. */
    private final LeaseClient client;

    /** Held while the store is talked to, once the thread runs. */
    private final ReentrantLock talk = new ReentrantLock();

    private final BackgroundLoop loop;

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition work = lock.newCondition();

    private final Condition changed = lock.newCondition();

    private volatile @Nullable Grant current;

    private volatile @Nullable Duration clockOffset;

    /** Whether somebody has looked at the window since it was last renewed. */
    private volatile boolean used;

    // Guarded by the lock from here on.

    private boolean wanted;

    private boolean closed;

    private long attempts;

    private @Nullable Failure failure;

    /** The store is asked, or about to be. */
    private boolean talking;

    private Lease(LeaseClient client, LeaseTerms terms, InstantSource clock, ThreadFactory threads) {
        this.client = client;
        this.terms = terms;
        this.clock = clock;
        loop = new BackgroundLoop(threads, this::renewOnceDue, this::failed);
    }

    /**
     * Takes a number.
     *
     * @param store closed with the lease, or if it can't be opened
     * @param terms the rules
     * @param clock the local one
     * @param closing counted down when nobody wants it any more
     * @return with a window that has begun, unless nobody wants it
     * @throws IdUnavailableException if all numbers are taken, the store failed, or the clock is far from the store's
     * @throws io.distributedid.IdConfigurationException if the store is not what the settings say
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
     * Takes a number.
     *
     * @param client closed with the lease; left open if that can't be opened
     * @throws IdUnavailableException whose cause is a {@link WorkerStoreException} if the same client may be tried
     *     again: it remembers what it asked for
     */
    static Lease open(LeaseClient client, LeaseTerms terms, InstantSource clock, CountDownLatch closing) {
        return open(client, terms, clock, closing, BackgroundLoop.threads("distributedid-lease"));
    }

    /** @param threads makes the thread that renews */
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
        ClockWait.until(clock, grant.from(), start + terms.patience().toNanos(), closing);
    }

    /**
     * The number and window to use now.
     *
     * @return the newest; the same object until it changes
     */
    public Grant current() {
        if (!used) {
            used = true;
        }
        return granted();
    }

    private Grant granted() {
        Grant grant = current;
        if (grant == null) {
            throw new IllegalStateException("The lease is not open");
        }
        return grant;
    }

    /**
     * What is known of the number. Asks nobody, and counts as no use of it; but a thread that does not run is started.
     *
     * @param now the local clock
     * @return of the newest window; without an end if the number is for a single use, or is renewed when it is needed
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
                Optional.ofNullable(last).map(Failure::said));
    }

    /**
     * Waits for a better window.
     *
     * @param spent what {@link #current} has returned
     * @return another one
     * @throws IdUnavailableException if there is none, saying why
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
        long deadline = System.nanoTime() + terms.patience().toNanos();
        long before = attempts;
        boolean asks = false;
        keepRenewing();
        while (granted() == spent) {
            if (closed) {
                throw new IdUnavailableException("The source of ids is closed: worker=" + spent.worker());
            }
            Failure last = failure;
            if (last != null && (attempts > before || !isWorthWaiting(last, asks))) {
                throw new IdUnavailableException(ended(spent) + last.said(), last.cause);
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IdUnavailableException(ended(spent) + "no answer within "
                        + terms.patience().toMillis() + " ms from " + client.label());
            }
            asks = true;
            want();
            long unused = changed.awaitNanos(left);
        }
        return granted();
    }

    /**
     * A long outage is tried again by one caller at a time, since the store may hang; the others are told what it said
     * last.
     */
    private boolean isWorthWaiting(Failure last, boolean asks) {
        long now = System.nanoTime();
        boolean isLong = now - last.since > terms.patience().toNanos();
        return now - last.nanos >= FRESH_NANOS && (asks || !isLong || !(wanted || talking));
    }

    private String ended(Grant spent) {
        return "The window of the worker number has ended and there is no other yet: worker=" + spent.worker()
                + " until=" + Instant.ofEpochMilli(spent.until()) + ", clock=" + clock.instant() + ". ";
    }

    private void renewOnceDue() throws WorkerStoreException, InterruptedException {
        if (!awaitWork()) {
            return;
        }
        try {
            renew();
            succeeded();
        } catch (InterruptedException e) {
            // Whoever waits need not wait for the next round.
            lock.lock();
            try {
                want();
            } finally {
                lock.unlock();
            }
            throw e;
        } finally {
            publish();
            talksNoMore();
        }
    }

    private void talksNoMore() {
        lock.lock();
        try {
            talking = false;
        } finally {
            lock.unlock();
        }
    }

    private void want() {
        wanted = true;
        work.signal();
    }

    private void renew() throws WorkerStoreException, InterruptedException {
        talk.lockInterruptibly();
        try {
            while (client.isDue()) {
                client.renew();
            }
        } finally {
            talk.unlock();
        }
    }

    /**
     * What the store says of a sequence; it is told if it knows nothing.
     *
     * @param sequence its name
     * @param content what it is told
     * @return {@code content}, or what it knew before
     * @throws IdUnavailableException if the store failed
     */
    public String record(String sequence, String content) {
        try {
            talk.lockInterruptibly();
            try {
                return client.record(sequence, content);
            } finally {
                talk.unlock();
            }
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(
                    "What is recorded of a sequence can't be read: seq=" + sequence + ". " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while reading what is recorded of a sequence: seq=" + sequence, e);
        }
    }

    /**
     * Names the store in messages.
     *
     * @return without user and password
     */
    public String storeLabel() {
        return client.label();
    }

    /**
     * What tells the store from all others.
     *
     * @return random
     */
    public String storeToken() {
        return Objects.requireNonNull(client.storeToken());
    }

    /** Returns false once closed. */
    private boolean awaitWork() throws InterruptedException {
        lock.lock();
        try {
            long left = pauseNanos();
            while (!closed && !wanted && (left > 0 || !isWatched())) {
                left = left > 0 ? work.awaitNanos(left) : pauseNanos();
            }
            wanted = false;
            used = false;
            talking = !closed;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the window must be renewed in time. */
    private boolean isWatched() {
        return !terms.whileUsed() || used || failure != null;
    }

    /** A twentieth of the window, more or less, so that processes that started together don't stay together. */
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
                LOG.log(Level.INFO, "The worker number is renewed again: {0}", client.label());
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
                        "Worker number " + granted().worker() + " can't be renewed for now; ids are given until "
                                + Instant.ofEpochMilli(granted().until()),
                        e);
            }
            long now = System.nanoTime();
            failure = new Failure(e, now, failure == null ? now : failure.since);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the lease without a word to the store: its row stays reserved to its end, whatever copies of this process
     * use of it.
     */
    public void abandon() {
        boolean unused = stop();
        client.close();
        loop.interrupt();
        try {
            boolean hasEnded = loop.awaitEnd(LONGEST_CLOSE);
            LOG.log(Level.DEBUG, "A worker number is not used any more, thread ended: {0}", hasEnded);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the store has answered until now. */
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
     * Ends the lease. Called once, when no id will be composed any more.
     *
     * @param unused no id was composed with this or a later time
     */
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
