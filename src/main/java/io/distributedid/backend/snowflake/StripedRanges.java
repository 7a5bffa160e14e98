package io.distributedid.backend.snowflake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Runs of consecutive ids that threads have taken from a {@link SnowflakeGenerator}. A thread always uses the same
 * slot, which has one run at a time; few threads share a slot, and a core that counts up its own run waits for no other
 * core. Lock-free.
 *
 * <p>Runs are 1, 2, 4, ... ids long, and 1 again if the last one was not used up within its millisecond: a slow caller
 * leaves nothing behind. A rest is dropped when the clock has passed it, and after its millisecond unless it lies ahead
 * of the clock, so that ids of different threads are in order to the millisecond.
 *
 * <p>The runs of a slot only grow, and a thread has put its run, or found a higher one in its place, before it uses the
 * first id of it: so the ids that a thread gets ascend.
 */
final class StripedRanges {

    private static final int LONGEST = 256;

    /** A run may hold at most this part of a tick, so that little of it is lost by rests. */
    private static final int PART = 64;

    /** References to a cache line and the one fetched along with it, so that slots don't share them. */
    private static final int SPREAD = 32;

    private static final int SLOTS = Integer.highestOneBit(
            Math.max(4, Math.min(32, 4 * Runtime.getRuntime().availableProcessors())));

    private static final Run NONE = new Run(-1, -1, 1, Long.MIN_VALUE, 0);

    /** Reserved ids, given by tick and sequence in one long, from {@code next} up to, not including, {@code end}. */
    static final class Run {

        /** One was taken that others have pushed above the limit. */
        static final long SPOILT = -2;

        private static final VarHandle NEXT;

        static {
            try {
                NEXT = MethodHandles.lookup().findVarHandle(Run.class, "next", long.class);
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
         * Belongs to the caller.
         *
         * @param length how long it was asked for
         * @param reservedAt the clock, in milliseconds
         * @param number the worker number that goes with it, placed
         */
        Run(long next, long end, int length, long reservedAt, long number) {
            this.next = next;
            this.begin = next;
            this.end = end;
            this.length = length;
            this.reservedAt = reservedAt;
            this.number = number;
        }

        /** The next one, while the clock is as it was when the run was reserved, and its limits with it; else -1. */
        long take() {
            if (next >= end) {
                return -1;
            }
            long taken = (long) NEXT.getAndAdd(this, 1L);
            return taken < end ? taken : -1;
        }

        /**
         * The next one, if it is not below {@code least} nor above {@code most}; else -1, or {@link #SPOILT} if it took
         * one.
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
            return taken <= most ? taken : SPOILT;
        }

        /** How many were taken. */
        long taken() {
            return Math.min(next, end) - begin;
        }

        /** Lets nobody take one any more, and returns how many were taken. */
        long retire() {
            return Math.min(next < end ? (long) NEXT.getAndSet(this, end) : end, end) - begin;
        }

        long reservedAt() {
            return reservedAt;
        }

        long number() {
            return number;
        }
    }

    private final int longest;

    private final AtomicReferenceArray<Run> runs = new AtomicReferenceArray<>(SLOTS * SPREAD);

    /** Ids handed out in each slot, without those of the run that is there. */
    private final AtomicLongArray issued = new AtomicLongArray(SLOTS * SPREAD);

    private final AtomicLong mostSeen = new AtomicLong();

    /**
     * All empty.
     *
     * @param sequences ids in a tick
     */
    StripedRanges(long sequences) {
        longest = (int) Math.max(1, Math.min(LONGEST, sequences / PART));
        for (int slot = 0; slot < SLOTS * SPREAD; slot += SPREAD) {
            runs.set(slot, NONE);
        }
    }

    /** That of the current thread. */
    int slot() {
        return (int) (Thread.currentThread().getId() % SLOTS) * SPREAD;
    }

    Run get(int slot) {
        return runs.get(slot);
    }

    /** How long the next run of a slot should be. */
    int length(int slot, long millis) {
        Run known = runs.get(slot);
        return known.reservedAt == millis ? Math.min(2 * known.length, longest) : 1;
    }

    /** Replaces the run of a slot, unless a higher one is there. The caller has used an id that is in neither. */
    void put(int slot, Run run) {
        long used = 1;
        Run known = runs.get(slot);
        while (known.end < run.end) {
            if (runs.compareAndSet(slot, known, run)) {
                used += known.retire();
                break;
            }
            known = runs.get(slot);
        }
        issued.getAndAdd(slot, used);
    }

    /**
     * How many ids were handed out, never less than before. A run counts when it is replaced, and until then as long as
     * it is seen in its slot: what is on its way between the two is missed for a moment, nothing is counted twice.
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
            Run run = runs.get(slot);
            long taken = run.taken();
            if (runs.get(slot) == run) {
                return before + taken;
            }
        }
    }

    /** An id that was taken from a run is not handed out. */
    void spoil(int slot) {
        issued.getAndDecrement(slot);
    }
}
