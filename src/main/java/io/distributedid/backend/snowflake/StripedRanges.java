package io.distributedid.backend.snowflake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Ranges of consecutive ids that threads have reserved from a {@link SnowflakeGenerator}. A thread always uses the same
 * slot, which has one range at a time. Few threads share a slot, so a core that counts up its own range does not
 * contend with others. Lock-free.
 *
 * <p>A range has 1, 2, 4, ... ids, and 1 again if the last one was not used up within its millisecond: a slow caller
 * leaves no rest. The rest of a range is dropped once the clock has passed it. After its millisecond it is also dropped
 * unless it lies ahead of the clock. So ids of different threads are in order to the millisecond.
 *
 * <p>The ranges of a slot only grow. A thread puts its range into the slot, or finds a higher one there, before it uses
 * the range's first id. So the ids of a thread ascend.
 */
final class StripedRanges {

    private static final int LONGEST = 256;

    /** A range has at most this part of a tick, so that dropped rests cost little. */
    private static final int PART = 64;

    /** References in two cache lines: CPUs fetch lines in pairs, and slots must not share them. */
    private static final int SPREAD = 32;

    private static final int SLOTS = Integer.highestOneBit(
            Math.max(4, Math.min(32, 4 * Runtime.getRuntime().availableProcessors())));

    private static final Range NONE = new Range(-1, -1, 1, Long.MIN_VALUE, 0);

    /** Reserved ids, as tick and sequence in one long: from {@code next} to before {@code end}. */
    static final class Range {

        /** The id that was taken lies above the limit, because other threads took ids meanwhile. */
        static final long DISCARDED = -2;

        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Range.class, "next", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile long next;

        private final long begin;

        private final long end;

        private final int length;

        private final long reservedAt;

        private final long number;

        /**
         * @param length the requested length; the range may be shorter
         * @param reservedAt the clock, in milliseconds
         * @param number the worker number, shifted to its place in the id
         */
        Range(long next, long end, int length, long reservedAt, long number) {
            this.next = next;
            this.begin = next;
            this.end = end;
            this.length = length;
            this.reservedAt = reservedAt;
            this.number = number;
        }

        /** The next id, or -1. Only while the clock shows {@link #reservedAt}, since the limits then still hold. */
        long take() {
            if (next >= end) {
                return -1;
            }
            long taken = (long) NEXT.getAndAdd(this, 1L);
            return taken < end ? taken : -1;
        }

        /**
         * The next id if it is between {@code least} and {@code most}; -1 if not, {@link #DISCARDED} if taken in vain.
         */
        long take(long least, long most) {
            long seen = next;
            if (seen >= end || seen < least || seen > most) {
                return -1;
            }
            long taken = (long) NEXT.getAndAdd(this, 1L);
            if (taken >= end) {
                return -1;
            }
            return taken <= most ? taken : DISCARDED;
        }

        long taken() {
            return Math.min(next, end) - begin;
        }

        /** Ends the range. Returns how many ids were taken. */
        long retire() {
            return Math.min(next < end ? (long) NEXT.getAndSet(this, end) : end, end) - begin;
        }

        long begin() {
            return begin;
        }

        long end() {
            return end;
        }

        long reservedAt() {
            return reservedAt;
        }

        long number() {
            return number;
        }
    }

    private final int longest;

    private final AtomicReferenceArray<Range> ranges = new AtomicReferenceArray<>(SLOTS * SPREAD);

    /** Ids issued in each slot, without its current range. */
    private final AtomicLongArray issued = new AtomicLongArray(SLOTS * SPREAD);

    private final AtomicLong mostSeen = new AtomicLong();

    /** @param sequences ids in a tick */
    StripedRanges(long sequences) {
        longest = (int) Math.max(1, Math.min(LONGEST, sequences / PART));
        for (int slot = 0; slot < SLOTS * SPREAD; slot += SPREAD) {
            ranges.set(slot, NONE);
        }
    }

    /** The slot of the current thread. */
    int slot() {
        return (int) (Thread.currentThread().getId() % SLOTS) * SPREAD;
    }

    Range get(int slot) {
        return ranges.get(slot);
    }

    int length(int slot, long millis) {
        Range known = ranges.get(slot);
        return known.reservedAt == millis ? Math.min(2 * known.length, longest) : 1;
    }

    /**
     * Replaces the range of a slot, unless a higher one is there. Also counts the caller's id, which is in no range.
     */
    void put(int slot, Range range) {
        long used = 1;
        Range known = ranges.get(slot);
        while (known.end < range.end) {
            if (ranges.compareAndSet(slot, known, range)) {
                used += known.retire();
                break;
            }
            known = ranges.get(slot);
        }
        issued.getAndAdd(slot, used);
    }

    /**
     * How many ids were issued; never decreases. A range counts while it is in its slot and once it has been replaced.
     * For a moment between the two its ids may be missing, but none is counted twice.
     */
    long issued() {
        long sum = 0;
        for (int slot = 0; slot < SLOTS * SPREAD; slot += SPREAD) {
            sum += issuedIn(slot);
        }
        return mostSeen.accumulateAndGet(sum, Math::max);
    }

    @SuppressWarnings("ReferenceEquality")
    private long issuedIn(int slot) {
        while (true) {
            long before = issued.get(slot);
            Range range = ranges.get(slot);
            long taken = range.taken();
            if (ranges.get(slot) == range) {
                return before + taken;
            }
        }
    }

    /** Counts ids that are in no range. */
    void count(int slot, long ids) {
        issued.getAndAdd(slot, ids);
    }

    /** Uncounts an id that was taken from a range but not issued. */
    void discard(int slot) {
        issued.getAndDecrement(slot);
    }
}
