package io.distributedid.internal.lease;

import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rights of this process in one store. A {@link LeaseLoop} renews all that are due in one trip, and looks at
 * the rows of other processes that this one waits for. Only {@link #release} and {@link #abandon} end it.
 *
 * <p>While the store is away, rights last to their end. Then callers wait, until the store has not answered for as long
 * as they may wait; from then on they get its last failure at once. So do all callers if the store refuses.
 *
 * <p>Thread-safe.
 */
public final class LeaseRunner {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    private final LeaseStore store;

    private final Platform platform;

    private final LeaseClient client;

    private final LeaseLoop loop;

    private final ReentrantLock lock;

    /** Of what callers wait for. */
    private final Condition changed;

    private volatile boolean isStopping;

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
        lock = platform.lock();
        changed = lock.newCondition();
        loop = new LeaseLoop(client, store.label(), LeaseLoop.outages(platform), platform, this::changed);
    }

    private void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
        while (!client.rights().contains(right)) {
            try {
                Void unused = inStore(what, () -> {
                    client.step(List.of(right), false);
                    return null;
                });
                client.rights().add(right);
                keepRunning();
            } catch (NoFreeNumberException e) {
                if (platform.nanoTime() - deadline >= 0) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private void pause(NoFreeNumberException e) {
        try {
            lock.lockInterruptibly();
            try {
                if (!isStopping) {
                    long poll = LeaseLoop.POLL_NANOS;
                    long unused = changed.awaitNanos(poll + platform.random(0, poll));
                }
                if (isStopping) {
                    throw new IdUnavailableException(
                            "The source of ids was closed while it waited for a worker number. " + e.getMessage(), e);
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

    private <T extends @Nullable Object> T inStore(String what, LeaseLoop.Call<T> call) {
        try {
            return loop.call(call);
        } catch (SQLException e) {
            throw new IdUnavailableException(what + ": " + store.label() + " said: " + FailureText.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted. " + what + ": " + store.label(), e);
        }
    }

    /** Whether a right lasts now, by the monotonic clock. */
    public boolean lasts(Right right, Lease lease) {
        return right.isUsable(lease, platform.nanoTime());
    }

    /** How long an exclusive right lasts without another answer; 0 or less if it is over. */
    public Duration left(Right right, Lease held) {
        return Duration.ofNanos(right.protocol().left(held, platform.nanoTime()));
    }

    /** How far the local clock is ahead of the store's; empty before the store has answered. */
    public Optional<Duration> clockOffset() {
        return client.clockOffset();
    }

    /** The last failure, unless it was made up for. Starts the thread if it does not run. */
    public Optional<String> failure() {
        keepRunning();
        return Optional.ofNullable(loop.failure()).map(LeaseLoop.Failure::message);
    }

    private void keepRunning() {
        if (!client.rights().isEmpty()) {
            loop.keepRunning();
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
                    Pages.withOneRow("This process is on standby, and another process gives the ids: active="
                            + owner + ", "
                            + store.label() + ". Ask that process; if it stops, this one takes over"
                            + failure()
                                    .map(last -> ", but for now it can't: " + last)
                                    .orElse("")
                            + Pages.onCall("standby")),
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
        keepRunning();
        while (true) {
            if (loop.isEnded()) {
                throw new IdUnavailableException("The source of ids is closed: " + store.label());
            }
            Lease now = right.current();
            if (now != null && now != spent && right.isUsable(now, platform.nanoTime())) {
                return now;
            }
            requireNotStandby(right);
            LeaseLoop.Failure last = loop.failure();
            long time = platform.nanoTime();
            if (time - began >= limit || (last != null && (!last.isSilence() || time - last.since() > limit))) {
                throw late(right, last, limit);
            }
            loop.want();
            long unused = changed.awaitNanos(limit - (time - began));
        }
    }

    private IdUnavailableException late(Right right, LeaseLoop.@Nullable Failure last, long limit) {
        Lease held = right.current();
        String what = "The lease has ended, and there is no new one yet: "
                + (held == null ? "" : held.row().name() + " ") + "on " + store.label() + ". ";
        String row = Pages.onCall("lease-ended");
        return last == null
                ? new IdUnavailableException(
                        what + "No answer within " + TimeUnit.NANOSECONDS.toMillis(limit) + " ms" + row)
                : new IdUnavailableException(Pages.withOneRow(what + last.message() + row), last.cause());
    }

    /** From now on nobody waits for a free number, and calls to the store wait only briefly. By any thread. */
    public void stopWaiting() {
        store.stop();
        isStopping = true;
        changed();
    }

    /** Ends calls to the store with an error. Called by any thread; does not wait. */
    public void cut() {
        store.cut();
    }

    /** Ends all rights without a call to the store, since a copy of this process may go on with them. */
    public void abandon() {
        stopWaiting();
        loop.stop();
        store.cut();
        store.close();
    }

    /**
     * Ends all rights, and hands them back. Called once, after the last value was taken.
     *
     * @param unused by right: this process uses neither this value nor a larger one
     */
    public void release(Map<Right, Long> unused) {
        stopWaiting();
        try {
            loop.close(LONGEST_CLOSE, () -> client.handBack(unused));
        } finally {
            store.close();
        }
    }
}
