package io.distributedid.snowflake.lease;

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
 * Carries out {@link LeaseProtocol} for one process, step by step: reads the store, asks it for a window, and knows what was granted.
 * For one thread at a time.
 *
 * <p>Beyond the protocol it refuses to ask while the local clock is far from the store's, so that no window is reserved in a wrong
 * year. The clock is looked at once, after the answer, whose time lies before that: whatever the clock did meanwhile, no window is asked
 * for from a time that is more than {@code max_clock_skew} ahead of the store's. What remains:
 * <ul>
 *   <li>A clock that is behind passes if it is so by at the most {@code max_clock_skew} and the time that the answer took. Its window
 *       ends that much earlier.
 *   <li>An answer that took longer than {@code max_clock_skew} may make a right clock look ahead. The store is then read once more,
 *       over a connection that is there by now; if that takes as long again, the clock may be refused although it is right.
 *   <li>A jump after that, until the window is used, is for the generator to notice; the window stays as it was asked for.
 * </ul>
 *
 * <p>It ends its window early where somebody seems to break the assumptions of the protocol:
 * <ul>
 *   <li>The number was taken while the window lasted, by the store's clock. Nobody does that but a copy of this process. Another
 *       number is leased at once.
 *   <li>The store has forgotten what it granted. No number is leased until all windows that others may hold are over, by this clock too:
 *       they end at the most a window and {@code max_clock_skew} after the store was set back, and this clock may be behind by as much.
 * </ul>
 */
final class Tenant {

    private static final Logger LOG = System.getLogger(Tenant.class.getName());

    /** Others that are faster, in a row, before a caller is told. */
    private static final int MOST_REFUSALS = 20;

    /** @param nanos how long it took; the reading is not older */
    private record Answer(Reading reading, long nanos) {}

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final IntSupplier dice;

    private final String owner;

    private Memory memory = Memory.EMPTY;

    private @Nullable Grant granted;

    private @Nullable Duration clockOffset;

    private int refusals;

    /** By {@link #nanoTime}; null without a doubt. */
    private @Nullable Long doubtfulUntil;

    Tenant(WorkerStore store, LeaseTerms terms, InstantSource clock) {
        this(
                store,
                terms,
                clock,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE),
                OwnerName.ofProcess());
    }

    /**
     * Holds nothing yet.
     *
     * @param nanoTime never jumps; measures how long something takes
     * @param dice numbers of 0 or more, random
     * @param owner says who it is
     */
    Tenant(
            WorkerStore store,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier dice,
            String owner) {
        this.store = store;
        this.terms = terms;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.dice = dice;
        this.owner = owner;
    }

    /** The newest grant, perhaps ended; null before the first. */
    @Nullable
    Grant granted() {
        return granted;
    }

    /** How far the local clock is ahead of the store's, as last seen, give or take half of the answer's time; null before. */
    @Nullable
    Duration clockOffset() {
        return clockOffset;
    }

    /** Whether there is a reason to {@link #converse}. */
    boolean isDue() {
        return terms.protocol().isDue(memory, clock.millis());
    }

    /**
     * Reads the store, and asks it once for what is needed; to be repeated while {@link #isDue}.
     *
     * @throws NumbersTakenException if all numbers are taken
     * @throws IdUnavailableException if the store must not be asked now
     */
    void converse() throws StoreException, InterruptedException {
        requireNoDoubt();
        Grant held = memory.held();
        Answer answer = ask(held);
        if (answer.nanos > terms.maxClockSkew().toNanos()) {
            answer = ask(held);
        }
        Reading reading = answer.reading;
        long now = clock.millis();
        clockOffset = Duration.ofMillis(now - reading.storeTime()).minusNanos(answer.nanos / 2);
        requireRightClock(now, answer);
        learn(LeaseProtocol.settle(memory, reading));
        if (held != null && memory.held() == null) {
            lost(held, reading);
            return;
        }
        if (!terms.protocol().isDue(memory, now)) {
            return;
        }
        Claim claim = claim(reading, now)
                .orElseThrow(() -> new NumbersTakenException(terms.protocol(), reading, store.label()));
        memory = memory.sending(claim);
        boolean done = store.compareAndSet(claim.expected(), claim.next());
        learn(memory.answered(done));
        countRefusals(done);
    }

    private Answer ask(@Nullable Grant held) throws StoreException, InterruptedException {
        long began = nanoTime.getAsLong();
        Reading reading = read(held);
        return new Answer(reading, nanoTime.getAsLong() - began);
    }

    private Reading read(@Nullable Grant held) throws StoreException, InterruptedException {
        if (held != null) {
            return store.read(held.worker(), held.worker());
        }
        LeaseProtocol protocol = terms.protocol();
        long first = protocol.burnt() ? Math.max(0, store.highest()) : protocol.minWorker();
        return store.read(first, protocol.burnt() ? first : protocol.maxWorker());
    }

    /** Allows nothing for the time that the answer took: by that, the clock would be further ahead than it may be. */
    private void requireRightClock(long now, Answer answer) {
        long storeTime = answer.reading.storeTime();
        long skew = terms.maxClockSkew().toMillis();
        if (Math.abs(now - storeTime) > skew) {
            throw new IdUnavailableException("The local clock must be near the store's: clock="
                    + Instant.ofEpochMilli(now) + ", " + store.label() + " says " + Instant.ofEpochMilli(storeTime)
                    + " in an answer that took " + TimeUnit.NANOSECONDS.toMillis(answer.nanos) + " ms, allowed: " + skew
                    + " ms (distributedid.snowflake.lease.max_clock_skew). Set the clock");
        }
    }

    private Optional<Claim> claim(Reading reading, long now) {
        return terms.protocol()
                .claim(memory, reading, now, owner, UUID.randomUUID().toString(), refusals, dice.getAsInt());
    }

    private void countRefusals(boolean done) {
        refusals = done ? 0 : refusals + 1;
        if (refusals > MOST_REFUSALS) {
            refusals = 0;
            throw new IdUnavailableException("Others were faster to take a worker number, " + MOST_REFUSALS + " times: "
                    + store.label() + ". Try again");
        }
    }

    private void learn(Memory learnt) {
        memory = learnt;
        if (learnt.held() != null) {
            granted = learnt.held();
        }
    }

    /** The row of the number is not as it was written last. */
    private void lost(Grant held, Reading reading) {
        String worker = Long.toString(held.worker());
        WorkerRow row = reading.row(held.worker());
        boolean tooEarly = reading.storeTime() < held.until();
        // Others take a number when its time is over: they were given this one before the store was set back.
        boolean fromBefore = tooEarly && row != null && !row.owner().equals(owner);
        if (fromBefore || LeaseProtocol.isForgotten(held, row)) {
            granted = held.ended();
            doubtfulUntil = nanoTime.getAsLong()
                    + TimeUnit.MILLISECONDS.toNanos(terms.protocol().windowMillis())
                    + 2 * terms.maxClockSkew().toNanos();
            requireNoDoubt();
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

    /** Gives up what is above the last id; nothing may be done afterwards. */
    void handBack(long unused) throws StoreException, InterruptedException {
        Optional<Claim> rest =
                terms.protocol().handBack(memory, unused, UUID.randomUUID().toString());
        if (rest.isPresent()) {
            WorkerRow next = rest.get().next();
            boolean done = store.compareAndSet(rest.get().expected(), next);
            LOG.log(Level.DEBUG, "Worker number {0} is handed back: {1}", Long.toString(next.worker()), done);
        }
    }
}
