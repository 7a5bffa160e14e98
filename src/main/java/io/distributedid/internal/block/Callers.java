package io.distributedid.internal.block;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a buffer, and the callers that have found no id: they wait, and are woken. All methods need the lock.
 *
 * <p>In strict mode an id is only for a caller that came before the id was asked for. So it is larger than all ids that
 * the same server had given before the call.
 */
final class Callers {

    final ReentrantLock lock;

    private final Condition changed;

    private int waiting;

    /** How often a block was asked for. */
    private long requests;

    private int present;

    /** How many of those that are present came before the last request. */
    private int entitled;

    Callers(ReentrantLock lock) {
        this.lock = lock;
        this.changed = lock.newCondition();
    }

    /** A caller comes. Returns what the other methods ask for. */
    long come() {
        present++;
        return requests;
    }

    /** All callers that are present now may have the next id. */
    void ask() {
        requests++;
        entitled = present;
    }

    /** Whether this caller may have the id that was asked for last. */
    boolean isEntitled(long came) {
        return came < requests;
    }

    boolean isAnyEntitled() {
        return entitled > 0;
    }

    /** A caller goes, with or without an id. The next one is woken, which takes an id or starts a fetch. */
    void go(long came) {
        present--;
        if (isEntitled(came)) {
            entitled--;
        }
        wakeNext();
    }

    boolean isAnyWaiting() {
        return waiting > 0;
    }

    /** Waits until it is woken, perhaps for nothing. Returns how many nanoseconds are left. */
    @SuppressWarnings("WaitNotInLoop") // Those that wait loop.
    long await(long nanos) throws InterruptedException {
        waiting++;
        try {
            return changed.awaitNanos(nanos);
        } finally {
            waiting--;
        }
    }

    void wakeNext() {
        changed.signal();
    }

    void wakeAll() {
        changed.signalAll();
    }

    /** Wakes no more callers than there are ids, so that a thousand callers don't compete for one. */
    void wake(long ids) {
        for (long i = 0; i < Math.min(ids, waiting); i++) {
            changed.signal();
        }
    }
}
