package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.block.WaitStatistics.Wait;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Composes ids of time, worker number, a sequence within each tick, and other fields (Twitter's Snowflake, 2010).
 * Lock-free. One class: the wait and refusal rules read the same state as {@link #next}.
 *
 * <p>All state is one long: the tick and sequence of the last id. It only grows, so no id repeats whatever the clock
 * does.
 *
 * <ul>
 *   <li>If the clock is past the last tick, the next id has the clock's tick and a random sequence. So the low bits,
 *       and with them {@code id % shards}, are even at low rates too.
 *   <li>Otherwise the next id is the last one plus one. A sequence that overflows carries into the next tick: a burst
 *       borrows time ahead of the clock, at most {@code maxAhead}. Then callers wait for the clock.
 *   <li>A clock that went back looks the same. Callers wait if the wait is at most {@code tolerance}, and are refused
 *       if it would be longer.
 *   <li>The tick of an id lies in the {@link Worker.Window} from which its worker number was read. If the window ends
 *       too early, callers wait for its renewal, as long as the worker allows.
 *   <li>In strict order, an id is checked once it was taken: if the {@link Worker} does not last any more, it is
 *       dropped, since another process may have given larger ones. There are no ranges then, since these are unordered
 *       between threads.
 *   <li>If others may have used the number without a record, the first id lies above all that they can have made by
 *       this clock, unless it was set back: see {@link Worker#unrecordedUse}. It may lie further ahead than
 *       {@code maxAhead}: callers wait.
 * </ul>
 *
 * <p>Why no id is made twice: the compare-and-set gives each (tick, sequence) to one caller of this generator. The
 * worker gives the tick with this number to no other generator of the sequence. A window that was replaced since it was
 * read still owns its times.
 *
 * <p>Callers in quick succession reserve short ranges of ids, so that cores do not contend for the state on each id:
 * see {@link StripedRanges}. What is left of ranges below an existing id is dropped: a caller takes an id of a range
 * first, and then compares it with the floor. The ids of one thread ascend as long as the worker number stays. Ids of
 * different threads may be out of order within a millisecond, and by as much as they are ahead of the clock.
 */
final class SnowflakeGenerator {

    private static final Logger LOG = System.getLogger(SnowflakeGenerator.class.getName());

    /** The state of a closed generator, past the last tick of every layout. */
    private static final long CLOSED = Long.MAX_VALUE;

    /** A window in ticks. {@code number} is shifted to its place in the id. */
    private record Span(Worker.Window window, long number, long firstTick, long lastTick) {}

    private final IdLayout layout;

    private final Worker worker;

    private final InstantSource clock;

    private final ClockWait clockWait;

    private final LongUnaryOperator random;

    private final int sequenceBits;

    private final long sequences;

    private final long maxAheadTicks;

    private final long toleranceMillis;

    /** The first tick, if it must lie above what others may have used; 0 if the window alone says where to start. */
    private final long startTick;

    /** The state before the first id. */
    private final long begin;

    private final AtomicLong last;

    private final boolean isStrict;

    private final StripedRanges ranges;

    private final WaitStatistics waits;

    /** No id of a range up to this state is given: -1 until it is raised, {@link #CLOSED} at the end. */
    private volatile long floor = -1;

    private final ReentrantLock raising = new ReentrantLock();

    /** The last state that raises have asked for, or will in a moment. */
    private final AtomicLong reserved = new AtomicLong(-1);

    /** The state at the last warning: one for each time that the clock goes back. */
    private final AtomicLong warned = new AtomicLong(CLOSED);

    /** A benign race: any span that a thread sees is correct, even if it is not the newest. */
    private Span span;

    /**
     * @param waits counts the waits of this generator
     * @param maxAhead how far bursts may run ahead of the clock; at least one tick
     * @param tolerance how far the clock may go back while callers wait
     * @param random returns a number from 0 to below its argument
     */
    SnowflakeGenerator(
            WaitStatistics waits,
            IdLayout layout,
            Worker worker,
            InstantSource clock,
            Duration maxAhead,
            Duration tolerance,
            LongUnaryOperator random) {
        this.layout = layout;
        this.worker = worker;
        isStrict = worker.isStrict();
        this.clock = clock;
        clockWait = new ClockWait(clock);
        this.random = random;
        sequenceBits = layout.bits(IdField.SEQUENCE);
        sequences = 1L << sequenceBits;
        ranges = new StripedRanges(sequences);
        this.waits = waits;
        maxAheadTicks = Pace.ticks(maxAhead, layout.time().unit());
        toleranceMillis = tolerance.toMillis();
        span = span(worker.window());
        OptionalLong unrecordedUse = worker.unrecordedUse();
        startTick = unrecordedUse.isEmpty() ? 0 : Math.max(0, tick(unrecordedUse.getAsLong()) + marginTicks() + 1);
        begin = startTick == 0 ? -1 : firstState(startTick) + random.applyAsLong(sequences) - 1;
        last = new AtomicLong(begin);
    }

    private long marginTicks() {
        return Pace.ticks(Pace.MOST_AHEAD_OF_FIXED, layout.time().unit());
    }

    private Span span(Worker.Window window) {
        // An id is positive, and all other fields may be 0: so tick 0 is not used.
        long first = Math.max(1, layout.firstTick(window.from()));
        long until = window.until() == Long.MAX_VALUE ? Long.MAX_VALUE : layout.firstTick(window.until());
        long maxTick = layout.time().maxTick();
        return new Span(
                window,
                layout.place(IdField.WORKER, window.number()),
                Math.min(first, maxTick + 1),
                Math.min(until - 1, maxTick));
    }

    Worker worker() {
        return worker;
    }

    /** From now on this process gives no id of {@code tick} or before to a call that begins. */
    void startAbove(long tick) {
        raiseFloor(lastState(tick));
        last.accumulateAndGet(lastState(tick), Math::max);
    }

    /**
     * As {@link #startAbove}, and holds for each process that gives the ids from now on, as far as its clock is right.
     * In strict order, a successor begins at the end of the window. So that is raised first, with room for ids after
     * {@code tick}: other callers go on meanwhile, and also if that fails.
     *
     * @throws io.distributedid.IdStandbyException if another process gives them
     * @throws IdUnavailableException if the store did not note it in time
     */
    void raiseAbove(long tick) {
        long next = Math.min(tick, layout.time().maxTick() - 1) + 1;
        Waiting waiting = new Waiting();
        try {
            while (isStrict) {
                Span current = span();
                long millis = clock.millis();
                if (next <= Math.min(tick(millis) + maxAheadTicks, current.lastTick)) {
                    break;
                }
                reserved.accumulateAndGet(lastState(tick), Math::max);
                waiting.await(next, last.get(), millis, current);
            }
        } finally {
            waiting.end();
        }
        startAbove(tick);
    }

    private void raiseFloor(long state) {
        raising.lock();
        try {
            floor = Math.max(floor, state);
        } finally {
            raising.unlock();
        }
    }

    /** @param fields the fields besides time, worker and sequence, each shifted to its place */
    long next(long fields) {
        return next(fields, true);
    }

    /** As {@link #next(long)}, but returns 0 if that would wait or fail. */
    long tryNext(long fields) {
        return next(fields, false);
    }

    private long next(long fields, boolean mayWait) {
        int slot = ranges.slot();
        StripedRanges.Range range = ranges.get(slot);
        long millis = clock.millis();
        long next = range.reservedAt() == millis ? range.take() : takeLater(range, tick(millis));
        if (next <= floor) {
            if (next != -1) {
                ranges.discard(slot);
            }
            StripedRanges.Range reserved = reserve(slot, 0, mayWait);
            if (reserved == null) {
                return 0;
            }
            ranges.put(slot, reserved);
            return compose(reserved.begin() - 1, fields | reserved.number());
        }
        return compose(next, fields | range.number());
    }

    /** Takes from a range of another millisecond, if its next id lies ahead of the clock by at most the limit. */
    private long takeLater(StripedRanges.Range range, long now) {
        return range.take(firstState(now + 1), lastState(now + maxAheadTicks));
    }

    /**
     * Takes consecutive ids. The range that is returned begins after the first of them, which is the caller's. It is
     * longer than the last range of the slot if that was used up within its millisecond. Those of a block have one
     * tick: if it has no id yet, they begin at a random place that leaves room for all of them.
     *
     * @param block how many ids a block shall have; 0 for a range of the slot
     * @return null if it may not wait, and would wait or fail
     */
    private StripedRanges.@Nullable Range reserve(int slot, long block, boolean mayWait) {
        Waiting waiting = null;
        boolean isOver = false;
        try {
            while (true) {
                Span current = span();
                long millis = clock.millis();
                long now = tick(millis);
                long previous = last.get();
                long fresh = firstState(Math.max(now, current.firstTick));
                long limit = lastState(Math.min(now + maxAheadTicks, current.lastTick));
                boolean isFresh = previous < fresh;
                long room = block == 0 ? sequences : Math.max(1, sequences - block + 1);
                long first = isFresh ? fresh + random.applyAsLong(room) : previous + 1;
                if (first > limit || first < 0 || isOver) {
                    if (!mayWait) {
                        return null;
                    }
                    waiting = waiting == null ? new Waiting() : waiting;
                    waiting.await(first >>> sequenceBits, previous, millis, current);
                    isOver = false;
                } else {
                    int length = isFresh || isStrict ? 1 : ranges.length(slot, millis);
                    long most = block == 0 ? length : Math.min(block, sequences - (first & (sequences - 1)));
                    long end = Math.min(first + most, limit + 1);
                    if (last.compareAndSet(previous, end - 1)) {
                        // Only now that the ids are taken: a right that lasted before may be over.
                        isOver = isStrict && !worker.lasts(current.window);
                        if (!isOver) {
                            return new StripedRanges.Range(first + 1, end, length, millis, current.number);
                        }
                    }
                }
            }
        } finally {
            if (waiting != null) {
                waiting.end();
            }
        }
    }

    /** The waits of one call, which has one limit for those for other windows. For one thread. */
    private final class Waiting {

        private @Nullable Wait wait;

        private long began;

        /** Waits until an id of this tick is perhaps possible. */
        void await(long tick, long previous, long millis, Span spent) {
            requirePossible(previous, tick, millis, spent);
            if (wait == null) {
                wait = waits.ofCall();
                wait.begin();
                began = System.nanoTime();
            }
            if (tick > tick(millis) + maxAheadTicks) {
                warnOfRestart(previous, spent.window);
                clockWait.until(layout.millis(tick - maxAheadTicks), "the next id");
            } else {
                Duration left = worker.patience().minusNanos(System.nanoTime() - began);
                Worker.Window unused = worker.await(spent.window, left);
            }
        }

        void end() {
            if (wait != null) {
                wait.end();
            }
        }
    }

    /**
     * Takes consecutive ids of one tick, as far as it has room.
     *
     * @throws IdConfigurationException in strict order: others would get larger ids before the last one is used
     */
    Block nextBlock(long fields, long count) {
        if (isStrict) {
            throw new IdConfigurationException("Ids in strict order can't be taken as a block: count=" + count + " of "
                    + layout + ", allowed: one id at a time. For blocks set distributedid.snowflake.worker=lease and a"
                    + " layout with a worker");
        }
        int slot = ranges.slot();
        StripedRanges.Range taken = Objects.requireNonNull(reserve(slot, count, true));
        long first = taken.begin() - 1;
        long length = taken.end() - first;
        ranges.count(slot, length);
        return new Block(compose(first, fields | taken.number()), layout.place(IdField.SEQUENCE, 1), length);
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

    /** Ends the generator; called once. Returns the first unused id time, at or after the start of the last window. */
    long close() {
        raiseFloor(CLOSED);
        return Math.max(unused(last.getAndSet(CLOSED)), worker.window().from());
    }

    /** The first id time that has no id yet, in milliseconds since 1970. During a raise, the one after it. */
    long unused() {
        long state = last.get();
        return state == CLOSED ? 0 : unused(Math.max(state, reserved.get()));
    }

    private long unused(long state) {
        return layout.millis((state == begin ? -1 : state >> sequenceBits) + 1);
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

    /** At most one past the last tick, so that the shift does not overflow if the clock is far ahead. */
    private long tick(long millis) {
        return Math.min(layout.tick(millis), layout.time().maxTick() + 1);
    }

    private void requirePossible(long previous, long tick, long millis, Span spent) {
        if (previous == CLOSED) {
            throw new IdUnavailableException("The source of ids is closed: worker=" + spent.window.number());
        }
        // Read the clock again: other threads may have advanced the state while this one was suspended.
        DistributedIdException refusal = refusal(tick, millis) == null ? null : refusal(tick, clock.millis());
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Why an id of this tick is refused instead of waited for; null if it is not. */
    private @Nullable DistributedIdException refusal(long tick, long millis) {
        Instant instant = Instant.ofEpochMilli(millis);
        long now = tick(millis);
        if (now < 0) {
            return new IdUnavailableException("The clock is before the epoch: clock=" + instant + " epoch="
                    + layout.time().epoch()
                    + ". Set the clock, or distributedid.snowflake.epoch to an instant in the past");
        }
        if (tick > layout.time().maxTick()) {
            return new IdsExhaustedException("The layout has run out of time: " + layout
                    + ". Move to a layout with more bits of time" + Pages.onCall("layout"));
        }
        long wait = layout.millis(tick - maxAheadTicks) - millis;
        if (tick > now + maxAheadTicks
                && wait > patience(tick) + layout.time().unit().toMillis()) {
            if (isStrict) {
                return new IdUnavailableException("The next id would be " + wait
                        + " ms too far ahead of the store's clock, so ids continue at "
                        + Instant.ofEpochMilli(millis + wait) + ". Either clocks were set back, or more ids were asked"
                        + " for than the layout has room for. Check the store's clock. Layout: " + layout
                        + Pages.onCall("store-clock"));
            }
            return new IdUnavailableException("The clock went back and ids are refused until it is right again: it is "
                    + (layout.millis(tick) - millis)
                    + " ms behind the last id of this worker number, clock="
                    + instant + ". Correct the clock, and do not restart: a restart forgets the last id, unless the"
                    + " number is leased or has a state file. Allowed: "
                    + maxAheadTicks * layout.time().unit().toMillis()
                    + " ms (distributedid.snowflake.max_ahead) and waiting for up to " + toleranceMillis
                    + " ms more (distributedid.snowflake.clock_tolerance)" + Pages.onCall("clock-back"));
        }
        return null;
    }

    /** The first tick may lie further ahead than bursts may, though the clock is right. */
    private long patience(long tick) {
        return tick > startTick
                ? toleranceMillis
                : Math.max(toleranceMillis, marginTicks() * layout.time().unit().toMillis());
    }

    /** Does not disturb callers who take ids. */
    SequenceStatistics statistics() {
        Instant now = clock.instant();
        return new SequenceStatistics(
                ranges.issued(),
                waits.count(),
                waits.time(),
                Optional.empty(),
                worker.statistics(now),
                List.of(),
                refusal(),
                Optional.empty(),
                worker.tenure());
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

    /**
     * Callers only wait for a clock that went back a little. But the next process with a number whose use nothing
     * records starts {@link Pace#MOST_AHEAD_OF_FIXED} ahead of that clock, and would use times of this one.
     */
    private void warnOfRestart(long previous, Worker.Window window) {
        long tick = previous >>> sequenceBits;
        // Read the clock again: other threads may have advanced the state while this one was suspended.
        long millis = clock.millis();
        long wait = layout.millis(tick - marginTicks()) - millis;
        boolean isRecorded = window.until() != Long.MAX_VALUE;
        boolean isUsed = tick > startTick;
        if (wait > 0 && !isRecorded && isUsed && warned.getAndSet(previous) != previous) {
            LOG.log(
                    Level.WARNING,
                    "The clock went back, and callers wait. Do not restart this process for " + wait
                            + " ms, and do not give worker=" + window.number()
                            + " to another process: nothing remembers until when the number was used, and ids would"
                            + " repeat. Set distributedid.snowflake.state_file to a file that outlives the process, or"
                            + " distributedid.snowflake.worker=lease. clock="
                            + Instant.ofEpochMilli(millis) + Pages.onCall("clock-back"));
        }
    }
}
