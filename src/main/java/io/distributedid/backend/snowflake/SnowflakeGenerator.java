package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Composes ids of the time, a worker number, a sequence within each tick of the time, and other fields (Twitter's
 * Snowflake, 2010). Lock-free.
 *
 * <p>All state is the tick and sequence of the last id in one long, which only grows: none is repeated whatever the
 * clock does.
 *
 * <ul>
 *   <li>The clock is past the last tick: the next id has the clock's tick and a random sequence, so that the low bits,
 *       and with them {@code id % shards}, are even at low rates too.
 *   <li>Else the next id is the last one plus one. A sequence that runs over carries into the next tick: a burst
 *       borrows time ahead of the clock, at the most {@code maxAhead}; then callers wait for the clock.
 *   <li>A clock that went back looks the same. Callers wait if that takes at the most {@code tolerance}, and are
 *       refused if it would take longer.
 *   <li>No id has a tick outside of the {@link Worker.Window} that its worker number was read from. Callers wait for a
 *       window that ends too early to be renewed, as long as the worker lets them.
 * </ul>
 *
 * <p>Why no id is made twice: the compare-and-set gives each (tick, sequence) to one caller of this generator, and the
 * worker gives the tick with this number to no other generator of the same sequence. The window may have been replaced
 * since it was read; its times are still owned.
 *
 * <p>Callers that come fast take short runs of ids out of the state, so that cores don't have to pass it to and fro for
 * each id: see {@link StripedRanges}. The ids that one thread gets ascend as long as the worker number stays; those of
 * different threads may be out of order within a millisecond, and within what they are ahead of the clock.
 */
final class SnowflakeGenerator {

    /** Real time, beyond what the clock promised, after which a clock that stands still is an error. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The state of a closed generator: past the last tick of every layout. */
    private static final long CLOSED = Long.MAX_VALUE;

    /** A window in ticks, its number in its place. */
    private record Span(Worker.Window window, long number, long firstTick, long lastTick) {}

    private final IdLayout layout;

    private final Worker worker;

    private final InstantSource clock;

    private final LongUnaryOperator random;

    private final int sequenceBits;

    private final long sequences;

    private final long maxAheadTicks;

    private final long toleranceMillis;

    private final AtomicLong last = new AtomicLong(-1);

    private final StripedRanges runs;

    private final WaitStatistics waits;

    private volatile boolean closed;

    /** Read and written by any thread without order: each one that it can see is right, if perhaps not the newest. */
    private Span span;

    /**
     * Issues nothing yet.
     *
     * @param sequence that the ids are of, for events
     * @param worker whose windows bound the ids
     * @param maxAhead how far bursts may run ahead of the clock; at least one tick
     * @param tolerance how far back the clock may have gone for callers to wait
     * @param random a number from 0 to below its argument
     */
    SnowflakeGenerator(
            String sequence,
            IdLayout layout,
            Worker worker,
            InstantSource clock,
            Duration maxAhead,
            Duration tolerance,
            LongUnaryOperator random) {
        this.layout = layout;
        this.worker = worker;
        this.clock = clock;
        this.random = random;
        sequenceBits = layout.bits(IdField.SEQUENCE);
        sequences = 1L << sequenceBits;
        runs = new StripedRanges(sequences);
        waits = new WaitStatistics(sequence, System::nanoTime);
        long unit = layout.time().unit().toMillis();
        maxAheadTicks = Math.max(1, (maxAhead.toMillis() + unit - 1) / unit);
        toleranceMillis = tolerance.toMillis();
        span = span(worker.window());
        if (!worker.isFresh()) {
            long start = layout.tick(span.window.from()) + maxAheadTicks + 1;
            last.set(firstState(start) + random.applyAsLong(sequences) - 1);
        }
    }

    private Span span(Worker.Window window) {
        // Tick 0 is left out: all other fields may be 0 too, and an id is positive.
        long first = Math.max(1, firstTick(window.from()));
        long until = window.until() == Long.MAX_VALUE ? Long.MAX_VALUE : firstTick(window.until());
        long maxTick = layout.time().maxTick();
        return new Span(
                window,
                layout.place(IdField.WORKER, window.number()),
                Math.min(first, maxTick + 1),
                Math.min(until - 1, maxTick));
    }

    /** The first tick that begins at {@code millis} or later. */
    private long firstTick(long millis) {
        long tick = layout.tick(millis);
        return layout.millis(tick) == millis ? tick : tick + 1;
    }

    /**
     * Begins above all ids that a tick can have. To be called before ids are taken.
     *
     * @param tick of an id that exists
     */
    void startAbove(long tick) {
        last.accumulateAndGet(lastState(tick), Math::max);
    }

    /**
     * The next id.
     *
     * @param fields those besides time, worker and sequence, placed
     */
    long next(long fields) {
        int slot = runs.slot();
        StripedRanges.Run run = runs.get(slot);
        long millis = clock.millis();
        long next = run.reservedAt() == millis ? run.take() : takeLater(run, tick(millis));
        if (next < 0 || closed) {
            if (next != -1) {
                runs.spoil(slot);
            }
            return reserve(slot, fields);
        }
        return compose(next, fields | run.number());
    }

    /** From a run of another millisecond, as far as it lies ahead of the clock and not too far. */
    private long takeLater(StripedRanges.Run run, long now) {
        return run.take(firstState(now + 1), lastState(now + maxAheadTicks));
    }

    /**
     * Takes a run from the state, longer than the last one if that was used up within its millisecond, and its first
     * id.
     */
    private long reserve(int slot, long fields) {
        Runnable waited = null;
        try {
            while (true) {
                Span current = span();
                long millis = clock.millis();
                long now = tick(millis);
                long previous = last.get();
                long fresh = firstState(Math.max(now, current.firstTick));
                long limit = lastState(Math.min(now + maxAheadTicks, current.lastTick));
                long first = previous < fresh ? fresh + random.applyAsLong(sequences) : previous + 1;
                if (first > limit || first < 0) {
                    long tick = first >>> sequenceBits;
                    requireHope(previous, tick, millis, current);
                    if (waited == null) {
                        waited = waits.begin();
                    }
                    if (tick > now + maxAheadTicks) {
                        awaitClock(tick, millis);
                    } else {
                        Worker.Window unused = worker.await(current.window, layout.millis(tick));
                    }
                } else {
                    int length = previous < fresh ? 1 : runs.length(slot, millis);
                    long end = Math.min(first + length, limit + 1);
                    if (last.compareAndSet(previous, end - 1)) {
                        runs.put(slot, new StripedRanges.Run(first + 1, end, length, millis, current.number));
                        return compose(first, fields | current.number);
                    }
                }
            }
        } finally {
            if (waited != null) {
                waited.run();
            }
        }
    }

    private long firstState(long tick) {
        return tick << sequenceBits;
    }

    private long lastState(long tick) {
        return firstState(Math.min(tick, layout.time().maxTick()) + 1) - 1;
    }

    private long compose(long state, long fields) {
        return layout.compose(state >>> sequenceBits, state & (sequences - 1), fields);
    }

    /**
     * Ends the generator; called once. Returns the first id time of the last window, or later, that no id of it has.
     */
    long close() {
        closed = true;
        long lastTick = last.getAndSet(CLOSED) >> sequenceBits;
        return Math.max(layout.millis(lastTick + 1), worker.window().from());
    }

    @SuppressWarnings("ReferenceEquality")
    private Span span() {
        Worker.Window window = worker.window();
        Span known = span;
        if (known.window != window) {
            known = span(window);
            span = known;
        }
        return known;
    }

    /** At the most one past the last tick, so that it can be shifted however far ahead the clock is. */
    private long tick(long millis) {
        return Math.min(layout.tick(millis), layout.time().maxTick() + 1);
    }

    private void requireHope(long previous, long tick, long millis, Span spent) {
        if (previous == CLOSED) {
            throw new IdUnavailableException("The source of ids is closed: worker=" + spent.window.number());
        }
        // The clock is looked at again, since others may have gone far on while this thread was held up after the first
        // look.
        DistributedIdException refusal = refusal(tick, millis) == null ? null : refusal(tick, clock.millis());
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Why there can be no id of this tick, however long one waits; null if there can. */
    private @Nullable DistributedIdException refusal(long tick, long millis) {
        Instant instant = Instant.ofEpochMilli(millis);
        long now = tick(millis);
        if (now < 0) {
            return new IdUnavailableException("The clock is before the epoch: clock=" + instant + " epoch="
                    + layout.time().epoch()
                    + ". Set the clock, or distributedid.snowflake.epoch to an instant in the past");
        }
        if (tick > layout.time().maxTick()) {
            return new IdsExhaustedException(
                    "The layout has run out of time: " + layout + ". Move to a layout with more bits of time");
        }
        long wait = layout.millis(tick - maxAheadTicks) - millis;
        if (tick > now + maxAheadTicks
                && wait > toleranceMillis + layout.time().unit().toMillis()) {
            return new IdUnavailableException("The clock went back and ids are refused until it is right again: it is "
                    + (layout.millis(tick) - millis)
                    + " ms behind the last id of this worker number, clock="
                    + instant + ". Set the clock right, and do not restart: a restart forgets how far ids have come,"
                    + " unless the number is leased or has a state file. Allowed: "
                    + maxAheadTicks * layout.time().unit().toMillis()
                    + " ms (distributedid.snowflake.max_ahead) and waiting for up to " + toleranceMillis
                    + " ms more (distributedid.snowflake.clock_tolerance)");
        }
        return null;
    }

    /** What the ids of this generator have come to. Disturbs nobody. */
    SequenceStatistics statistics() {
        Instant now = clock.instant();
        return new SequenceStatistics(
                runs.issued(),
                waits.count(),
                waits.time(),
                Optional.empty(),
                Optional.of(worker.statistics(now)),
                List.of(),
                refusal());
    }

    private Optional<String> refusal() {
        long previous = last.get();
        if (previous == CLOSED) {
            return Optional.empty();
        }
        long millis = clock.millis();
        long least = Math.max(tick(millis), span.firstTick);
        long tick = Math.max(least, (previous + 1) >>> sequenceBits);
        return Optional.ofNullable(refusal(tick, millis)).map(Throwable::getMessage);
    }

    /** Returns when there may be an id of this tick. */
    private void awaitClock(long tick, long millis) {
        long target = layout.millis(tick - maxAheadTicks);
        long wait = target - millis;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) + PATIENCE_NANOS;
        for (long left = wait; left > 0; left = target - clock.millis()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IdUnavailableException(
                        "Interrupted while waiting for the clock: " + left + " ms short of the next id");
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IdUnavailableException(
                        "The clock stands still: clock=" + clock.instant() + ", " + left + " ms short of the next id");
            }
            LockSupport.parkNanos(this, Math.min(LONGEST_NAP_NANOS, TimeUnit.MILLISECONDS.toNanos(left)));
        }
    }
}
