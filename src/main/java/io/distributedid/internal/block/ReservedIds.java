package io.distributedid.internal.block;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A block on its way through the buffer: which of its ids have been taken, and since when (in nanoseconds) it is
 * reserved and in use.
 *
 * <p>What is counted up is the next id itself, so that nothing has to be computed once it is taken: a multiplication
 * there makes an id a fifth more expensive. Callers that find the block used up count on, beyond 2^63-1 if need be; ids
 * are therefore compared by their difference, and {@link #end} keeps it small.
 */
public final class ReservedIds {

    private final long step;

    private final long count;

    private final long last;

    private final long refillAt;

    private final long reservedAt;

    private final AtomicLong next;

    /** Written before the block is published as the current one. */
    private long startedAt;

    /** How many ids were taken before it was retired; -1 if it was not. Guarded by the buffer's lock. */
    private long usedWhenRetired = -1;

    ReservedIds(Block block, long reservedAt, BlockPolicy policy) {
        this(block.first(), block.step(), block.count(), policy.refillAt(block.count()), reservedAt);
    }

    private ReservedIds(long first, long step, long count, long refillAt, long reservedAt) {
        this.step = step;
        this.count = count;
        this.last = first + (count - 1) * step;
        this.refillAt = first + Math.min(refillAt, count) * step;
        this.reservedAt = reservedAt;
        next = new AtomicLong(first);
    }

    /** What a buffer begins with. */
    public static ReservedIds none() {
        return new ReservedIds(1, 1, 0, 0, 0);
    }

    ReservedIds startedAt(long now) {
        startedAt = now;
        return this;
    }

    /** An id that nobody else gets, if the block {@link #holds} it. */
    long take() {
        return next.getAndAdd(step);
    }

    boolean holds(long id) {
        return last - id >= 0;
    }

    /** Forgets how far callers have counted on. Called with the buffer's lock, once the block is used up. */
    void end() {
        next.set(last + 1);
    }

    /** Whether the hand-out of this id starts the fetch of the next block. */
    boolean refillsAt(long id) {
        return id == refillAt;
    }

    long count() {
        return count;
    }

    long used() {
        return usedWhenRetired >= 0 ? usedWhenRetired : count - left();
    }

    boolean isUsedUp() {
        return left() == 0;
    }

    long nanosInUse(long now) {
        return now - startedAt;
    }

    long nanosSinceReserved(long now) {
        return now - reservedAt;
    }

    boolean isOlderThan(Duration age, long now) {
        return nanosSinceReserved(now) > age.toNanos();
    }

    /** How many ids nobody has taken; none once retired. */
    long left() {
        return leftFrom(next.get());
    }

    private long leftFrom(long id) {
        return holds(id) ? (last - id) / step + 1 : 0;
    }

    /** Lets nobody take an id any more, and returns those that were left, if any. */
    Optional<Block> retireRest() {
        long left = retire();
        return left == 0 ? Optional.empty() : Optional.of(new Block(last - (left - 1) * step, step, left));
    }

    /** Lets nobody take an id any more, and returns how many were left. */
    long retire() {
        long left = leftFrom(next.getAndSet(last + 1));
        if (usedWhenRetired < 0) {
            usedWhenRetired = count - left;
        }
        return left;
    }
}
