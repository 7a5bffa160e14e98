package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.StoreRecord.State;
import io.distributedid.internal.process.ProcessName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@link LeaseProtocol} in two stores while numbers move from one to the other. It leases a number in the
 * old store and exactly the same number in the new store. Its window is the part that both have granted. So it overlaps
 * with no window of a process that leases in the old store alone, in both, or in the new store alone. Neither store
 * needs to know of the other.
 *
 * <p>Each {@link #renew} reads the new store's record. Once that says that the move has ended, the old store is not
 * needed any more: see {@link StoreMove} for why no process leases there alone by then. For one thread at a time. One
 * class: the clients of both stores and the state of the move belong together.
 */
final class MovingClient implements LeaseClient {

    private static final Logger LOG = System.getLogger(MovingClient.class.getName());

    private final WorkerStore old;

    private final WorkerStore next;

    private final LeaseTerms terms;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final IntSupplier random;

    private final String owner;

    /** Leases in the old store; null before the first renewal. */
    private @Nullable StoreClient leaving;

    /** Leases in the new store; null before a number is held in the old one. */
    private @Nullable StoreClient entering;

    /** The one number that {@link #entering} may lease; null if any. */
    private @Nullable Long number;

    private boolean arrived;

    private String move = "";

    private @Nullable Grant granted;

    MovingClient(WorkerStore old, WorkerStore next, LeaseTerms terms, InstantSource clock) {
        this(
                old,
                next,
                terms,
                clock,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE),
                ProcessName.ofProcess());
    }

    MovingClient(
            WorkerStore old,
            WorkerStore next,
            LeaseTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            IntSupplier random,
            String owner) {
        this.old = old;
        this.next = next;
        this.terms = terms;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.random = random;
        this.owner = owner;
    }

    @Override
    public @Nullable Grant granted() {
        return granted;
    }

    @Override
    public @Nullable Duration clockOffset() {
        return entering == null ? null : entering.clockOffset();
    }

    @Override
    public boolean isDue() {
        if (entering == null || entering.isDue()) {
            return true;
        }
        return !arrived && (leaving == null || leaving.isDue() || !entering.hasSameNumberAs(leaving));
    }

    @Override
    public long windowMillis() {
        long shortest = terms.protocol().windowMillis();
        if (entering != null) {
            shortest = Math.min(shortest, entering.windowMillis());
        }
        return leaving == null || arrived ? shortest : Math.min(shortest, leaving.windowMillis());
    }

    @Override
    public @Nullable String storeToken() {
        return entering == null ? null : entering.storeToken();
    }

    @Override
    public void renew() throws WorkerStoreException, InterruptedException {
        if (leaving == null && !arrived) {
            begin();
        }
        try {
            Optional<NoFreeWorkerException> taken = enter();
            if (!arrived) {
                leave(taken);
            }
        } finally {
            granted = granted(granted);
        }
    }

    /** Reads both records, and writes the move to the new store's record. */
    private void begin() throws WorkerStoreException, InterruptedException {
        StoreRecord found = StoreRecord.of(next).orElse(null);
        if (found != null && found.hasArrived()) {
            requireFenced(found);
            arrive();
            entering = client(next, terms, Admission.ONLY);
            return;
        }
        StoreRecord before = requireUsed(old);
        if (found == null) {
            found = announce(before);
        }
        requireOfSameMove(before, found);
        move = found.move();
        Admission.next(move).require(found, next.label());
        Admission.old(move).require(before, old.label());
        leaving = client(old, terms, Admission.old(move));
    }

    /** @throws IdConfigurationException if the old store has no record */
    static StoreRecord requireUsed(WorkerStore old) throws WorkerStoreException, InterruptedException {
        return StoreRecord.of(old)
                .orElseThrow(() ->
                        new IdConfigurationException("The place that the worker numbers move from has never held any: "
                                + old.label() + ". Check distributedid.snowflake.lease.moving_from.*"));
    }

    /** The old store may be gone. If it answers, its record must say that the numbers moved to the new store. */
    private void requireFenced(StoreRecord found) throws InterruptedException {
        StoreRecord before;
        try {
            before = StoreRecord.of(old).orElse(null);
        } catch (WorkerStoreException | IdConfigurationException e) {
            LOG.log(
                    Level.INFO,
                    "The worker numbers have moved to {0}. The old place, which is not needed any more, said: {1}",
                    next.label(),
                    e.getMessage());
            return;
        }
        if (before != null && (before.state() != State.MOVED || !before.token().equals(found.token()))) {
            requireOfSameMove(before, found);
        }
    }

    private StoreRecord announce(StoreRecord before) throws WorkerStoreException, InterruptedException {
        if (before.state() != State.SETTLED || next.highest() >= 0) {
            throw new IdConfigurationException(
                    before.state() == State.SETTLED
                            ? "The place that worker numbers move to must not have been used: " + next.label()
                                    + " holds numbers. Name another one"
                            : "The worker numbers have moved from " + old.label() + ", but not to " + next.label()
                                    + ". Check distributedid.snowflake.lease.*");
        }
        StoreRecord first = before.movingTo(UUID.randomUUID().toString());
        return StoreRecord.parse(LeaseClient.record(next, WorkerStore.STORE_RECORD, first.text()))
                .orElseThrow();
    }

    private void requireOfSameMove(StoreRecord before, StoreRecord found) {
        if (!found.token().equals(before.token())) {
            throw new IdConfigurationException("The place that worker numbers move to must not have been used: "
                    + next.label() + " token=" + found.token() + ", " + old.label() + " token=" + before.token()
                    + ". Name another one");
        }
        if (found.state() == State.SETTLED) {
            throw new IdConfigurationException(
                    "The places that worker numbers move from and to are the same, or one is a copy of the other: "
                            + old.label() + ", " + next.label() + " token=" + found.token()
                            + ". Check distributedid.snowflake.lease.moving_from.*");
        }
    }

    /** Renews in the new store. Returns the exception that names the owner if the number is taken. */
    private Optional<NoFreeWorkerException> enter() throws WorkerStoreException, InterruptedException {
        StoreClient client = entering;
        if (client == null) {
            return Optional.empty();
        }
        NoFreeWorkerException taken = null;
        try {
            client.renew();
        } catch (NoFreeWorkerException e) {
            taken = e;
        }
        if (!arrived && client.hasArrived()) {
            LOG.log(Level.INFO, "The move of the worker numbers has ended: {0} is not needed any more", old.label());
            arrive();
        }
        if (taken != null && arrived) {
            if (number == null) {
                throw taken;
            }
            // The number was lost, and the move has ended: any number will do.
            number = null;
            entering = client(next, terms, Admission.ONLY);
        }
        return Optional.ofNullable(taken);
    }

    private void arrive() {
        arrived = true;
        leaving = null;
        old.close();
    }

    /** Renews in the old store. The new store must then grant the same number. */
    private void leave(Optional<NoFreeWorkerException> taken) throws WorkerStoreException, InterruptedException {
        StoreClient client = leaving;
        if (client == null) {
            return;
        }
        if (client.isDue()) {
            client.renew();
        }
        Long held = client.held();
        if (held != null && !held.equals(number)) {
            number = held;
            entering = client(next, terms.withNumber(held), Admission.next(move));
        } else if (taken.isPresent()) {
            throw taken.get();
        }
    }

    private StoreClient client(WorkerStore store, LeaseTerms with, Admission admission) {
        return new StoreClient(store, with, clock, nanoTime, random, owner, admission);
    }

    private @Nullable Grant granted(@Nullable Grant before) {
        Grant inNew = entering == null ? null : entering.granted();
        Grant inOld = leaving == null ? null : leaving.granted();
        Grant now;
        if (arrived) {
            now = inNew;
        } else {
            now = inNew == null || inOld == null || inNew.worker() != inOld.worker() ? null : inNew.within(inOld);
        }
        if (now == null) {
            now = before == null ? null : before.ended();
        }
        return now != null && now.equals(before) ? before : now;
    }

    @Override
    public void handBack(long unused) throws WorkerStoreException, InterruptedException {
        if (entering != null) {
            entering.handBack(unused);
        }
        if (leaving != null) {
            leaving.handBack(unused);
        }
    }

    /** The old store has records of sequences that were not used since the move began. */
    @Override
    public String record(String sequence, String content) throws WorkerStoreException, InterruptedException {
        String before = arrived ? content : LeaseClient.record(old, sequence, content);
        return before.equals(content) ? LeaseClient.record(next, sequence, content) : before;
    }

    @Override
    public String label() {
        return next.label();
    }

    @Override
    public void close() {
        old.close();
        next.close();
    }
}
