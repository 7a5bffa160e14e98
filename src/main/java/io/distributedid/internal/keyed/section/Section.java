package io.distributedid.internal.keyed.section;

import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.Term;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A section in this process: gives its numbers while this process owns it. See {@link SectionProtocol}. It calls no
 * store: one thread runs the protocol, and tells what it {@link #learn learns}.
 *
 * <p>Thread-safe. {@link #next} takes no lock for a key that has a number already, and never waits for a store.
 */
public final class Section {

    /** Another process owns the section, or none does, or this one hands it over. */
    public static final long NOT_OWNED = -1;

    /** The lease is over. It may be renewed. */
    public static final long LEASE_OVER = -2;

    /** {@code max} must be raised first. It is {@link #wanted}. */
    public static final long ABOVE_MAX = -3;

    /** There is no memory for another key, or a key counts no further. The keys must be dropped: {@link #dropKeys}. */
    public static final long KEYS_FULL = -4;

    private final SectionProtocol protocol;

    private final KeyMemory memory;

    private final LongSupplier nanoTime;

    private final Runnable raise;

    private final AtomicLong wanted = new AtomicLong();

    private volatile @Nullable OwnedSection owned;

    private volatile boolean dropWanted;

    /**
     * @param memory shared with other sections
     * @param nanoTime a monotonic clock
     */
    public Section(SectionProtocol protocol, KeyMemory memory, LongSupplier nanoTime) {
        this(protocol, memory, nanoTime, () -> {});
    }

    /**
     * As above.
     *
     * @param raise called by a caller's thread whenever more numbers are {@link #wanted}; must not wait
     */
    public Section(SectionProtocol protocol, KeyMemory memory, LongSupplier nanoTime, Runnable raise) {
        this.protocol = protocol;
        this.memory = memory;
        this.nanoTime = nanoTime;
        this.raise = raise;
    }

    /**
     * The next numbers of a key: increments it, checks the lease, and answers.
     *
     * @param key a number from 0 up, or {@link KeyHash#text} of a text
     * @param count from 1 to the step
     * @return the last of {@code count} consecutive numbers; or the reason why there is none, which is negative
     */
    @SuppressWarnings("ReferenceEquality")
    public long next(long key, int count) {
        if (count < 1 || count > protocol.step()) {
            throw new IllegalArgumentException(
                    "The number of numbers must be 1 to " + protocol.step() + ": count=" + count);
        }
        while (true) {
            OwnedSection own = owned;
            if (own == null) {
                return NOT_OWNED;
            }
            long last = own.keys().next(key, count, own.max());
            if (last < 0) {
                if (owned == own) {
                    return refused(own, last, key, count);
                }
            } else {
                if (last > own.warning()) {
                    want(last);
                }
                if (isValid(own)) {
                    return last;
                }
                if (owned == own) {
                    return LEASE_OVER;
                }
            }
        }
    }

    private boolean isValid(OwnedSection own) {
        return own.isValid(nanoTime.getAsLong());
    }

    private long refused(OwnedSection own, long reason, long key, int count) {
        if (reason == Keys.ABOVE_MAX) {
            want(own.keys().current(key) + count);
            return ABOVE_MAX;
        }
        dropWanted = true;
        return KEYS_FULL;
    }

    private void want(long number) {
        long before = wanted.get();
        while (before < number) {
            long found = wanted.compareAndExchange(before, number);
            if (found == before) {
                raise.run();
                return;
            }
            before = found;
        }
    }

    /** About the bytes of memory that the keys take. */
    public long keyBytes() {
        OwnedSection own = owned;
        return own == null ? 0 : own.keys().bytes();
    }

    /**
     * The largest number of a key that this tenure may have given, or its base.
     *
     * @return {@link #NOT_OWNED} or {@link #LEASE_OVER} if that is unknown
     */
    public long current(long key) {
        OwnedSection own = owned;
        if (own == null) {
            return NOT_OWNED;
        }
        long number = own.keys().current(key);
        return isValid(own) ? number : LEASE_OVER;
    }

    /** The base of the tenure; {@link #NOT_OWNED} if there is none. */
    public long base() {
        OwnedSection own = owned;
        return own == null ? NOT_OWNED : own.term().from();
    }

    /** What the next request must make room for: see {@link SectionProtocol#request}. */
    public long wanted() {
        OwnedSection own = owned;
        long number = wanted.get();
        return own == null || !dropWanted ? number : Math.max(number, own.max());
    }

    /** Has {@link #learn} drop all keys with the next raise of {@code max}, which is {@link #wanted} now. */
    public void dropKeys() {
        dropWanted = true;
    }

    /**
     * Lets calls use what the store has answered. For one thread at a time.
     *
     * @param state the newest one; {@link TenureState#EMPTY} to let no call begin, before a hand-over
     */
    public void learn(TenureState state) {
        Term held = state.held();
        OwnedSection before = owned;
        if (held == null) {
            owned = null;
            dropWanted = false;
            wanted.set(0);
        } else if (before == null || !before.isOfTenure(held)) {
            owned = OwnedSection.begun(protocol, held, memory);
            dropWanted = false;
            wanted.set(0);
        } else if (dropWanted && held.bound() - before.max() >= protocol.step()) {
            owned = before.withoutKeys(protocol, held);
            dropWanted = false;
        } else if (!before.term().equals(held)) {
            owned = before.renewed(protocol, held);
        }
        OwnedSection after = owned;
        if (before != null && (after == null || after.keys() != before.keys())) {
            before.keys().drop();
        }
    }
}
