package io.distributedid.internal.block;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A reserved block in the buffer, with the next free id and the times (in nanoseconds) of its reservation and first
 * use. What changes its use, apart from {@link #take()}, needs the buffer's lock.
 *
 * <p>The atomic counter holds the next id itself, not an index: a multiplication would make each id a fifth more
 * expensive. Callers that find the block used up still increment the counter, perhaps beyond 2^63-1. So ids are
 * compared by their difference, and {@link #retire} keeps the difference small.
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

    /** Written with {@code startedAt}. */
    private long formerLasted = Long.MAX_VALUE;

    /** The number of ids taken when the block was retired; -1 before. */
    private long usedWhenRetired = -1;

    /** {@code reservedAt}: when they were reserved; earlier if the server had them in reserve. */
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

    /** The empty block that a buffer begins with. */
    public static ReservedIds none() {
        return new ReservedIds(1, 1, 0, 0, 0);
    }

    /** Starts the use of this block, after {@code former}. */
    ReservedIds startedAt(long now, ReservedIds former) {
        startedAt = now;
        formerLasted = former.count > 0 && former.used() == former.count ? former.nanosInUse(now) : Long.MAX_VALUE;
        return this;
    }

    /** Takes an id for this caller alone. The id is valid only if the block {@link #holds} it. */
    long take() {
        return next.getAndAdd(step);
    }

    /** Takes up to {@code most} ids for this caller alone; empty if none is free. */
    Optional<Block> take(long most) {
        long wanted = Math.min(most, left());
        if (wanted == 0) {
            return Optional.empty();
        }
        long first = next.getAndAdd(wanted * step);
        return holds(first) ? Optional.of(new Block(first, step, Math.min(wanted, leftFrom(first)))) : Optional.empty();
    }

    boolean holds(long id) {
        return last - id >= 0;
    }

    /** Whether this id starts the fetch of the next block. */
    boolean refillsAt(long id) {
        return id == refillAt;
    }

    /** Whether one of these ids starts the fetch of the next block. */
    boolean refillsWithin(Block taken) {
        return taken.first() <= refillAt && refillAt <= taken.last();
    }

    long count() {
        return count;
    }

    long used() {
        return usedWhenRetired >= 0 ? usedWhenRetired : count - left();
    }

    boolean isUsedUp() {
        return !holds(next.get());
    }

    long nanosInUse(long now) {
        return now - startedAt;
    }

    /** How long the former block was in use until it was used up; {@link Long#MAX_VALUE} if it was not. */
    long formerLasted() {
        return formerLasted;
    }

    long nanosSinceReserved(long now) {
        return now - reservedAt;
    }

    boolean isOlderThan(Duration age, long now) {
        return nanosSinceReserved(now) > age.toNanos();
    }

    /** The number of free ids; 0 once retired. */
    long left() {
        return leftFrom(next.get());
    }

    private long leftFrom(long id) {
        return holds(id) ? (last - id) / step + 1 : 0;
    }

    /** Retires the block, used up or not: no caller can take an id any more. Returns the number of free ids. */
    long retire() {
        long left = leftFrom(next.getAndSet(last + 1));
        if (usedWhenRetired < 0) {
            usedWhenRetired = count - left;
        }
        return left;
    }
}
