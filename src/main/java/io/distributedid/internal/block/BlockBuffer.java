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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ids of reserved blocks and reserves the next block in the background (the double buffer of Meituan's
 * Leaf and Didi's TinyID).
 *
 * <p>An id costs one atomic increment on the current block. The increment that reaches {@link BlockPolicy#refillAt}
 * starts the fetch of the next block on a thread of the {@link Scheduler}. A caller that finds the block used up takes
 * the lock, waits for the next block if necessary, and makes it the current one.
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
 * was asked for, and is dropped if all these callers have gone; see {@link StrictCallers}.
 *
 * <p>It has more than 300 lines because one lock guards hand-out, refill and ages together.
 */
public final class BlockBuffer implements IdSource, AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    /** In this time, all sequences of a start ask for their first block. */
    private static final Duration TOGETHER = Duration.ofMillis(5);

    private final Sequence sequence;

    private final BlockFetcher fetcher;

    private final BlockPolicy policy;

    private final Scheduler scheduler;

    private final Platform platform;

    private final @Nullable Runnable watch;

    private final ReentrantLock lock;

    private final Condition changed;

    private final WaitStatistics waits;

    private final SequenceListener listener;

    private volatile ReservedIds current = ReservedIds.none();

    // Guarded by the lock from here on.

    private final FetchHistory history;

    private @Nullable ReservedIds next;

    private boolean fetching;

    /** The start of the first fetch after the last success. After a failure it is the start of the outage. */
    private long fetchingSince;

    /** The number of {@link #discard} calls. A block whose fetch began before the last one is dropped. */
    private long discards;

    private int waiting;

    private final StrictCallers callers = new StrictCallers();

    private boolean closed;

    private long closedAt;

    private boolean abandoned;

    /** A buffer of a source without a group. */
    BlockBuffer(Sequence sequence, BlockSource source, BlockPolicy policy, Scheduler scheduler, Platform platform) {
        this(
                sequence,
                source,
                policy,
                scheduler,
                null,
                FetchHistory.outages(platform::nanoTime),
                platform,
                opened -> {});
    }

    /**
     * @param queue of the source's group; null if the source has none
     * @param outages shared with other buffers of the same servers
     * @param listener of waits and fetches
     */
    BlockBuffer(
            Sequence sequence,
            BlockSource source,
            BlockPolicy policy,
            Scheduler scheduler,
            @Nullable BlockQueue queue,
            OutageLog outages,
            Platform platform,
            SequenceListener listener) {
        this.sequence = sequence;
        this.fetcher = new BlockFetcher(sequence, source, policy, scheduler, queue, platform::nanoTime);
        this.policy = policy;
        this.scheduler = scheduler;
        this.platform = platform;
        this.lock = platform.lock();
        this.changed = lock.newCondition();
        this.history = new FetchHistory(sequence, outages);
        this.listener = listener;
        this.waits =
                new WaitStatistics(sequence.name(), platform::nanoTime, time -> listener.waited(sequence.name(), time));
        watch = policy.maxAge().map(BlockAges::new).map(this::watchedEvery).orElse(null);
    }

    private Runnable watchedEvery(BlockAges ages) {
        Runnable task = () -> watch(ages);
        scheduler.every(ages.interval(), task);
        return task;
    }

    @Override
    public long next() {
        ReservedIds ids = current;
        long id = ids.take();
        if (!ids.holds(id)) {
            return waitFor(this::takeOne, 1);
        }
        if (ids.refillsAt(id)) {
            refillLocked();
        }
        return id;
    }

    @Override
    public long tryNext() {
        ReservedIds ids = current;
        if (ids.isUsedUp()) {
            return 0;
        }
        long id = ids.take();
        if (!ids.holds(id)) {
            return 0;
        }
        if (ids.refillsAt(id)) {
            refillLocked();
        }
        return id;
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
            if (closed || policy.strict()) {
                return Optional.empty();
            }
            ReservedBlock taken = takeBlock(current, count, 0);
            if (taken == null && next != null) {
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

    private @Nullable Long takeOne(ReservedIds ids) {
        long id = ids.take();
        if (!ids.holds(id)) {
            return null;
        }
        if (ids.refillsAt(id)) {
            refill();
        }
        return id;
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

    private void refillLocked() {
        lock.lock();
        try {
            refill();
        } finally {
            lock.unlock();
        }
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
                dropWhatNobodyMayTake();
                // Each caller that leaves wakes the next one, which takes an id or starts a fetch.
                changed.signal();
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
            if (closed) {
                throw new IdUnavailableException("The source of ids is closed: " + sequence);
            }
            T taken = take.apply(current);
            if (taken != null) {
                return taken;
            }
            if (next == null) {
                current.end();
                DistributedIdException refusal = history.refusalSince(refusals);
                if (refusal != null) {
                    throw refusal;
                }
                if (!isFetchUnderWay(wanted)) {
                    continue;
                }
            } else if (!policy.strict()) {
                advance();
                continue;
            } else if (callers.isEntitled(came)) {
                return takeStrictly(take);
            } else {
                // The id is for another caller. This one may have been woken in its place.
                changed.signal();
            }
            awaitFetch(began, wait);
        }
    }

    /** Starts a fetch unless one runs. Returns false if it is over already. Throws if it can't be started. */
    private boolean isFetchUnderWay(long wanted) {
        fetchUnlessFetching(wanted);
        if (!fetching && history.isOutage()) {
            // No thread could be started, so that no retry is scheduled.
            throw history.unstarted();
        }
        return fetching;
    }

    /** The block is never the current one, of which callers take ids without the lock. */
    private <T> T takeStrictly(Function<ReservedIds, @Nullable T> take) {
        ReservedIds ids = Objects.requireNonNull(next);
        next = null;
        return Objects.requireNonNull(take.apply(ids));
    }

    private void dropWhatNobodyMayTake() {
        if (policy.strict() && !callers.isAnyEntitled() && !closed) {
            dropNext();
        }
    }

    private void awaitFetch(long began, WaitStatistics.Wait wait) throws InterruptedException {
        long now = platform.nanoTime();
        long outage = now - (history.isOutage() && fetchingSince - began < 0 ? fetchingSince : began);
        long remaining = policy.timeout().toNanos() - outage;
        if (remaining <= 0) {
            throw history.timedOut(policy.timeout(), now - began, outage);
        }
        if (!wait.hasBegun()) {
            wait.begin();
            fetcher.hurry();
        }
        await(remaining);
    }

    /** The current block is used up, and the next one is there. */
    private void advance() {
        ReservedIds former = current;
        former.end();
        current = Objects.requireNonNull(next).startedAt(platform.nanoTime(), former);
        next = null;
    }

    /** Callers loop. */
    @SuppressWarnings("WaitNotInLoop")
    private void await(long nanos) throws InterruptedException {
        waiting++;
        try {
            changed.awaitNanos(nanos);
        } finally {
            waiting--;
        }
    }

    private void refill() {
        refill(0);
    }

    private void refill(long least) {
        if (next == null) {
            fetchUnlessFetching(least);
        }
    }

    /** @param least the smallest block, as far as the policy allows */
    private void fetchUnlessFetching(long least) {
        if (!fetching && !closed) {
            long now = platform.nanoTime();
            if (!history.isOutage()) {
                fetchingSince = now;
            }
            ReservedIds ids = current;
            long size =
                    policy.nextSize(ids.count(), ids.used(), ids.nanosInUse(now), ids.formerLasted(), history.trip());
            size = Math.max(size, Math.min(least, policy.max()));
            fetching = true;
            callers.ask();
            begin(size, mayWait(ids, now));
        }
    }

    /** A tenth of the time for which the rest of the block lasts, so that no caller waits in the end. */
    private static long mayWait(ReservedIds ids, long now) {
        long left = ids.left();
        return left == 0 ? 0 : (long) ((double) ids.nanosInUse(now) * left / Math.max(1, ids.used()) / 10);
    }

    /** If no thread can be started, the fetch has failed. No exception: the caller may already have its id. */
    private void begin(long size, long mayWait) {
        try {
            fetcher.start(size, mayWait, result(size));
        } catch (RuntimeException | Error e) {
            failed(size, e);
        }
    }

    private BlockFetcher.Result result(long size) {
        long before = discards;
        return (ids, failure) -> ended(size, before, ids, failure);
    }

    /** Runs on a thread of the scheduler. */
    private void ended(long size, long before, @Nullable ReservedIds ids, @Nullable Throwable failure) {
        Duration time = ids == null ? Duration.ZERO : Duration.ofNanos(ids.nanosSinceSent(platform.nanoTime()));
        lock.lock();
        try {
            if (failure != null) {
                failed(size, failure);
            } else if (ids != null && before == discards && !abandoned && mayBeTaken()) {
                arrived(ids, time);
            } else if (ids != null) {
                drop(ids);
            }
            wake(failure == null && ids != null && !closed ? ids.count() : Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
        if (ids != null && failure == null) {
            listener.fetched(sequence.name(), time);
        }
    }

    /** Wakes no more callers than there are ids, so that a thousand callers don't compete for one. */
    private void wake(long callers) {
        if (callers < waiting) {
            for (long i = 0; i < callers; i++) {
                changed.signal();
            }
        } else {
            changed.signalAll();
        }
    }

    private boolean mayBeTaken() {
        return !policy.strict() || callers.isAnyEntitled() || closed;
    }

    private void arrived(ReservedIds ids, Duration time) {
        history.add(ids);
        history.addTime(time.toNanos());
        fetching = false;
        dropNext();
        next = ids;
    }

    /**
     * The block may be from before the counter was raised, or from before this process was copied. In strict mode its
     * caller may have gone.
     */
    private void drop(ReservedIds ids) {
        history.add(ids);
        fetching = false;
        history.addDropped(ids.retire());
        if (waiting > 0) {
            fetchUnlessFetching(0);
        }
    }

    private void failed(long size, Throwable failure) {
        history.add(failure);
        // A final failure is not retried: all callers that wait get it, and a later caller starts a fetch.
        fetching = !closed && !FetchHistory.isFinal(failure);
        if (fetching) {
            try {
                scheduler.executeAfter(history.pause(), () -> retry(size));
            } catch (RuntimeException | Error e) {
                // The next caller tries again.
                fetching = false;
            }
        }
    }

    private void retry(long size) {
        BlockFetcher.Result result;
        lock.lock();
        try {
            fetching = !closed;
            if (closed) {
                changed.signalAll();
                return;
            }
            callers.ask();
            result = result(size);
        } finally {
            lock.unlock();
        }
        try {
            fetcher.retry(size, result);
        } catch (RuntimeException | Error e) {
            result.of(null, e);
        }
    }

    private void watch(BlockAges ages) {
        lock.lock();
        try {
            long now = platform.nanoTime();
            if (ages.needsFreshBlock(current, next, now)) {
                fetchUnlessFetching(0);
            }
            if (history.isOutage() || fetching) {
                countOverdue(ages, now);
                return;
            }
            if (ages.isTooOld(current, now)) {
                history.addDropped(current.retire());
            }
            if (next != null && ages.isTooOld(next, now)) {
                dropNext();
            }
        } finally {
            lock.unlock();
        }
    }

    private void countOverdue(BlockAges ages, long now) {
        if (ages.isNewlyOverdue(current, now)) {
            history.addOverdue();
        }
    }

    private void dropNext() {
        if (next != null) {
            history.addDropped(next.retire());
            next = null;
        }
    }

    /** After an operator has repaired the cause of an outage: callers wait for the full timeout again. */
    public void restartOutageTimeout() {
        lock.lock();
        try {
            fetchingSince = platform.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Drops all blocks, including one that is being fetched, because the counter was raised above them. */
    public void discard() {
        lock.lock();
        try {
            discards++;
            history.addDropped(current.retire());
            dropNext();
        } finally {
            lock.unlock();
        }
    }

    /** Reserves the first block, together with those of other sequences, unless nothing is reserved ahead. */
    public void prefetch() {
        lock.lock();
        try {
            if (!policy.strict() && current.count() == 0 && next == null && !fetching && !closed) {
                fetchingSince = platform.nanoTime();
                fetching = true;
                begin(policy.min(), TOGETHER.toNanos());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts a fetch if the last one failed and no id is left, so that health recovers without callers. */
    public void recover() {
        lock.lock();
        try {
            if (history.hasFailed() && current.isUsedUp()) {
                refill();
            }
        } finally {
            lock.unlock();
        }
    }

    public SequenceStatistics statistics() {
        lock.lock();
        try {
            BlockStatistics blocks = history.statistics(current.left() + (next == null ? 0 : next.left()));
            return new SequenceStatistics(
                    blocks.reserved() - blocks.reserve() - blocks.dropped(),
                    waits.count(),
                    waits.time(),
                    Optional.of(blocks),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the buffer and drops all blocks, including one that is being fetched. Gives nothing back. */
    public void abandon() {
        lock.lock();
        try {
            abandoned = true;
            stop();
            discard();
        } finally {
            lock.unlock();
        }
    }

    private void stop() {
        if (closed) {
            return;
        }
        closed = true;
        closedAt = platform.nanoTime();
        if (fetching && fetcher.cancel()) {
            fetching = false;
        }
        if (watch != null) {
            scheduler.end(watch);
        }
        changed.signalAll();
    }

    /** Gives no more ids. The caller calls this on all buffers before {@link #close}, so that they end together. */
    public void beginClose() {
        lock.lock();
        try {
            stop();
        } finally {
            lock.unlock();
        }
    }

    /** Waits up to one second after the end began for a running fetch, and gives unused ids back. */
    @Override
    public void close() {
        giveBack(end());
    }

    void giveBack(List<Block> unused) {
        unused.forEach(fetcher::giveBack);
    }

    BlockSource source() {
        return fetcher.source();
    }

    /** Waits up to one second after the end began for a running fetch. Returns the unused ids, later blocks first. */
    List<Block> end() {
        List<Block> unused = new ArrayList<>();
        lock.lock();
        try {
            stop();
            awaitEndOfFetch();
            if (next != null) {
                next.retireRest().ifPresent(unused::add);
            }
            current.retireRest().ifPresent(unused::add);
            unused.forEach(rest -> history.addDropped(rest.count()));
        } finally {
            lock.unlock();
        }
        return unused;
    }

    private void awaitEndOfFetch() {
        try {
            long remaining = LONGEST_CLOSE.toNanos() - (platform.nanoTime() - closedAt);
            while (fetching && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
