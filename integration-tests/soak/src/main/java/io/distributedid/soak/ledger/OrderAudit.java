package io.distributedid.soak.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Looks at the time order of ids. A call is late by the time between the end of another call, which got a larger id of
 * the same counter, and its own beginning. Only a call that is late beyond the bound is out of order.
 *
 * <p>It reads the ledger twice, in any order, and remembers the largest id for each millisecond: by that a call seems
 * late by up to a millisecond less than it is.
 */
public final class OrderAudit {

    private static final long SLOT = Duration.ofMillis(1).toNanos();

    private static final int MOST_EXAMPLES = 20;

    private final long began;

    private final long bound;

    private final Predicate<Entry> isExcused;

    /** Of each counter, for each slot: the largest id that was given up to its end. */
    private final long[][] largest;

    private final List<String> examples = new ArrayList<>();

    private boolean isComplete;

    private long violations;

    private long excused;

    private long latest;

    private long latestExcused;

    /**
     * @param began no call ended before it
     * @param ended no call ended after it
     * @param counters see {@link IdAudit#of}
     * @param bound how late a call may be
     * @param isExcused whether the promise does not hold for a call that is late beyond the bound
     */
    public OrderAudit(long began, long ended, int counters, Duration bound, Predicate<Entry> isExcused) {
        this.began = began;
        this.bound = bound.toNanos();
        this.isExcused = isExcused;
        largest = new long[counters][(int) ((ended - began) / SLOT) + 1];
    }

    private int counter(Entry entry) {
        return (int) (entry.first() % largest.length);
    }

    /** To be called for every entry first. */
    public void learn(Entry entry) {
        if (!entry.isRefused()) {
            int slot = (int) ((entry.end() - began) / SLOT);
            long[] ofCounter = largest[counter(entry)];
            ofCounter[slot] = Math.max(ofCounter[slot], entry.last());
        }
    }

    /** To be called for every entry once all are known. */
    public void judge(Entry entry) {
        complete();
        if (entry.isRefused()) {
            return;
        }
        long late = late(entry);
        if (late <= bound) {
            latest = Math.max(latest, late);
        } else if (isExcused.test(entry)) {
            excused++;
            latestExcused = Math.max(latestExcused, late);
        } else {
            violations++;
            latest = Math.max(latest, late);
            if (examples.size() < MOST_EXAMPLES) {
                examples.add(entry + " is late by " + late / 1_000_000 + " ms");
            }
        }
    }

    private void complete() {
        if (!isComplete) {
            for (long[] ofCounter : largest) {
                Arrays.parallelPrefix(ofCounter, Math::max);
            }
            isComplete = true;
        }
    }

    private long late(Entry entry) {
        long[] ofCounter = largest[counter(entry)];
        int low = 0;
        int high = ofCounter.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ofCounter[middle] > entry.first()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.max(0, entry.begin() - began - (low + 1) * SLOT);
    }

    /** Calls that were out of order. */
    public long violations() {
        return violations;
    }

    /** The first of them. */
    public List<String> examples() {
        return examples;
    }

    /** Calls beyond the bound that were excused. */
    public long excused() {
        return excused;
    }

    /** How late a call was that was not excused. */
    public Duration latest() {
        return Duration.ofNanos(latest);
    }

    /** How late a call was that was excused. */
    public Duration latestExcused() {
        return Duration.ofNanos(latestExcused);
    }
}
