package io.distributedid.internal;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the ids of reserved blocks and reserves the next block in the background (the double buffer of Meituan's Leaf and
 * Didi's TinyID).
 *
 * <p>An id costs one atomic increment on the current block. The increment that reaches {@link BlockPolicy#refillAt} starts the
 * fetch of the next block on a thread of the {@link Scheduler}; the increment that finds the block used up moves to the next
 * block under the lock, and waits for it, up to the timeout, if it is not there yet. Blocks older than the maximum age are
 * retired by a timer, so that the fast path reads no clock; while the last fetch failed they stay in use.
 *
 * <p>A failed fetch is tried again with back-off while somebody waits or the current block is running out. What a failed fetch
 * may have reserved is never handed out. There is at the most one fetch at a time, so that blocks are handed out in the order
 * in which they were reserved: the ids that one thread gets ascend if those of the blocks do.
 */
final class BlockBuffer implements IdSource, AutoCloseable {

    private static final Logger LOG = System.getLogger(BlockBuffer.class.getName());

    private static final Duration FIRST_RETRY = Duration.ofMillis(20);

    private static final Duration LAST_RETRY = Duration.ofSeconds(1);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

    private final Sequence sequence;

    private final BlockSource source;

    private final BlockPolicy policy;

    private final Scheduler scheduler;

    private final LongSupplier nanoTime;

    private final @Nullable Future<?> watch;

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private volatile ReservedIds current;

    // Guarded by the lock from here on.
    private @Nullable ReservedIds next;

    private boolean fetching;

    private int waiting;

    private int failures;

    private @Nullable Exception lastFailure;

    private boolean closed;

    BlockBuffer(Sequence sequence, BlockSource source, BlockPolicy policy, Scheduler scheduler, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.source = source;
        this.policy = policy;
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        current = ReservedIds.none();
        watch = policy.maxAge()
                .map(age -> scheduler.every(age.dividedBy(10), () -> retireOlderThan(age.minus(age.dividedBy(10)))))
                .orElse(null);
    }

    @Override
    public long next() {
        ReservedIds ids = current;
        long index = ids.take();
        if (index < ids.refillAt()) {
            return ids.id(index);
        }
        return index < ids.count() ? refillAndGet(ids, index) : waitForNext();
    }

    private long refillAndGet(ReservedIds ids, long index) {
        if (index == ids.refillAt()) {
            lock.lock();
            try {
                startFetch();
            } finally {
                lock.unlock();
            }
        }
        return ids.id(index);
    }

    private long waitForNext() {
        long deadline = nanoTime.getAsLong() + policy.timeout().toNanos();
        try {
            lock.lockInterruptibly();
            waiting++;
            try {
                while (true) {
                    if (closed) {
                        throw new IdUnavailableException("The source of ids is closed: " + sequence);
                    }
                    ReservedIds ids = current;
                    long index = ids.take();
                    if (index < ids.count()) {
                        if (index == ids.refillAt()) {
                            startFetch();
                        }
                        return ids.id(index);
                    }
                    if (next != null) {
                        current = next.startedAt(nanoTime.getAsLong());
                        next = null;
                        continue;
                    }
                    if (lastFailure instanceof DistributedIdException permanent && !fetching) {
                        lastFailure = null;
                        throw permanent;
                    }
                    startFetch();
                    if (!fetching) {
                        continue;
                    }
                    long remaining = deadline - nanoTime.getAsLong();
                    if (remaining <= 0) {
                        throw timedOut();
                    }
                    changed.awaitNanos(remaining);
                }
            } finally {
                waiting--;
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for an id: " + sequence, e);
        }
    }

    private IdUnavailableException timedOut() {
        String message = "No id within " + policy.timeout().toMillis() + " ms: " + sequence
                + (lastFailure == null ? ": the server has not answered" : ": " + lastFailure.getMessage());
        return lastFailure == null
                ? new IdUnavailableException(message)
                : new IdUnavailableException(message, lastFailure);
    }

    /** Called with the lock held. */
    private void startFetch() {
        if (!fetching && next == null && !closed) {
            fetching = true;
            ReservedIds ids = current;
            long size = policy.nextSize(ids.count(), ids.used(), ids.nanosInUse(nanoTime.getAsLong()));
            scheduler.execute(() -> fetch(size));
        }
    }

    private void fetch(long size) {
        long asked = nanoTime.getAsLong();
        try {
            Block block = source.reserve(size);
            arrived(new ReservedIds(withinType(block), asked, policy));
        } catch (SQLException | RuntimeException e) {
            failed(size, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(size, e);
        }
    }

    private Block withinType(Block block) {
        long max = sequence.maxValue();
        if (block.first() > max) {
            throw new IdsExhaustedException("The next id does not fit its type: " + sequence + " id=" + block.first()
                    + ", allowed: up to " + max + ". Map the property to a wider type");
        }
        return block.last() <= max
                ? block
                : new Block(block.first(), block.step(), (max - block.first()) / block.step() + 1);
    }

    private void arrived(ReservedIds ids) {
        lock.lock();
        try {
            if (failures > 0) {
                LOG.log(Level.INFO, "Ids are reserved again after {0} failures: {1}", failures, sequence);
            }
            failures = 0;
            lastFailure = null;
            fetching = false;
            next = ids;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void failed(long size, Exception failure) {
        lock.lock();
        try {
            lastFailure = failure;
            if (closed) {
                fetching = false;
                changed.signalAll();
                return;
            }
            if (failure instanceof DistributedIdException && !(failure instanceof IdUnavailableException)) {
                // The same again would fail the same way: those who wait are told, and the next caller tries.
                fetching = false;
                changed.signalAll();
                return;
            }
            failures++;
            if (failures == 1) {
                LOG.log(Level.WARNING, "No ids could be reserved, trying again: " + sequence, failure);
            }
            long delay = Math.min(LAST_RETRY.toMillis(), FIRST_RETRY.toMillis() << Math.min(failures - 1, 10));
            scheduler.executeAfter(Duration.ofMillis(delay), () -> retry(size));
        } finally {
            lock.unlock();
        }
    }

    private void retry(long size) {
        lock.lock();
        try {
            if (closed || (waiting == 0 && current.isUsedUp())) {
                // Nobody asks any more; the next caller starts again.
                fetching = false;
                changed.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        fetch(size);
    }

    private void retireOlderThan(Duration age) {
        lock.lock();
        try {
            if (failures > 0) {
                return;
            }
            long now = nanoTime.getAsLong();
            current.retireIfOlderThan(age, now);
            if (next != null && next.retireIfOlderThan(age, now)) {
                next = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is reserved, because the counter was raised above it. */
    void discard() {
        lock.lock();
        try {
            current.retire();
            next = null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a fetch under way, for a moment at the most, and gives back what nobody took. */
    @Override
    public void close() {
        List<ReservedIds> unused = new ArrayList<>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (watch != null) {
                watch.cancel(false);
            }
            changed.signalAll();
            awaitFetch();
            if (next != null) {
                unused.add(next);
            }
            unused.add(current);
            next = null;
        } finally {
            lock.unlock();
        }
        unused.forEach(ids -> ids.retireRest().ifPresent(this::giveBack));
    }

    private void awaitFetch() {
        try {
            long remaining = LONGEST_CLOSE.toNanos();
            while (fetching && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveBack(Block rest) {
        try {
            if (source.giveBack(rest)) {
                LOG.log(Level.DEBUG, "Gave back {0} unused ids: {1}", rest.count(), sequence);
                return;
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Unused ids could not be given back: " + sequence, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.log(Level.DEBUG, "Closed with {0} reserved ids unused, which are a gap: {1}", rest.count(), sequence);
    }
}
