package io.distributedid.internal.registry;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The life in use: none while suspended, the last one for ever once closed. Who wants ids meanwhile waits here, for as long as for a
 * block. Thread-safe.
 *
 * <p>Lock order: {@code turning}, then the locks of a life, then {@code lock}. Under {@code lock} nothing is waited for.
 */
final class Lives {

    /** Held from the beginning of a change to its end. */
    private final ReentrantLock turning = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private final Function<@Nullable Life, Life> create;

    private volatile @Nullable Life current;

    private volatile boolean closed;

    /** Written while {@code turning} is held. */
    private @Nullable Life abandoned;

    /** @param create makes the next life of the abandoned one, null at the start */
    Lives(Function<@Nullable Life, Life> create) {
        this.create = create;
        current = create.apply(null);
    }

    boolean isClosed() {
        return closed;
    }

    boolean isSuspended() {
        return !closed && current == null;
    }

    /** Whether ids of this life may be handed out. */
    @SuppressWarnings("ReferenceEquality")
    boolean isCurrent(Life life) {
        return life == current;
    }

    /**
     * The life in use, once there is one.
     *
     * @param began when the caller began to wait
     * @throws IdUnavailableException if closed, or suspended for longer than {@code block.timeout}
     */
    Life await(Sequence sequence, long began) {
        Life life = current;
        if (life != null && !closed) {
            return life;
        }
        try {
            lock.lockInterruptibly();
            try {
                return awaitLocked(sequence, began);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while ids are suspended: " + sequence, e);
        }
    }

    private Life awaitLocked(Sequence sequence, long began) throws InterruptedException {
        Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
        while (true) {
            if (closed) {
                throw closed(sequence.toString());
            }
            Life life = current;
            if (life != null) {
                return life;
            }
            long left = timeout.toNanos() - (System.nanoTime() - began);
            if (left <= 0) {
                throw new IdUnavailableException("Ids are suspended: " + sequence + ", waited "
                        + TimeUnit.NANOSECONDS.toMillis(timeout.toNanos()) + " ms ("
                        + DistributedIdSettings.BLOCK_TIMEOUT
                        + "). They are given again after DistributedIds.resume()");
            }
            long unused = changed.awaitNanos(left);
        }
    }

    /** Waits for some time, or until there is no life any more. */
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

    /**
     * Runs {@code attach}, which must not block, if this life may still be used.
     *
     * @return whether it was run
     */
    boolean attach(Life life, Runnable attach) {
        lock.lock();
        try {
            boolean usable = isCurrent(life) && !closed;
            if (usable) {
                attach.run();
            }
            return usable;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Abandons the life in use, if there is one.
     *
     * @param detach run first, must not block: lets nobody take an id of that life any more
     * @return whether there was one
     */
    boolean suspend(Runnable detach) {
        turning.lock();
        try {
            Life life = leave(detach);
            if (life != null) {
                abandoned = life;
                life.abandon();
            }
            return life != null;
        } finally {
            turning.unlock();
        }
    }

    private @Nullable Life leave(Runnable detach) {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            Life life = current;
            current = null;
            detach.run();
            return life;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins a life, if suspended.
     *
     * @return it; null if there is one, or closed
     */
    @Nullable
    Life resume() {
        turning.lock();
        try {
            if (closed || current != null) {
                return null;
            }
            Life life = create.apply(abandoned);
            abandoned = null;
            change(() -> current = life);
            return life;
        } finally {
            turning.unlock();
        }
    }

    /** Closes the life in use, if there is one; what was abandoned hands nothing back. */
    void close() {
        turning.lock();
        try {
            change(() -> closed = true);
            Life life = current;
            if (life != null) {
                life.close();
            }
        } finally {
            turning.unlock();
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
