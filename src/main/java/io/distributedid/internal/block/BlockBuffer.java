package io.distributedid.internal.block;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceListener;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ids of reserved blocks and reserves the next block in the background (the double buffer of Meituan's
 * Leaf and Didi's TinyID).
 *
 * <p>An id costs one atomic increment on the current block. The increment that reaches {@link BlockPolicy#refillAt}
 * starts the fetch of the next block, see {@link BlockQueue}. A caller that finds the block used up takes the lock,
 * waits for the next block if necessary, and makes it the current one.
 *
 * <p>The fast path reads no clock. A timer checks the ages of blocks: it fetches a new block before the last one is too
 * old, if there is demand, and drops blocks that are too old. While no server answers, old blocks stay in use.
 *
 * <p>A failed fetch is retried with back-off, in the background, until a fetch succeeds or is refused. Callers wait
 * until the timeout has passed since the first of these fetches began. So they survive a short failover, and in a long
 * outage later callers fail at once. A refusal is for all callers that came before that fetch ended; a later caller
 * starts the next fetch. Ids that a failed fetch may have reserved are never handed out. At most one fetch runs at a
 * time, so that blocks are handed out in the order of their reservation: if the blocks ascend, so do the ids of each
 * thread.
 *
 * <p>In strict mode ({@code block.max=1}) nothing is reserved ahead. An id is only for a caller that came before the id
 * was asked for, and is dropped if all these callers have gone; see {@link Callers}.
 *
 * <p>It has more than 300 lines because one lock guards hand-out, waits and ages together.
 */
public final class BlockBuffer implements IdSource, AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    /** In this time, all sequences of a start ask for their first block. */
    private static final Duration TOGETHER = Duration.ofMillis(5);

    private final Sequence sequence;

    private final BlockPolicy policy;

    private final Scheduler scheduler;

    private final BlockQueue queue;

    private final Platform platform;

    private final WaitStatistics waits;

    private final @Nullable Runnable watch;

    private final ReentrantLock lock;

    private volatile ReservedIds current = ReservedIds.none();

    // Guarded by the lock from here on.

    private final Callers callers;

    private final FetchHistory history;

    private final NextBlock next;

    private long stoppedAt;

    /**
     * @param queue of the source's group
     * @param outages shared with other buffers of the same servers
     * @param listener of waits and fetches
     */
    BlockBuffer(
            Sequence sequence,
            BlockSource source,
            BlockPolicy policy,
            Scheduler scheduler,
            BlockQueue queue,
            OutageLog outages,
            Platform platform,
            SequenceListener listener) {
        this.sequence = sequence;
        this.policy = policy;
        this.scheduler = scheduler;
        this.queue = queue;
        this.platform = platform;
        this.lock = platform.lock();
        this.callers = new Callers(lock);
        this.history = new FetchHistory(sequence, outages);
        this.next = new NextBlock(
                sequence, source, policy, callers, history, scheduler, platform, listener, size -> ask(size, 0));
        this.waits =
                new WaitStatistics(sequence.name(), platform::nanoTime, time -> listener.waited(sequence.name(), time));
        watch = policy.maxAge().map(BlockAges::new).map(this::watchedEvery).orElse(null);
    }

    private Runnable watchedEvery(BlockAges ages) {
        Runnable task = () -> watch(ages);
        scheduler.every(ages.interval(), task);
        return task;
    }

    /** The same as {@link #take}, whose second comparison would cost a tenth. */
    @Override
    public long next() {
        ReservedIds ids = current;
        long id = ids.take();
        if (!ids.holds(id)) {
            return waitFor(this::takeOne, 1);
        }
        if (ids.refillsAt(id)) {
            refill(0);
        }
        return id;
    }

    @Override
    public long tryNext() {
        ReservedIds ids = current;
        return ids.isUsedUp() ? 0 : take(ids);
    }

    /** Returns 0 if the block is used up. */
    private long take(ReservedIds ids) {
        long id = ids.take();
        if (!ids.holds(id)) {
            return 0;
        }
        if (ids.refillsAt(id)) {
            refill(0);
        }
        return id;
    }

    private @Nullable Long takeOne(ReservedIds ids) {
        long id = take(ids);
        return id == 0 ? null : id;
    }

    /**
     * Takes the lock each time, since one call gets many ids. The next block has as many as are missing, so that a
     * large batch costs one reservation.
     */
    @Override
    public ReservedBlock nextBlock(long count) {
        requirePositive(count);
        return waitFor(ids -> takeBlock(ids, count, count), count);
    }

    /** Nobody holds the lock while he waits for a server. */
    @Override
    public Optional<ReservedBlock> tryNextBlock(long count) {
        requirePositive(count);
        lock.lock();
        try {
            ReservedBlock taken = takeBlock(current, count, 0);
            if (taken == null && next.ids() != null && !policy.strict()) {
                advance();
                taken = takeBlock(current, count, 0);
            }
            return Optional.ofNullable(taken);
        } finally {
            lock.unlock();
        }
    }

    private static void requirePositive(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("The number of ids must be at least 1: count=" + count);
        }
    }

    /** @param batch how many ids the caller comes for, until it has them all */
    private @Nullable ReservedBlock takeBlock(ReservedIds ids, long count, long batch) {
        Block taken = ids.take(count).orElse(null);
        if (taken == null) {
            return null;
        }
        if (ids.refillsWithin(taken)) {
            refill(batch - taken.count());
        }
        return new ReservedBlock(taken, Duration.ofNanos(Math.max(0, ids.nanosSinceReserved(platform.nanoTime()))));
    }

    /**
     * @param take takes from a block, with the lock; returns null if that is used up
     * @param wanted how many ids the caller wants
     */
    private <T> T waitFor(Function<ReservedIds, @Nullable T> take, long wanted) {
        WaitStatistics.Wait wait = waits.ofCall();
        try {
            lock.lockInterruptibly();
            long came = callers.come();
            try {
                return nextOrWait(take, wanted, came, wait);
            } finally {
                callers.go(came);
                next.dropUnlessWanted();
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for an id: " + sequence, e);
        } finally {
            wait.end();
        }
    }

    private <T> T nextOrWait(Function<ReservedIds, @Nullable T> take, long wanted, long came, WaitStatistics.Wait wait)
            throws InterruptedException {
        long began = platform.nanoTime();
        long refusals = history.refusals();
        while (true) {
            if (next.isStopped()) {
                throw new IdUnavailableException("The source of ids is closed: " + sequence);
            }
            T taken = take.apply(current);
            if (taken != null) {
                return taken;
            }
            if (next.ids() == null) {
                current.retire();
                DistributedIdException refusal = history.refusalSince(refusals);
                if (refusal != null) {
                    throw refusal;
                }
                fetch(wanted);
                if (!next.isFetching() && history.isOutage()) {
                    // No thread could be started, so that no retry is scheduled.
                    throw history.unstarted();
                }
                if (!next.isFetching()) {
                    continue;
                }
            } else if (!policy.strict()) {
                advance();
                continue;
            } else if (callers.isEntitled(came)) {
                // It never becomes the current block, of which callers take ids without the lock.
                return Objects.requireNonNull(take.apply(next.take()));
            } else {
                // The id is for another caller. This one may have been woken in its place.
                callers.wakeNext();
            }
            awaitFetch(began, wait);
        }
    }

    private void awaitFetch(long began, WaitStatistics.Wait wait) throws InterruptedException {
        long now = platform.nanoTime();
        long without = next.nanosWithout(began, now);
        long remaining = policy.timeout().toNanos() - without;
        if (remaining <= 0) {
            throw history.timedOut(policy.timeout(), now - began, without);
        }
        if (!wait.hasBegun()) {
            wait.begin();
            BlockRequest sent = next.request();
            if (sent != null) {
                queue.hurry(sent);
            }
        }
        long unused = callers.await(remaining);
    }

    /** The current block is used up, and the next one is there. */
    private void advance() {
        ReservedIds former = current;
        former.retire();
        current = next.take().startedAt(platform.nanoTime(), former);
    }

    private void refill(long least) {
        lock.lock();
        try {
            if (next.ids() == null) {
                fetch(least);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts a fetch unless one is under way.
     *
     * @param least the smallest block, as far as the policy allows
     */
    private void fetch(long least) {
        if (!next.mayBegin()) {
            return;
        }
        ReservedIds ids = current;
        long inUse = ids.nanosInUse(platform.nanoTime());
        long size = policy.nextSize(ids.count(), ids.used(), inUse, ids.formerLasted(), history.trip());
        // A tenth of the time for which the rest of the block lasts, so that no caller waits in the end.
        double mayWait = (double) inUse * ids.left() / Math.max(1, ids.used()) / 10;
        ask(Math.max(size, Math.min(least, policy.max())), (long) mayWait);
    }

    /** If no thread can be started, the fetch has failed. No exception: the caller may already have its id. */
    private void ask(long size, long mayWait) {
        BlockRequest request = next.begin(size);
        try {
            queue.add(request, mayWait);
        } catch (RuntimeException | Error e) {
            next.failed(size, e);
        }
    }

    private void watch(BlockAges ages) {
        lock.lock();
        try {
            long now = platform.nanoTime();
            if (ages.needsFreshBlock(current, next.ids(), now)) {
                fetch(0);
            }
            if (history.isOutage() || next.isFetching()) {
                if (ages.isNewlyOverdue(current, now)) {
                    history.addOverdue();
                }
                return;
            }
            if (ages.isTooOld(current, now)) {
                history.addDropped(current.retire());
            }
            ReservedIds ahead = next.ids();
            if (ahead != null && ages.isTooOld(ahead, now)) {
                next.drop();
            }
        } finally {
            lock.unlock();
        }
    }

    /** After an operator has repaired the cause of an outage: callers wait for the full timeout again. */
    public void restartOutageTimeout() {
        locked(next::restartOutage);
    }

    /** Drops all blocks, including one that is being fetched, because the counter was raised above them. */
    public void discard() {
        locked(() -> {
            history.addDropped(current.retire());
            next.discard();
        });
    }

    /** Reserves the first block, together with those of other sequences, unless nothing is reserved ahead. */
    public void prefetch() {
        locked(() -> {
            if (!policy.strict() && current.count() == 0 && next.ids() == null && next.mayBegin()) {
                ask(policy.min(), TOGETHER.toNanos());
            }
        });
    }

    /** Starts a fetch if the last one failed and no id is left, so that health recovers without callers. */
    public void recover() {
        locked(() -> {
            if (history.hasFailed() && current.isUsedUp()) {
                refill(0);
            }
        });
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    public SequenceStatistics statistics() {
        lock.lock();
        try {
            ReservedIds ahead = next.ids();
            BlockStatistics blocks = history.statistics(current.left() + (ahead == null ? 0 : ahead.left()));
            return new SequenceStatistics(
                    blocks.reserved() - blocks.reserve() - blocks.dropped(),
                    waits.count(),
                    waits.time(),
                    Optional.of(blocks),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    /** Gives no more ids, and drops all that are reserved. Waits for nothing. */
    public void stop() {
        locked(() -> {
            if (!next.isStopped()) {
                stoppedAt = platform.nanoTime();
                history.addDropped(current.retire());
                BlockRequest sent = next.request();
                next.stop(sent != null && !queue.cancel(sent));
                if (watch != null) {
                    scheduler.end(watch);
                }
            }
        });
    }

    /** Stops, and waits up to a second after that for a running fetch, so that its connection is not cut off. */
    @Override
    public void close() {
        lock.lock();
        try {
            stop();
            long remaining = LONGEST_CLOSE.toNanos() - (platform.nanoTime() - stoppedAt);
            while (next.isFetching() && remaining > 0) {
                remaining = callers.await(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
