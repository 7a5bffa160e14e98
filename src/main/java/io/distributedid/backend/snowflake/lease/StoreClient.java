package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link LeaseProtocol} for one process, step by step: reads the store, asks it for a window, and knows
 * what was granted. For one thread at a time.
 *
 * <p>Beyond the protocol it refuses to ask while the local clock is far from the store's, so that no window is reserved
 * in a wrong year. The clock is looked at once, after the answer, whose time lies before that: whatever the clock did
 * meanwhile, no window is asked for from a time that is more than {@code max_clock_skew} ahead of the store's. What
 * remains:
 *
 * <ul>
 *   <li>A clock that is behind passes if it is so by at the most {@code max_clock_skew} and the time that the answer
 *       took. Its window ends that much earlier.
 *   <li>An answer that took longer than {@code max_clock_skew} may make a right clock look ahead. The store is then
 *       read once more, over a connection that is there by now; if that takes as long again, the clock may be refused
 *       although it is right.
 *   <li>A jump after that, until the window is used, is for the generator to notice; the window stays as it was asked
 *       for.
 * </ul>
 *
 * <p>It ends its window early where somebody seems to break the assumptions of the protocol:
 *
 * <ul>
 *   <li>The number was taken while the window lasted, by the store's clock. Nobody does that but a copy of this
 *       process. Another number is leased at once.
 *   <li>The store has forgotten what it granted, or holds no number although it was used before. None is leased until
 *       all windows that others may hold are over, by this clock too: they end at the most the longest window that
 *       anybody asks for, see {@link StoreRecord}, and {@code max_clock_skew} after the store was set back, and this
 *       clock may be behind by as much.
 * </ul>
 */
final class StoreClient implements LeaseClient {

    private static final Logger LOG = System.getLogger(StoreClient.class.getName());

    /** Others that are faster, in a row, before a caller is told. */
    private static final int MOST_REFUSALS = 20;

    /** @param nanos how long it took; the snapshot is not older */
    private record Answer(StoreSnapshot snapshot, long nanos) {}

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final IntSupplier dice;

    private final String owner;

    private final Admission admission;

    private LeaseState state = LeaseState.EMPTY;

    private @Nullable Grant granted;

    private @Nullable Duration clockOffset;

    private int refusals;

    /** Once is enough: what others may have is over then. */
    private boolean hasDoubted;

    /** By {@link #nanoTime}; null without a doubt. */
    private @Nullable Long doubtfulUntil;

    /** As it was read last, or written. */
    private @Nullable StoreRecord record;

    /** Since when {@link #record} is known, by {@link #nanoTime}. */
    private long recordSince;

    /** That anybody may have been granted. */
    private long longestWindow;

    StoreClient(WorkerStore store, LeaseTerms terms, InstantSource clock) {
        this(
                store,
                terms,
                clock,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE),
                ProcessName.ofProcess());
    }

    /**
     * Holds nothing yet.
     *
     * @param nanoTime never jumps; measures how long something takes
     * @param dice numbers of 0 or more, random
     * @param owner says who it is
     */
    StoreClient(
            WorkerStore store,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier dice,
            String owner) {
        this(store, terms, clock, nanoTime, dice, owner, Admission.ONLY);
    }

    /**
     * Holds nothing yet.
     *
     * @param nanoTime never jumps; measures how long something takes
     * @param dice numbers of 0 or more, random
     * @param owner says who it is
     * @param admission whether it leases in other stores too
     */
    StoreClient(
            WorkerStore store,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier dice,
            String owner,
            Admission admission) {
        this.store = store;
        this.terms = terms;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.dice = dice;
        this.owner = owner;
        this.admission = admission;
    }

    @Override
    public @Nullable Grant granted() {
        return granted;
    }

    @Override
    public @Nullable Duration clockOffset() {
        return clockOffset;
    }

    @Override
    public boolean isDue() {
        return protocol().isDue(state, clock.millis());
    }

    @Override
    public long windowMillis() {
        return protocol().windowMillis();
    }

    @Override
    public @Nullable String storeToken() {
        return record == null ? null : record.token();
    }

    @Override
    public String record(String sequence, String content) throws WorkerStoreException, InterruptedException {
        return LeaseClient.record(store, sequence, content);
    }

    @Override
    public String label() {
        return store.label();
    }

    @Override
    public void close() {
        store.close();
    }

    /** The number that is held, as far as is known; null if none is. */
    @Nullable
    Long held() {
        Grant held = state.held();
        return held == null ? null : held.worker();
    }

    boolean hasSameNumberAs(StoreClient other) {
        Long held = held();
        return held != null && held.equals(other.held());
    }

    /** Whether the numbers were moved to the store, and the move has ended. */
    boolean hasArrived() {
        return record != null && record.hasArrived();
    }

    /** With a window that all others know of. */
    private LeaseProtocol protocol() {
        StoreRecord known = record;
        if (known == null) {
            return terms.protocol();
        }
        long longest = isKnownToAll(known) ? known.window() : known.before();
        return terms.protocol().withWindow(Math.min(terms.protocol().windowMillis(), longest));
    }

    private boolean isKnownToAll(StoreRecord known) {
        return known.isKnownToAll() || nanoTime.getAsLong() - recordSince > terms.overNanos(known.before());
    }

    @Override
    public void renew() throws WorkerStoreException, InterruptedException {
        requireNoDoubt();
        Grant held = state.held();
        Answer answer = ask(held);
        if (answer.nanos > terms.maxClockSkew().toNanos()) {
            answer = ask(held);
        }
        StoreSnapshot snapshot = answer.snapshot;
        long now = clock.millis();
        clockOffset = Duration.ofMillis(now - snapshot.storeTime()).minusNanos(answer.nanos / 2);
        requireRightClock(now, answer, terms.maxClockSkew().toMillis());
        learn(LeaseProtocol.recover(state, snapshot));
        boolean agreed = agreeOnWindows(snapshot);
        if (held != null && state.held() == null) {
            lost(held, snapshot);
            return;
        }
        if (!agreed || !protocol().isDue(state, now)) {
            return;
        }
        requireRightClock(now, answer, longestSkew());
        requireNotEmptied(snapshot);
        LeaseRequest request = request(snapshot, now)
                .orElseThrow(() -> new NoFreeWorkerException(protocol(), snapshot, store.label()));
        state = state.sending(request);
        boolean done = store.compareAndSet(request.expected(), request.next());
        learn(state.answered(done));
        countRefusals(done);
    }

    /**
     * Writes down what this process needs that others must know, see {@link StoreRecord}. Returns false if others were
     * faster.
     */
    private boolean agreeOnWindows(StoreSnapshot snapshot) throws WorkerStoreException, InterruptedException {
        StoreRecord found = StoreRecord.parse(snapshot.record()).orElse(null);
        if (found != null) {
            admission.require(found, store.label());
        } else if (record == null && !admission.mayFound()) {
            throw new IdUnavailableException("The record beside the worker numbers was lost while they moved: "
                    + store.label() + " name=" + WorkerStore.OWN_RECORD + ". Bring it back, and start again");
        }
        if (found != null && record != null && !found.token().equals(record.token())) {
            throw new IdUnavailableException(
                    "The store of worker numbers is another one than before, or was emptied and used anew: "
                            + store.label()
                            + " token=" + found.token() + ", it was token=" + record.token()
                            + ". No number is leased from it. Bring the right store back; or stop all processes, wait until"
                            + " their windows are over (" + TimeUnit.MILLISECONDS.toSeconds(longestWindow)
                            + " s and twice the clocks' skew), and start them again");
        }
        if (found != null && record != null && found.changes() != record.changes()) {
            throw new IdUnavailableException(
                    "The layout of a sequence was changed since this process started, so that it gets no window any more: "
                            + store.label() + ". Start it again");
        }
        if (found != null && !found.equals(record)) {
            learn(found);
        }
        StoreRecord next = next(found, snapshot.storeTime());
        if (next.equals(found)) {
            return true;
        }
        boolean done = store.compareAndSetRecord(WorkerStore.OWN_RECORD, snapshot.record(), next.text());
        if (done) {
            learn(next);
        }
        return done;
    }

    private StoreRecord next(@Nullable StoreRecord found, long storeTime) {
        long wanted = terms.protocol().windowMillis();
        if (found == null) {
            // It is not forgotten by those who have read it.
            return record == null ? StoreRecord.first(UUID.randomUUID().toString(), storeTime, wanted) : record;
        }
        if (!isKnownToAll(found) || found.state() == StoreRecord.State.MOVED) {
            return found;
        }
        return wanted > found.window() ? found.raised(wanted) : found.knownToAll();
    }

    private void learn(StoreRecord known) {
        record = known;
        recordSince = nanoTime.getAsLong();
        longestWindow = Math.max(longestWindow, known.window());
        if (granted != null) {
            granted = granted.notBefore(known.from());
        }
    }

    /**
     * A store whose record is old has rows, unless somebody has deleted them; their owners may still use their windows.
     */
    private void requireNotEmptied(StoreSnapshot snapshot) throws WorkerStoreException, InterruptedException {
        StoreRecord known = record;
        if (state.held() != null || !snapshot.rows().isEmpty() || known == null || hasDoubted) {
            return;
        }
        long age = TimeUnit.MILLISECONDS.toNanos(snapshot.storeTime() - known.since());
        if (age > terms.overNanos(known.window()) && store.highest() < 0) {
            doubt();
        }
    }

    private Answer ask(@Nullable Grant held) throws WorkerStoreException, InterruptedException {
        long began = nanoTime.getAsLong();
        StoreSnapshot snapshot = read(held);
        return new Answer(snapshot, nanoTime.getAsLong() - began);
    }

    private StoreSnapshot read(@Nullable Grant held) throws WorkerStoreException, InterruptedException {
        if (held != null) {
            return store.read(held.worker(), held.worker());
        }
        LeaseProtocol protocol = terms.protocol();
        if (!protocol.singleUse()) {
            return store.read(protocol.minWorker(), protocol.maxWorker());
        }
        long highest = store.highest();
        return store.read(protocol.lowestToRead(highest), Math.max(protocol.minWorker(), highest));
    }

    /** Allows nothing for the time that the answer took: by that, the clock would be further ahead than it may be. */
    private void requireRightClock(long now, Answer answer, long skew) {
        long storeTime = answer.snapshot.storeTime();
        if (Math.abs(now - storeTime) > skew) {
            throw new IdUnavailableException("The local clock must be near the store's: clock="
                    + Instant.ofEpochMilli(now) + ", " + store.label() + " says " + Instant.ofEpochMilli(storeTime)
                    + " in an answer that took " + TimeUnit.NANOSECONDS.toMillis(answer.nanos) + " ms, allowed: " + skew
                    + " ms (distributedid.snowflake.lease.max_clock_skew). Set the clock");
        }
    }

    /** Others count on a quarter of the longest window that they know of. */
    private long longestSkew() {
        long own = terms.maxClockSkew().toMillis();
        return record == null ? own : Math.min(own, Math.max(1, record.window() / 4));
    }

    private Optional<LeaseRequest> request(StoreSnapshot snapshot, long now) {
        return protocol().request(state, snapshot, now, owner, UUID.randomUUID().toString(), refusals, dice.getAsInt());
    }

    private void countRefusals(boolean done) {
        refusals = done ? 0 : refusals + 1;
        if (refusals > MOST_REFUSALS) {
            refusals = 0;
            throw new IdUnavailableException("Others were faster to take a worker number, " + MOST_REFUSALS + " times: "
                    + store.label() + ". Try again");
        }
    }

    private void learn(LeaseState learnt) {
        state = learnt;
        Grant held = learnt.held();
        if (held != null) {
            granted = held.notBefore(record == null ? 0 : record.from());
        }
    }

    /** The row of the number is not as it was written last. */
    private void lost(Grant held, StoreSnapshot snapshot) {
        String worker = Long.toString(held.worker());
        WorkerRow row = snapshot.row(held.worker());
        boolean tooEarly = snapshot.storeTime() < held.until();
        // Others take a number when its time is over: they were given this one before the store was set back.
        boolean fromBefore = tooEarly && row != null && !row.owner().equals(owner);
        if (fromBefore || LeaseProtocol.isForgotten(held, row)) {
            granted = held.ended();
            doubt();
        } else if (tooEarly) {
            granted = held.ended();
            LOG.log(
                    Level.ERROR,
                    "Worker number {0} was taken while it was held: is this process a copy of another that runs? Both may"
                            + " have given the same ids since. Another number is leased: {1}",
                    worker,
                    store.label());
        } else {
            LOG.log(
                    Level.WARNING,
                    "Worker number {0} was not renewed in time, and was taken by others. Another one is leased: {1}",
                    worker,
                    store.label());
        }
    }

    private void doubt() {
        hasDoubted = true;
        doubtfulUntil = nanoTime.getAsLong()
                + terms.overNanos(Math.max(longestWindow, terms.protocol().windowMillis()));
        requireNoDoubt();
    }

    private void requireNoDoubt() {
        Long until = doubtfulUntil;
        if (until == null) {
            return;
        }
        long left = until - nanoTime.getAsLong();
        if (left > 0) {
            throw new IdUnavailableException(
                    "The store has forgotten windows that it granted, so that others may have them: "
                            + store.label()
                            + ". Was it restored from a backup, or created anew? Numbers are leased again in "
                            + TimeUnit.NANOSECONDS.toSeconds(left) + " s");
        }
        doubtfulUntil = null;
    }

    @Override
    public void handBack(long unused) throws WorkerStoreException, InterruptedException {
        Optional<LeaseRequest> rest =
                terms.protocol().handBack(state, unused, UUID.randomUUID().toString());
        if (rest.isPresent()) {
            WorkerRow next = rest.get().next();
            boolean done = store.compareAndSet(rest.get().expected(), next);
            LOG.log(Level.DEBUG, "Worker number {0} is handed back: {1}", Long.toString(next.worker()), done);
        }
    }
}
