package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.ProcessName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link LeaseProtocol} for one process and one store: reads the store, asks it for a window, and keeps
 * what was granted. For one thread at a time. One class: each step checks what earlier steps have learnt.
 *
 * <p>A window is renewed by one statement, see {@link WorkerStore#renew}. The store is read only if it refuses, if an
 * answer was lost, or if the record must be written.
 *
 * <p>Beyond the protocol, it refuses to ask while the local clock is far from the store's, so that no window is
 * reserved in a wrong year. A renewal without a read carries the time of this clock, and the store compares. Otherwise
 * the clock is read once, after the store's answer. The store's time in the answer is older than that. So, whatever the
 * clock did meanwhile, no window starts more than {@code max_clock_skew} ahead of the store's time. Three cases remain:
 *
 * <ul>
 *   <li>A clock that is behind passes if it is behind by at most {@code max_clock_skew} and the time that the answer
 *       took. Its window ends that much earlier.
 *   <li>If an answer takes longer than {@code max_clock_skew}, a correct clock may look ahead. Then the store is read
 *       once more, over the connection that now exists. If that takes as long again, a correct clock may be refused.
 *   <li>If the clock jumps later, before the window is used, the generator notices. The window stays as requested.
 * </ul>
 *
 * <p>It ends its window early if the assumptions of the protocol seem to be broken:
 *
 * <ul>
 *   <li>Another process took the number while the window lasted by the store's clock. Only a copy of this process does
 *       that. Another number is leased at once.
 *   <li>The store has lost what it granted, or has no rows although numbers were leased from it. Then it is closed for
 *       all processes (see {@link StoreRecord}) until all windows are over, by each clock. These windows end at most
 *       the longest window and {@code max_clock_skew} after the store was set back. The clock of the process that
 *       leases next may be behind by another {@code max_clock_skew}. A process whose window is not over goes on.
 * </ul>
 */
final class StoreClient implements LeaseClient {

    private static final Logger LOG = System.getLogger(StoreClient.class.getName());

    /** After so many lost compare-and-sets in a row the caller gets an error. */
    private static final int MOST_REFUSALS = 20;

    /**
     * {@code nanos} is the time that the answer took, up to a look at the clock, which showed {@code millis}; the
     * snapshot is not older. So a thread that is held up before that look has a slow answer, and not a wrong clock.
     */
    private record Answer(StoreSnapshot snapshot, long millis, long nanos) {}

    /** The store's time at {@code nanos} or before. */
    private record Seen(long storeTime, long nanos) {

        long estimate(long now) {
            return storeTime + TimeUnit.NANOSECONDS.toMillis(now - nanos);
        }
    }

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final IntSupplier random;

    private final String owner;

    private LeaseState state = LeaseState.EMPTY;

    /** A renewal that the store has refused, until the next read tells whether it was done all the same. */
    private @Nullable LeaseRequest refused;

    private @Nullable Grant granted;

    /** Whether the number was just taken. It may be used once the record says that the store holds numbers. */
    private boolean isUnused;

    private @Nullable Duration clockOffset;

    private @Nullable Seen seen;

    private int refusals;

    private final KnownRecord record;

    StoreClient(WorkerStore store, LeaseTerms terms, InstantSource clock) {
        this(
                store,
                terms,
                clock,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE),
                ProcessName.ofProcess());
    }

    StoreClient(
            WorkerStore store,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier random,
            String owner) {
        this(store, terms, clock, nanoTime, random, owner, Admission.ONLY);
    }

    /**
     * @param nanoTime never jumps
     * @param random returns numbers of 0 or more
     * @param owner names this process in messages of others
     */
    StoreClient(
            WorkerStore store,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier random,
            String owner,
            Admission admission) {
        this.store = store;
        this.terms = terms;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.random = random;
        this.owner = owner;
        record = new KnownRecord(store, terms, nanoTime, admission);
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
        return isUnused || record.protocol().isDue(state, clock.millis());
    }

    @Override
    public long windowMillis() {
        return record.protocol().windowMillis();
    }

    @Override
    public @Nullable String storeToken() {
        StoreRecord known = record.get();
        return known == null ? null : known.token();
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

    /** The number that this process holds; null without one. */
    @Nullable
    Long held() {
        Grant held = state.held();
        return held == null ? null : held.worker();
    }

    boolean hasSameNumberAs(StoreClient other) {
        Long held = held();
        return held != null && held.equals(other.held());
    }

    /** Whether the numbers have moved to this store, and the move has ended. */
    boolean hasArrived() {
        StoreRecord known = record.get();
        return known != null && known.hasArrived();
    }

    @Override
    public void renew() throws WorkerStoreException, InterruptedException {
        requireOpenByEstimate();
        Grant held = state.held();
        if (held != null && maySkipReading() && prolong(held)) {
            return;
        }
        Answer answer = ask(held);
        if (answer.nanos > terms.maxClockSkew().toNanos()) {
            answer = ask(held);
        }
        StoreSnapshot snapshot = answer.snapshot;
        long now = answer.millis;
        clockOffset = Duration.ofMillis(now - snapshot.storeTime()).minusNanos(answer.nanos / 2);
        requireRightClock(answer, terms.maxClockSkew().toMillis());
        StoreRecord found = record.admit(snapshot);
        learn(LeaseProtocol.recover(state, refused, snapshot));
        refused = null;
        boolean isLost = held != null && state.held() == null;
        if ((isLost && lost(Objects.requireNonNull(held), snapshot)) || isEmptied(snapshot)) {
            record.close(snapshot.storeTime());
        }
        boolean agreed = record.agree(snapshot, found);
        grant();
        requireOpen(snapshot.storeTime(), now);
        if (isLost || !agreed || !record.protocol().isDue(state, now)) {
            return;
        }
        requireRightClock(answer, record.longestSkew());
        LeaseRequest request = request(snapshot, now)
                .orElseThrow(() -> new NoFreeWorkerException(record.protocol(), snapshot, store.label()));
        if (record.protocol().singleUse()
                && !request.equals(state.sent())
                && !record.burn(request.next().worker(), snapshot.rows())) {
            return;
        }
        state = state.sending(request);
        boolean done = store.compareAndSet(request.expected(), request.next());
        learn(state.answered(done));
        countRefusals(done);
        if (isUnused) {
            record.announceUse();
            grant();
        }
    }

    /**
     * Whether a window is due that may be asked for without a look at the store: no request is remembered, and the
     * record need not be written.
     */
    boolean maySkipReading() {
        return state.held() != null && state.sent() == null && refused == null && isDue() && record.isAsItShouldBe();
    }

    /**
     * Asks for the next window by one statement, which replaces the row only if the record is unchanged and the clocks
     * are near each other. Returns false if the store refuses; reading it then tells why.
     *
     * <p>A request without an answer is repeated after a read as it was. So its clock must be near the store's even if
     * the store never saw it: it is compared with an estimate first. That is behind the store's clock if this machine
     * was suspended; then the store is read.
     */
    private boolean prolong(Grant held) throws WorkerStoreException, InterruptedException {
        long now = clock.millis();
        long skew = record.longestSkew();
        String text = Objects.requireNonNull(record.get()).text();
        StoreCondition condition = new StoreCondition(text, now - skew, now + skew);
        long began = nanoTime.getAsLong();
        Seen last = seen;
        if (last == null || !condition.allows(last.estimate(began))) {
            return false;
        }
        LeaseRequest request =
                record.protocol().renewal(held, now, UUID.randomUUID().toString());
        LeaseState before = state;
        state = state.sending(request);
        OptionalLong storeTime = store.renew(held.row(), request.next(), condition);
        if (storeTime.isEmpty()) {
            // The store may have refused its clock: it must not be repeated. But a proxy may have sent it twice.
            state = before;
            refused = request;
            return false;
        }
        learn(state.answered(true));
        long ended = nanoTime.getAsLong();
        seen = new Seen(storeTime.getAsLong(), ended);
        clockOffset = Duration.ofMillis(now - storeTime.getAsLong()).plusNanos((ended - began) / 2);
        refusals = 0;
        return true;
    }

    /** Whether numbers were leased, and none is there. Their owners may still use their windows. */
    private boolean isEmptied(StoreSnapshot snapshot) throws WorkerStoreException, InterruptedException {
        return state.held() == null && snapshot.rows().isEmpty() && record.isInUse() && store.highest() < 0;
    }

    private Answer ask(@Nullable Grant held) throws WorkerStoreException, InterruptedException {
        long began = nanoTime.getAsLong();
        StoreSnapshot snapshot = read(held);
        long millis = clock.millis();
        long ended = nanoTime.getAsLong();
        seen = new Seen(snapshot.storeTime(), ended);
        return new Answer(snapshot, millis, ended - began);
    }

    private StoreSnapshot read(@Nullable Grant held) throws WorkerStoreException, InterruptedException {
        if (held != null) {
            return store.read(held.worker(), held.worker());
        }
        LeaseProtocol protocol = terms.protocol();
        if (!protocol.singleUse()) {
            return store.read(protocol.minWorker(), protocol.maxWorker());
        }
        BurntNumbers burnt = StoreRecord.of(store).map(StoreRecord::burnt).orElse(BurntNumbers.NONE);
        LeaseRequest sent = state.sent();
        long asked = sent == null ? Long.MAX_VALUE : sent.next().worker();
        long lowest = Math.min(protocol.withBurnt(burnt).lowestToRead(), asked);
        return store.read(lowest, Math.max(lowest, protocol.maxWorker()));
    }

    /** Does not allow for the time of the answer: that would let the clock be further ahead than the limit. */
    private void requireRightClock(Answer answer, long skew) {
        long storeTime = answer.snapshot.storeTime();
        if (Math.abs(answer.millis - storeTime) > skew) {
            throw new IdUnavailableException("The local clock must be near the store's: clock="
                    + Instant.ofEpochMilli(answer.millis) + ", " + store.label() + " says "
                    + Instant.ofEpochMilli(storeTime)
                    + " in an answer that took " + TimeUnit.NANOSECONDS.toMillis(answer.nanos) + " ms, allowed: " + skew
                    + " ms (distributedid.snowflake.lease.max_clock_skew). Set the clock");
        }
    }

    private Optional<LeaseRequest> request(StoreSnapshot snapshot, long now) {
        return record.protocol()
                .request(state, snapshot, now, owner, UUID.randomUUID().toString(), refusals, random.getAsInt());
    }

    private void countRefusals(boolean done) {
        refusals = done ? 0 : refusals + 1;
        if (refusals >= MOST_REFUSALS) {
            refusals = 0;
            throw new IdUnavailableException("Others were faster to take a worker number, " + MOST_REFUSALS + " times: "
                    + store.label() + ". Try again");
        }
    }

    private void learn(LeaseState learnt) {
        isUnused = learnt.held() != null && (isUnused || state.held() == null);
        state = learnt;
        grant();
    }

    private void grant() {
        StoreRecord known = record.get();
        isUnused = isUnused && !record.isInUse();
        Grant usable = isUnused || state.held() == null ? granted : state.held();
        granted = usable == null || known == null ? usable : usable.notBefore(known.from());
    }

    /** Handles a row that is not as this process wrote it last. Returns true if the store was set back. */
    private boolean lost(Grant held, StoreSnapshot snapshot) {
        String worker = Long.toString(held.worker());
        WorkerRow row = snapshot.row(held.worker());
        boolean tooEarly = snapshot.storeTime() < held.until();
        // Others take a number only when its time is over. So they got this one before the store was set back.
        boolean fromBefore = tooEarly && row != null && !row.owner().equals(owner);
        if (fromBefore || LeaseProtocol.isForgotten(held, row)) {
            granted = held.ended();
            return true;
        }
        if (tooEarly) {
            granted = held.ended();
            LOG.log(
                    Level.ERROR,
                    "Worker number {0} was taken while it was held: is this process a copy of another that runs? Both"
                            + " may have given the same ids since. Another number is leased: {1}",
                    worker,
                    store.label());
        } else {
            LOG.log(
                    Level.WARNING,
                    "Worker number {0} was not renewed in time, and was taken by others. Another one is leased: {1}",
                    worker,
                    store.label());
        }
        return false;
    }

    /** Spares the store, if this process knows that it is closed, and has said so. */
    private void requireOpenByEstimate() {
        Seen last = seen;
        if (state.held() == null && !record.mustBeClosed() && last != null) {
            requireOpen(last.estimate(nanoTime.getAsLong()), 0);
        }
    }

    /** A process whose window was over when the store was closed, or was never used, is like one that starts. */
    private void requireOpen(long storeTime, long now) {
        if (record.opens() <= storeTime) {
            return;
        }
        Grant held = state.held();
        if (held != null && (isUnused || held.until() <= now)) {
            learn(LeaseState.EMPTY);
        }
        if (state.held() == null) {
            throw new IdUnavailableException(
                    "The store has forgotten windows that it granted, so that others may have them: "
                            + store.label()
                            + ". Was it restored from a backup, or created anew? Numbers are leased again in "
                            + TimeUnit.MILLISECONDS.toSeconds(record.opens() - storeTime) + " s");
        }
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
