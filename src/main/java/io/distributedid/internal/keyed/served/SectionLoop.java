package io.distributedid.internal.keyed.served;

import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that runs a {@link SectionClient}, and what callers may see of it. It reads all rows every 200 ms.
 * Only {@link #close} and {@link #abandon} end it. Thread-safe.
 *
 * <p>One class: callers and the thread share one state.
 */
final class SectionLoop {

    private static final Logger LOG = System.getLogger(SectionLoop.class.getName());

    private static final OutageLog OUTAGES = new OutageLog(LOG);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The pause before a round that could follow at once. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Used by the thread, then by the one that closes; its published states only under the lock. */
    private final SectionClient client;

    private final String member;

    private final BackgroundLoop loop;

    private final Platform platform;

    private final Runnable changed;

    private final ReentrantLock lock;

    private final Condition work;

    private final AtomicBoolean workWanted = new AtomicBoolean();

    private volatile boolean ended;

    private volatile @Nullable SectionTable table;

    /** Null after a success. */
    private volatile @Nullable Failure failure;

    // The lock guards all fields from here on.

    private long lastRead;

    private boolean isSettling;

    private boolean isStuck;

    /** The last failed call to the store. The first one after the last success was at {@code since}. */
    record Failure(Throwable cause, long since) {}

    /**
     * @param member the address of this process
     * @param changed called without a lock whenever calls may be answered, or refused; must not wait
     */
    SectionLoop(SectionClient client, String member, Platform platform, Runnable changed) {
        this.client = client;
        this.member = member;
        this.platform = platform;
        this.changed = changed;
        lock = platform.lock();
        work = lock.newCondition();
        lastRead = platform.nanoTime() - POLL_NANOS;
        loop = new BackgroundLoop(platform, "distributedid-sections", this::round, this::failed);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    boolean isEnded() {
        return ended;
    }

    @Nullable
    Failure failure() {
        return failure;
    }

    /** Who owns what; empty before the first read. */
    Optional<SectionTable> table() {
        return Optional.ofNullable(table);
    }

    /** Has the thread do its work now. */
    void want() {
        if (workWanted.compareAndSet(false, true)) {
            lock.lock();
            try {
                work.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    private void round() throws SQLException, InterruptedException {
        if (!awaitWork()) {
            return;
        }
        if (isReadDue()) {
            try {
                client.read();
            } catch (SQLException | RuntimeException e) {
                publish();
                throw e;
            }
        }
        publish();
        List<Change> due = client.decide();
        publish();
        client.send(due);
        publish();
        failure = null;
        OUTAGES.succeeded(this, () -> "The store of sections is reachable again: " + client.where());
    }

    /** Returns false once ended. */
    private boolean awaitWork() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean mustPause = isStuck || failure != null;
            long pause = !mustPause && isSettling ? SHORT_NANOS : POLL_NANOS;
            long left = lastRead + pause - platform.nanoTime();
            while (!ended && left > 0 && (mustPause || !workWanted.get())) {
                left = Math.min(work.awaitNanos(left), lastRead + pause - platform.nanoTime());
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean isReadDue() {
        lock.lock();
        try {
            workWanted.set(false);
            long now = platform.nanoTime();
            boolean isDue = now - lastRead >= POLL_NANOS;
            if (!isDue && !isSettling && !client.mustRead()) {
                return false;
            }
            lastRead = now;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets callers use what was learnt. */
    private void publish() {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            client.publish();
            isSettling = client.isSettling();
            isStuck = client.isStuck();
            client.owners().ifPresent(this::note);
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    private void note(List<Optional<String>> owners) {
        SectionTable before = table;
        if (before == null || !before.owners().equals(owners)) {
            table = new SectionTable(before == null ? 1 : before.version() + 1, member, owners);
        }
    }

    private void failed(Throwable e) {
        Failure before = failure;
        failure = new Failure(e, before == null ? platform.nanoTime() : before.since);
        if (!ended) {
            OUTAGES.failed(
                    this,
                    "The sections of a sequence can't be read or renewed for now, and that is tried again: "
                            + client.where(),
                    e);
        }
        lock.lock();
        try {
            lastRead = platform.nanoTime();
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Refuses calls from now on, and ends all waits. Does not wait. */
    void stop() {
        ended = true;
        loop.close();
        lock.lock();
        try {
            work.signal();
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Ends without a word to the store: a copy of this process may go on with the sections. */
    void abandon() {
        stop();
        forget();
        LOG.log(
                Level.DEBUG,
                "The sections are abandoned, thread ended: {0}",
                Boolean.toString(loop.interruptAndAwaitEnd(Duration.ofSeconds(1))));
    }

    private void forget() {
        lock.lock();
        try {
            client.publishNothing();
        } finally {
            lock.unlock();
        }
    }

    /** Hands all sections over, if that succeeds within the time; else they are free once their lease is over. */
    void close(Duration timeout) {
        stop();
        try {
            if (loop.awaitEnd(timeout) && failure == null) {
                client.leave();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "The sections were not handed over: " + client.where(), e);
        } finally {
            forget();
            loop.interrupt();
        }
    }
}
