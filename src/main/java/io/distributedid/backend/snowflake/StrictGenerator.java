package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.block.WaitStatistics.Wait;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.tenure.Tenure;
import io.distributedid.internal.tenure.Term;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Composes ids of time and sequence in strict order: an id is greater than every id of an answer that arrived before
 * the call began, over all threads and processes.
 *
 * <p>All state is one long, the last id. It only grows.
 *
 * <ul>
 *   <li>If the clock is past the last id's tick, the next id has the clock's tick and a random sequence. So the low
 *       bits, and with them {@code id % shards}, are even at low rates too.
 *   <li>Otherwise the next id is the last one plus one, although the clock lags.
 *   <li>Every id lies within the id time of the {@link Term} that was read before: at or after its beginning, below its
 *       bound. If there is no room left below the bound, callers wait for its renewal. They ask for that once it would
 *       give room: the bound of a renewal is limited by the time.
 *   <li>A call has one deadline for all its waits. It fails at once if the clock needs longer than that to give room:
 *       if the store's clock was set back, ids lie as far ahead of it as it was set back. Until it gets there, nothing
 *       raises the bound, because only a bound near the clock protects ids after a loss of the store's row. First, once
 *       for each term, it asks for a renewal: after this machine was suspended, the store's clock is further than
 *       {@code latestBound} says until the store has answered.
 * </ul>
 *
 * <p><b>The order of steps</b> is part of {@link io.distributedid.internal.tenure.TenureProtocol}: read the term, take
 * the id by compare-and-set, check that this same term still lasts by the monotonic clock, and only then return the id.
 * An id that was taken too late is dropped. No check is used for two calls. So each id costs two readings of clocks and
 * one compare-and-set, and threads contend for that: there are no ranges for each thread, since these are unordered
 * between threads.
 */
final class StrictGenerator implements IdSource, OpenGenerator {

    private static final Logger LOG = System.getLogger(StrictGenerator.class.getName());

    /** The state of a closed generator, above all ids. */
    private static final long CLOSED = Long.MAX_VALUE;

    /** No two renewals for more room are closer. */
    private static final long NAP_MILLIS = 10;

    /** The ids of a term. */
    private record Span(Term term, long firstTick, long lastTick) {}

    private final WaitStatistics waits;

    private final IdLayout layout;

    private final Tenure tenure;

    private final LongSupplier latestBound;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final LongUnaryOperator random;

    private final int sequenceBits;

    private final AtomicLong last = new AtomicLong(-1);

    /** The last id that raises have asked for, or will in a moment. */
    private final AtomicLong reserved = new AtomicLong(-1);

    private final LongAdder issued = new LongAdder();

    /** The last id at the last warning: one for each time that ids stop. */
    private final AtomicLong warned = new AtomicLong(CLOSED);

    /** The last term that a call has asked for before it failed because of the clock. */
    private volatile @Nullable Term confirmed;

    /** A benign race: any span that a thread sees is that of the term inside. */
    private @Nullable Span span;

    /**
     * @param waits counts the waits of this generator
     * @param layout of time and sequence alone
     * @param latestBound the largest bound that a renewal would get now; it grows with time
     * @param nanoTime the clock of the tenure
     * @param random returns a number from 0 to below its argument
     */
    StrictGenerator(
            WaitStatistics waits,
            IdLayout layout,
            Tenure tenure,
            LongSupplier latestBound,
            InstantSource clock,
            LongSupplier nanoTime,
            LongUnaryOperator random) {
        if (layout.tellsProcessesApart()) {
            throw new IllegalArgumentException("Strict ids must consist of time and sequence: " + layout);
        }
        this.waits = waits;
        this.layout = layout;
        this.tenure = tenure;
        this.latestBound = latestBound;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.random = random;
        sequenceBits = layout.bits(IdField.SEQUENCE);
    }

    @Override
    public long next() {
        Term term = tenure.current();
        long id = term == null ? 0 : take(term);
        return id > 0 ? id : awaitNext(term);
    }

    @Override
    public long tryNext() {
        Term term = tenure.current();
        return term == null ? 0 : take(term);
    }

    /**
     * Refused: between the reservation of a block and the use of its last id, others would get larger ones.
     *
     * @throws IdConfigurationException always
     */
    @Override
    public ReservedBlock nextBlock(long count) {
        throw new IdConfigurationException("Ids in strict order can't be taken as a block: count=" + count + " of "
                + layout + ", allowed: one id when it is needed. For blocks set "
                + "distributedid.snowflake.worker=lease and a layout with a worker");
    }

    private long awaitNext(@Nullable Term first) {
        tenure.requireNotStandby();
        Wait wait = waits.ofCall();
        wait.begin();
        try {
            Term spent = first;
            long deadline = System.nanoTime() + tenure.callerTimeout().toNanos();
            while (true) {
                requirePossible();
                if (spent != null) {
                    boolean unused = awaitRoom(spent, 0, deadline);
                }
                Term term = tenure.await(spent, deadline);
                long id = take(term);
                if (id > 0) {
                    return id;
                }
                requireEarlier(deadline);
                spent = term;
            }
        } finally {
            wait.end();
        }
    }

    /** Each renewal may give another term, and each may be used up, or be over, before this call has its id. */
    private void requireEarlier(long deadline) {
        if (System.nanoTime() - deadline > 0) {
            throw new IdUnavailableException("No id was free within "
                    + tenure.callerTimeout().toMillis() + " ms, although the lease was renewed: " + layout);
        }
    }

    /**
     * Returns when a renewal would give more room than the term, or there is another term, or the lease is over.
     *
     * @param least the first tick that is needed if it lies above the last id; else 0
     * @return whether a renewal would give more room; else the next term must be judged
     */
    @SuppressWarnings("ReferenceEquality")
    private boolean awaitRoom(Term spent, long least, long deadline) {
        for (long left = missing(spent, least); left > 0; left = missing(spent, least)) {
            if (tenure.current() != spent || !spent.isValid(nanoTime.getAsLong())) {
                return false;
            }
            requirePossible();
            if (Thread.currentThread().isInterrupted()) {
                throw new IdUnavailableException(
                        "Interrupted while waiting for the clock: " + left + " ms short of the next id");
            }
            if (TimeUnit.MILLISECONDS.toNanos(left) > deadline - System.nanoTime()) {
                if (isBeyondACall(left) && spent != confirmed) {
                    confirmed = tenure.await(spent, deadline);
                    return false;
                }
                throw least > 0 ? raiseTooFarAhead(least, left) : tooFarAhead(left);
            }
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(Math.min(NAP_MILLIS, left)));
        }
        return true;
    }

    private boolean isBeyondACall(long millis) {
        return millis > tenure.callerTimeout().toMillis();
    }

    /** How far the clock must move on until a renewal would give more room than the term; 0 or less if it would now. */
    private long missing(Term spent, long least) {
        long tick = Math.max(least, Math.max((last.get() + 1) >> sequenceBits, span(spent).firstTick));
        return Math.max(layout.millis(tick + 1), spent.bound() + NAP_MILLIS) - latestBound.getAsLong();
    }

    private IdUnavailableException raiseTooFarAhead(long tick, long left) {
        return new IdUnavailableException("A raise would put the next id " + left
                + " ms too far ahead of the store's clock: its time would be "
                + Instant.ofEpochMilli(layout.millis(tick)) + ", and a call waits for "
                + tenure.callerTimeout().toMillis() + " ms at most ("
                + "distributedid.block.timeout). Nothing was raised. Repeat the call at "
                + Instant.ofEpochMilli(clock.millis() + left)
                + ", or check the store's clock. Layout: " + layout);
    }

    private IdUnavailableException tooFarAhead(long left) {
        String message = tooFarAheadText(left);
        long previous = last.get();
        if (warned.getAndSet(previous) != previous) {
            LOG.log(Level.WARNING, message);
        }
        return new IdUnavailableException(message);
    }

    private String tooFarAheadText(long left) {
        return "The next id would be " + left + " ms too far ahead of the store's clock, so ids go on at "
                + Instant.ofEpochMilli(clock.millis() + left) + ". Either clocks were set back, or more ids were asked"
                + " for than the layout has room for. Check the store's clock. Layout: " + layout;
    }

    /** Why a call would fail at once although the lease lasts. */
    private Optional<String> refusal() {
        Term term = tenure.current();
        if (term == null || !term.isValid(nanoTime.getAsLong()) || hasRoom(term)) {
            return Optional.empty();
        }
        long left = missing(term, 0);
        return isBeyondACall(left) ? Optional.of(tooFarAheadText(left)) : Optional.empty();
    }

    private boolean hasRoom(Term term) {
        Span now = span(term);
        return now.firstTick <= now.lastTick && last.get() < limit(now);
    }

    /** Returns 0 if the term has no room, or is over. */
    private long take(Term term) {
        Span now = span(term);
        long millis = clock.millis();
        long fresh = firstId(Math.min(Math.max(layout.tick(millis), now.firstTick), now.lastTick));
        long limit = limit(now);
        while (true) {
            long previous = last.get();
            long id = previous < fresh ? fresh + random.applyAsLong(1L << sequenceBits) : previous + 1;
            if (id > limit || now.firstTick > now.lastTick || previous == CLOSED) {
                return 0;
            }
            if (last.compareAndSet(previous, id)) {
                return given(id, term);
            }
        }
    }

    /** Only now that the id is taken: a term that lasted before may be over, and larger ids be given by others. */
    private long given(long id, Term term) {
        if (!term.isValid(nanoTime.getAsLong())) {
            return 0;
        }
        issued.increment();
        return id;
    }

    @SuppressWarnings("ReferenceEquality")
    private Span span(Term term) {
        Span known = span;
        if (known == null || known.term != term) {
            // An id is positive: so tick 0 is not used.
            known = new Span(
                    term,
                    Math.max(1, layout.firstTick(term.from())),
                    Math.min(layout.firstTick(term.bound()) - 1, layout.time().maxTick()));
            span = known;
        }
        return known;
    }

    /** The last id of the span, which may be empty. */
    private long limit(Span span) {
        return firstId(span.lastTick + 1) - 1;
    }

    private long firstId(long tick) {
        return tick << sequenceBits;
    }

    private void requirePossible() {
        long previous = last.get();
        if (previous == CLOSED) {
            throw new IdUnavailableException("The source of ids is closed: " + layout);
        }
        exhausted(previous).ifPresent(message -> {
            throw new IdsExhaustedException(message);
        });
    }

    private Optional<String> exhausted(long previous) {
        return previous >= layout.time().maxId()
                        || layout.tick(clock.millis()) > layout.time().maxTick()
                ? Optional.of("The layout has run out of time: " + layout + ". Move to a layout with more bits of time")
                : Optional.empty();
    }

    @Override
    public void startAbove(long tick) {
        last.accumulateAndGet(lastId(tick), Math::max);
    }

    private long lastId(long tick) {
        return firstId(Math.min(tick, layout.time().maxTick()) + 1) - 1;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The successor of this process begins at the bound in the store. So first a renewal raises that, with room for
     * the ids after {@code tick}, and only then the last id is raised: other callers go on meanwhile, and also if the
     * renewal fails. At the end, a generator that was closed meanwhile has handed back a bound that may lie below.
     */
    @Override
    public void raiseAbove(long tick) {
        tenure.requireNotStandby();
        long deadline = System.nanoTime() + tenure.callerTimeout().toNanos();
        long next = Math.min(tick, layout.time().maxTick() - 1) + 1;
        Term term = tenure.await(null, deadline);
        while (span(term).lastTick < next) {
            requirePossible();
            if (awaitRoom(term, next, deadline)) {
                reserved.accumulateAndGet(lastId(tick), Math::max);
            }
            term = tenure.await(term, deadline);
            requireEarlier(deadline);
        }
        startAbove(tick);
        requirePossible();
    }

    /**
     * The first id time that has no id yet, in milliseconds since 1970; that of the epoch if there never was one.
     * During a raise, the one after it. A renewal leaves room above.
     */
    long unused() {
        long state = last.get();
        return unused(state == CLOSED ? state : Math.max(state, reserved.get()));
    }

    private long unused(long state) {
        return state == CLOSED ? 0 : layout.millis((state >> sequenceBits) + 1);
    }

    /** Ends the generator; called once. Returns the first unused id time. */
    long close() {
        return unused(last.getAndSet(CLOSED));
    }

    @Override
    public SequenceStatistics statistics() {
        long previous = last.get();
        return new SequenceStatistics(
                issued.sum(),
                waits.count(),
                waits.time(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                previous == CLOSED ? Optional.empty() : exhausted(previous).or(this::refusal),
                Optional.empty(),
                Optional.of(tenure.statistics()));
    }
}
