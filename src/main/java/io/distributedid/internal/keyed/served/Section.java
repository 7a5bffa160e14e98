package io.distributedid.internal.keyed.served;

import com.carrotsearch.hppc.LongIntHashMap;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.process.Platform;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A section in this process: gives its numbers while this process owns it. See {@link SectionProtocol}. It calls no
 * store: one thread runs the protocol, and tells what it {@link #learn learns}. Each key has a count above a common
 * base, in a map of primitives. Thread-safe, by one lock; never waits for a store.
 */
public final class Section {

    /** Another process owns the section, or none does, or this one hands it over. */
    public static final long NOT_OWNED = -1;

    /** The lease is over. It may be renewed. */
    public static final long LEASE_OVER = -2;

    /** {@code max} must be raised first. It is {@link #wanted}. */
    public static final long ABOVE_MAX = -3;

    /** There is no memory for another key, or a key counts no further. The keys are to be dropped. */
    public static final long KEYS_FULL = -4;

    /** Of the map's places, a larger part is used before it doubles than by default, since keys are many. */
    private static final double LOAD = 0.9;

    private static final int SPINS = 64;

    /** A key and its count. */
    private static final long PLACE_BYTES = Long.BYTES + Integer.BYTES;

    private final SectionProtocol protocol;

    private final KeyMemory memory;

    private final Platform platform;

    private final Runnable raise;

    private final ReentrantLock lock;

    private volatile @Nullable String exhausted;

    // The lock guards all fields from here on.

    /** The newest right, which may be over; null if calls get nothing. */
    private @Nullable Lease held;

    /** The first value of the last tenure. No two tenures have the same. */
    private long tenure = -1;

    /** Numbers begin above it. */
    private long base;

    private LongIntHashMap counts = none();

    private long wanted;

    private boolean dropWanted;

    /** What is counted of the map in {@link #memory}. */
    private long bytes;

    /**
     * @param memory shared with other sections
     * @param raise called by a caller's thread whenever more numbers are {@link #wanted}; must not wait
     */
    public Section(SectionProtocol protocol, KeyMemory memory, Platform platform, Runnable raise) {
        this.protocol = protocol;
        this.memory = memory;
        this.platform = platform;
        lock = platform.lock();
        this.raise = raise;
    }

    private static LongIntHashMap none() {
        return new LongIntHashMap(0, LOAD);
    }

    /**
     * The next numbers of a key: increments it, checks the lease, and answers.
     *
     * @param key a number from 0 up, or {@link KeyHash#text} of a text
     * @param count from 1 to the step
     * @return the last of {@code count} consecutive numbers; or the reason why there is none, which is negative
     */
    public long next(long key, int count) {
        if (count < 1 || count > protocol.step()) {
            throw new IllegalArgumentException(
                    "The number of numbers must be 1 to " + protocol.step() + ": count=" + count);
        }
        long before;
        long after;
        long last;
        acquire();
        try {
            before = wish();
            last = taken(key, count);
            after = wish();
        } finally {
            lock.unlock();
        }
        if (after > before) {
            raise.run();
        }
        return last;
    }

    /** Another caller has the lock for less time than it takes to park a thread. */
    private void acquire() {
        for (int i = 0; i < SPINS && lock.isLocked(); i++) {
            Thread.onSpinWait();
        }
        lock.lock();
    }

    private long taken(long key, int count) {
        Lease own = held;
        if (own == null) {
            return NOT_OWNED;
        }
        if (!own.isConfirmed()) {
            return LEASE_OVER;
        }
        int place = counts.indexOf(key);
        boolean isNew = place < 0;
        long sum = (isNew ? 0L : counts.indexGet(place)) + count;
        if (sum > own.bound() - base) {
            want(sum > Long.MAX_VALUE - base ? Long.MAX_VALUE : base + sum);
            return ABOVE_MAX;
        }
        if (sum > Integer.MAX_VALUE || (isNew && isFull() && !memory.has(bytes))) {
            dropWanted = true;
            return KEYS_FULL;
        }
        if (isNew) {
            counts.indexInsert(place, key, (int) sum);
            note(PLACE_BYTES * counts.keys.length);
        } else {
            counts.indexReplace(place, (int) sum);
        }
        if (protocol.mustRaise(own, base + sum)) {
            want(base + sum);
        }
        if (!isValid(own)) {
            // No caller has seen the number: it is taken back, since calls may be repeated until the lease is renewed.
            int unused = counts.addTo(key, -count);
            return LEASE_OVER;
        }
        return base + sum;
    }

    /** Whether the map doubles at the next new key. */
    private boolean isFull() {
        int places = counts.keys.length - 1;
        return counts.size() >= Math.min(places - 1, (int) Math.ceil(places * LOAD));
    }

    private void note(long now) {
        if (now != bytes) {
            memory.take(now - bytes);
            bytes = now;
        }
    }

    private boolean isValid(Lease own) {
        return own.isConfirmed() && protocol.lease().isUsable(own, platform.nanoTime());
    }

    private void want(long number) {
        wanted = Math.max(wanted, number);
    }

    /** About the bytes of memory that the keys take. A map that grows takes as many more. */
    public long keyBytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The largest number of a key that this tenure may have given, or its base.
     *
     * @return {@link #NOT_OWNED} or {@link #LEASE_OVER} if that is unknown
     */
    public long current(long key) {
        lock.lock();
        try {
            Lease own = held;
            if (own == null) {
                return NOT_OWNED;
            }
            return isValid(own) ? base + counts.get(key) : LEASE_OVER;
        } finally {
            lock.unlock();
        }
    }

    /** What the next request must make room for: see {@link SectionProtocol#max}. */
    public long wanted() {
        lock.lock();
        try {
            return wish();
        } finally {
            lock.unlock();
        }
    }

    /** Tells callers that there are no more numbers, whoever owns the section. */
    void exhaust(String why) {
        exhausted = why;
    }

    /** Why there are no more numbers; empty if there is no such reason. */
    Optional<String> exhausted() {
        return Optional.ofNullable(exhausted);
    }

    /** With what dropping the keys needs. */
    private long wish() {
        Lease own = held;
        return own == null || !dropWanted ? wanted : Math.max(wanted, own.bound());
    }

    /** Has {@link #learn} drop all keys with the next raise of {@code max}, which is {@link #wanted} now. */
    public void dropKeys() {
        lock.lock();
        try {
            dropWanted = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets calls use what the store has answered. For one thread at a time.
     *
     * @param next the newest right; null to let no call begin, before a hand-over
     */
    public void learn(@Nullable Lease next) {
        lock.lock();
        try {
            Lease before = held;
            if (next == null) {
                begin(null, 0);
            } else if (next.from() != tenure) {
                begin(next, next.from());
            } else if (before == null) {
                // Its counts were forgotten.
                begin(next, next.bound());
            } else if (dropWanted && next.bound() - before.bound() >= protocol.step()) {
                begin(next, before.bound());
            } else {
                held = next;
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin(@Nullable Lease next, long above) {
        counts = none();
        note(0);
        held = next;
        tenure = next == null ? tenure : next.from();
        base = above;
        wanted = 0;
        dropWanted = false;
    }
}
