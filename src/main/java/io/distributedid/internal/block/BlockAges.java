package io.distributedid.internal.block;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks the ages of a buffer's blocks ten times in {@code block.max_age}. At 7/10 of that age the next block is
 * fetched, if an id was taken within the last {@code block.max_age}. At 9/10 a block is dropped, so that no id is older
 * than {@code block.max_age} when it is handed out. Guarded by the buffer's lock.
 */
final class BlockAges {

    private final Duration maxAge;

    private final Duration interval;

    private final Duration needed;

    private final Duration dropped;

    /** The current block at the last check. */
    private @Nullable ReservedIds watched;

    private long watchedUse;

    private boolean wasUsed;

    /** The time of the last check that found new ids taken. */
    private long lastUse;

    private @Nullable ReservedIds overdue;

    BlockAges(Duration maxAge) {
        this.maxAge = maxAge;
        this.interval = maxAge.dividedBy(10);
        this.needed = interval.multipliedBy(7);
        this.dropped = interval.multipliedBy(9);
    }

    Duration interval() {
        return interval;
    }

    /** Whether there is demand, and the newest block will soon be too old. */
    boolean needsFreshBlock(ReservedIds current, @Nullable ReservedIds next, long now) {
        long use = current.used();
        if (current == watched ? use != watchedUse : watched != null || use > 0) {
            wasUsed = true;
            lastUse = now;
        }
        watched = current;
        watchedUse = use;
        boolean inDemand = wasUsed && now - lastUse <= maxAge.toNanos();
        ReservedIds freshest = next == null ? current : next;
        return inDemand && freshest.isOlderThan(needed, now);
    }

    boolean isTooOld(ReservedIds ids, long now) {
        return ids.isOlderThan(dropped, now);
    }

    /** Whether a block is in use beyond its age; true only once for each block. */
    boolean isNewlyOverdue(ReservedIds current, long now) {
        if (current == overdue || current.isUsedUp() || !current.isOlderThan(maxAge, now)) {
            return false;
        }
        overdue = current;
        return true;
    }
}
