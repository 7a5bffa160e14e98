package io.distributedid.internal.keyed.served;

import io.distributedid.internal.keyed.source.SectionTable;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that runs a {@link SectionClient}, and what callers may see of it. It reads all rows every 200 ms.
 * Only {@link #close} and {@link #abandon} end it. Thread-safe.
 *
 * <p>One class: callers and the thread share one state.
 */
final class SectionLoop {

    private static final Logger LOG = System.getLogger(SectionLoop.class.getName());

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The pause before a round that could follow at once. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Used by the thread, then by the one that closes; its published states only under the lock. */
    private final SectionClient client;

    private final String member;

    private final BackgroundLoop loop;

    private final StoreFailures failures;

    private final Platform platform;

    private final Runnable changed;

    private final ReentrantLock lock;

    private final Condition work;

    private final AtomicBoolean workWanted = new AtomicBoolean();

    private volatile boolean ended;

    private volatile @Nullable SectionTable table;

    private volatile Map<Integer, String> troubles = Map.of();

    // The lock guards all fields from here on.

    private long lastRead;

    private boolean isSettling;

    /**
     * @param clients makes the client; its argument is to be called when a larger {@code max} is needed soon
     * @param member the address of this process
     * @param changed called without a lock whenever calls may be answered, or refused; must not wait
     */
    SectionLoop(Function<Runnable, SectionClient> clients, String member, Platform platform, Runnable changed) {
        this.member = member;
        this.platform = platform;
        this.changed = changed;
        lock = platform.lock();
        work = lock.newCondition();
        lastRead = platform.nanoTime() - POLL_NANOS;
        client = clients.apply(this::want);
        failures = new StoreFailures(client::where, platform);
        loop = new BackgroundLoop(platform, "distributedid-sections", this::round, this::failed);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    boolean isEnded() {
        return ended;
    }

    Section section(int index) {
        return client.section(index);
    }

    StoreFailures.@Nullable Failure failure() {
        return failures.last();
    }

    /** Why a section has no numbers, whoever owns it. */
    @Nullable
    String trouble(int section) {
        return troubles.get(section);
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
        client.decide();
        publish();
        client.send();
        publish();
        failures.succeeded();
    }

    /** Returns false once ended. */
    private boolean awaitWork() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean isFailing = failures.last() != null;
            long pause = !isFailing && isSettling ? SHORT_NANOS : POLL_NANOS;
            long left = lastRead + pause - platform.nanoTime();
            while (!ended && left > 0 && (isFailing || !workWanted.get())) {
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
            troubles = client.troubles();
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
        failures.failed(e, !ended);
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
            if (loop.awaitEnd(timeout) && failures.last() == null) {
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
