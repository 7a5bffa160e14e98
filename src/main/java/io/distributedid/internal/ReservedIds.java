package io.distributedid.internal;

import io.distributedid.spi.Block;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A block on its way through the buffer: which of its ids have been taken, and since when (in nanoseconds) it is reserved and in use. */
final class ReservedIds {

    /** Added to the index of a retired block: far above any count, far below overflow. */
    private static final long RETIRED = 1L << 62;

    private final long first;

    private final long step;

    private final long count;

    private final long refillAt;

    private final long reservedAt;

    private final AtomicLong taken = new AtomicLong();

    /** Written before the block is published as the current one. */
    private long startedAt;

    ReservedIds(Block block, long reservedAt, BlockPolicy policy) {
        this(block.first(), block.step(), block.count(), policy.refillAt(block.count()), reservedAt);
    }

    private ReservedIds(long first, long step, long count, long refillAt, long reservedAt) {
        this.first = first;
        this.step = step;
        this.count = count;
        this.refillAt = Math.min(refillAt, count);
        this.reservedAt = reservedAt;
    }

    /** What a buffer begins with. */
    static ReservedIds none() {
        return new ReservedIds(1, 1, 0, 0, 0);
    }

    ReservedIds startedAt(long now) {
        startedAt = now;
        return this;
    }

    /** The index of an id that nobody else gets; there is none if it is not below {@link #count}. */
    long take() {
        return taken.getAndIncrement();
    }

    long id(long index) {
        return first + index * step;
    }

    long count() {
        return count;
    }

    long refillAt() {
        return refillAt;
    }

    long used() {
        long now = taken.get();
        return now >= RETIRED ? Math.min(count, now - RETIRED) : Math.min(count, now);
    }

    boolean isUsedUp() {
        return taken.get() >= count;
    }

    long nanosInUse(long now) {
        return now - startedAt;
    }

    boolean isOlderThan(Duration age, long now) {
        return now - reservedAt > age.toNanos();
    }

    /** How many ids nobody has taken; none once retired. */
    long left() {
        return Math.max(0, count - taken.get());
    }

    /** Lets nobody take an id any more, and returns those that were left, if any. */
    Optional<Block> retireRest() {
        long left = retire();
        return left == 0 ? Optional.empty() : Optional.of(new Block(id(count - left), step, left));
    }

    /** Lets nobody take an id any more, and returns how many were left. */
    long retire() {
        long before = taken.getAndUpdate(index -> index >= RETIRED ? index : index + RETIRED);
        return Math.max(0, count - before);
    }
}
