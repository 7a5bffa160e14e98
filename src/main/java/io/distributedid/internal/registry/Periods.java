package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds the current {@link Period}. While suspended there is none, and callers wait here for {@code block.timeout}.
 * After the close it is always the last period. Thread-safe.
 *
 * <p>Lock order: {@code changing}, then the locks of a period, then {@code lock}. No thread blocks while it holds
 * {@code lock}.
 */
final class Periods {

    /** Held during the whole of a suspend, resume or close. */
    private final ReentrantLock changing = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private final Function<@Nullable Period, Period> create;

    private volatile @Nullable Period current;

    private volatile boolean closed;

    /** Guarded by {@code changing}. */
    private @Nullable Period abandoned;

    /** @param create makes a period from the abandoned one, which is null at the start */
    Periods(Function<@Nullable Period, Period> create) {
        this.create = create;
        current = create.apply(null);
    }

    boolean isClosed() {
        return closed;
    }

    boolean isSuspended() {
        return !closed && current == null;
    }

    /** Whether ids of this period may be handed out. */
    @SuppressWarnings("ReferenceEquality")
    boolean isCurrent(Period period) {
        return period == current;
    }

    /** Null if suspended or closed. */
    @Nullable
    Period now() {
        return closed ? null : current;
    }

    /** Throws {@link IdUnavailableException} unless sequences may be opened in this period. */
    void requireUsable(Period period, Sequence sequence) {
        if (closed || !isCurrent(period)) {
            throw closed(sequence.toString());
        }
    }

    /** Waits for the current period. Fails if closed, or suspended for longer than {@code block.timeout}. */
    private Period await(Sequence sequence, long began) {
        Period period = now();
        if (period != null) {
            return period;
        }
        Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
        try {
            lock.lockInterruptibly();
            try {
                while (!closed && current == null) {
                    long left = timeout.toNanos() - (System.nanoTime() - began);
                    if (left <= 0) {
                        throw new IdUnavailableException("Ids are suspended: " + sequence + ", waited "
                                + timeout.toMillis() + " ms (" + "distributedid.block.timeout"
                                + "). DistributedIds.resume() ends the suspension");
                    }
                    long unused = changed.awaitNanos(left);
                }
                period = now();
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while ids are suspended: " + sequence, e);
        }
        if (period == null) {
            throw closed(sequence.toString());
        }
        return period;
    }

    /**
     * Runs {@code work} in the current period. If that ends meanwhile, drops the result or failure, since a copy of
     * this process may have the same one, and runs it again in the next period.
     */
    <T> T inCurrent(Sequence sequence, long began, Function<Period, T> work) {
        while (true) {
            Period period = await(sequence, began);
            try {
                T result = work.apply(period);
                if (isCurrent(period)) {
                    return result;
                }
            } catch (DistributedIdException e) {
                if (isCurrent(period)) {
                    throw e;
                }
            }
        }
    }

    /** Waits for the time, or until closed. */
    void pause(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    static IdUnavailableException closed(String what) {
        return new IdUnavailableException("The source of ids is closed: " + what);
    }

    /** Runs {@code attach}, which must not block, if this period may still be used. Returns whether it ran. */
    boolean attach(Period period, Runnable attach) {
        lock.lock();
        try {
            boolean usable = isCurrent(period) && !closed;
            if (usable) {
                attach.run();
            }
            return usable;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Abandons the current period, and returns whether there was one.
     *
     * @param detach runs first and must not block; after it no caller gets an id of that period
     */
    boolean suspend(Runnable detach) {
        changing.lock();
        try {
            Period period = leave(detach);
            if (period != null) {
                abandoned = period;
                period.abandon();
            }
            return period != null;
        } finally {
            changing.unlock();
        }
    }

    private @Nullable Period leave(Runnable detach) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            Period period = current;
            current = null;
            detach.run();
            return period;
        } finally {
            lock.unlock();
        }
    }

    /** Begins a period if suspended, and returns it; otherwise returns null. */
    @Nullable
    Period resume() {
        changing.lock();
        try {
            if (closed || current != null) {
                return null;
            }
            Period period = create.apply(abandoned);
            abandoned = null;
            change(() -> current = period);
            return period;
        } finally {
            changing.unlock();
        }
    }

    /** Closes the current period, if there is one. An abandoned period gives nothing back. */
    void close() {
        changing.lock();
        try {
            change(() -> closed = true);
            Period period = current;
            if (period != null) {
                period.close();
            }
        } finally {
            changing.unlock();
        }
    }

    private void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
