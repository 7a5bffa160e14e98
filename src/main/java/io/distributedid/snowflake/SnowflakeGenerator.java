package io.distributedid.snowflake;

import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.IdSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Composes ids of the time, a worker number and a sequence within each tick (Twitter's Snowflake, 2010). Lock-free.
 *
 * <p>All state is the tick and sequence of the last id in one long, which only grows: ids ascend strictly, and none is
 * repeated whatever the clock does.
 * <ul>
 *   <li>The clock is past the last tick: the next id has the clock's tick and a random sequence, so that the low bits, and with
 *       them {@code id % shards}, are even at low rates too.
 *   <li>Else the next id is the last one plus one. A sequence that runs over carries into the next tick: a burst borrows time
 *       ahead of the clock, at the most {@code maxAhead}; then callers wait for the clock.
 *   <li>A clock that went back looks the same. Callers wait if that takes at the most {@code tolerance}, and are refused if it
 *       would take longer.
 * </ul>
 *
 * <p>A generator starts above {@code maxAhead} from now, where a predecessor of the same worker number, killed this instant,
 * cannot have been.
 */
final class SnowflakeGenerator implements IdSource {

    /** Real time, beyond what the clock promised, after which a clock that stands still is an error. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The state of a closed generator: no compare-and-set that began before can succeed. */
    private static final long CLOSED = Long.MAX_VALUE;

    private final SnowflakeLayout layout;

    private final long worker;

    private final InstantSource clock;

    private final long maxAheadTicks;

    private final long toleranceTicks;

    private final AtomicLong last;

    /**
     * Starts in the tick after {@code notBefore} or after what a predecessor may have borrowed, whichever is later.
     *
     * @param notBefore no id gets this tick or an earlier one
     */
    SnowflakeGenerator(
            SnowflakeLayout layout,
            long worker,
            InstantSource clock,
            Duration maxAhead,
            Duration tolerance,
            long notBefore) {
        this.layout = layout;
        this.worker = worker;
        this.clock = clock;
        this.maxAheadTicks = Math.max(1, maxAhead.toMillis());
        this.toleranceTicks = tolerance.toMillis();
        long start = Math.max(notBefore, now() + maxAheadTicks) + 1;
        this.last = new AtomicLong((start << layout.sequenceBits()) + randomSequence() - 1);
    }

    @Override
    public long next() {
        while (true) {
            long now = now();
            long previous = last.get();
            if (previous == CLOSED) {
                throw new IdUnavailableException("The source of ids is closed: worker=" + worker);
            }
            long fresh = now << layout.sequenceBits();
            long next = previous < fresh ? fresh | randomSequence() : previous + 1;
            long tick = next >>> layout.sequenceBits();
            if (tick - now > maxAheadTicks) {
                awaitClock(tick - now - maxAheadTicks);
            } else if (tick > layout.maxTick()) {
                throw new IdsExhaustedException("The layout has run out of time: " + layout + " lasted until "
                        + layout.lastYear() + ". Move to a layout with more bits of time or a later epoch");
            } else if (last.compareAndSet(previous, next)) {
                return layout.compose(next, worker);
            }
        }
    }

    /** Ends the generator; called once. Returns the tick of its last id. */
    long close() {
        return last.getAndSet(CLOSED) >>> layout.sequenceBits();
    }

    private void awaitClock(long ticks) {
        if (ticks > toleranceTicks + 1) {
            throw new IdUnavailableException("The clock went back and ids are refused until it is right again: it is "
                    + (ticks + maxAheadTicks) + " ms behind the last id, clock=" + clock.instant() + ", allowed: "
                    + maxAheadTicks + " ms (distributedid.snowflake.max_ahead) and waiting for up to " + toleranceTicks
                    + " ms more (distributedid.snowflake.clock_tolerance)");
        }
        long target = now() + ticks;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ticks) + PATIENCE_NANOS;
        while (now() < target) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IdUnavailableException("Interrupted while waiting for the clock: worker=" + worker);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IdUnavailableException(
                        "The clock stands still: clock=" + clock.instant() + ", " + ticks + " ms short of the next id");
            }
            LockSupport.parkNanos(Math.min(LONGEST_NAP_NANOS, TimeUnit.MILLISECONDS.toNanos(target - now())));
        }
    }

    private long now() {
        long tick = layout.tick(clock.millis());
        if (tick < 0) {
            throw new IdUnavailableException("The clock is before the epoch: clock=" + clock.instant() + " epoch="
                    + layout.epoch() + ". Set the clock, or distributedid.snowflake.epoch to an instant in the past");
        }
        return tick;
    }

    private long randomSequence() {
        return ThreadLocalRandom.current().nextLong(1L << layout.sequenceBits());
    }
}
