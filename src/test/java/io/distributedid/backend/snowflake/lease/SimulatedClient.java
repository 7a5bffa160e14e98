package io.distributedid.backend.snowflake.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link StoreClient} in a simulation, where a conversation with the store takes time. One thread uses a client, so
 * only what it reads and writes can reveal the times of its steps. So a whole conversation runs at once, when its write
 * arrives at the store: with the rows that its read found before, and with the clock readings of each step. A renewal
 * that skips the read is a conversation of its own; if it is refused, one with a read follows.
 */
public final class SimulatedClient {

    /** The fate of a write. */
    public enum Fate {
        ANSWERED,
        /** It is done, but the answer is lost. */
        LOST,
        /** It is not done, and there is no answer. */
        LOST_WITH_THE_QUESTION,
        /** It is done later, without an answer. */
        LATE
    }

    /** What comes of a renewal without a read. */
    public enum Outcome {
        RENEWED,
        REFUSED,
        /** There is no answer. */
        SILENCE
    }

    /**
     * What a read finds.
     *
     * @param rows null if the store did not answer
     * @param record what the store says of itself
     */
    public record Found(
            @Nullable List<WorkerRow> rows,
            long storeTime,
            @Nullable String record) {}

    /** The settings' defaults, and numbers from 0 to below this. */
    public static LeaseTerms terms(int numbers, boolean singleUse) {
        return terms(numbers, singleUse, Duration.ofSeconds(60));
    }

    /** The same with windows of another length. */
    public static LeaseTerms terms(int numbers, boolean singleUse, Duration window) {
        return new LeaseTerms(
                new LeaseProtocol(window.toMillis(), 0, numbers - 1, singleUse),
                window.dividedBy(4),
                window,
                Duration.ofSeconds(6));
    }

    private final SimulatedStore server;

    private final SimulatedClock clock;

    private final StoreClient client;

    // Of the conversation that is run.

    private Found found = new Found(null, 0, null);

    private long clockAfterRead;

    private Fate fate = Fate.ANSWERED;

    /** Whether the conversation begins with a renewal that skips the read. */
    private boolean skipsReading;

    private @Nullable Runnable late;

    /** Ends a conversation in which the store has refused a renewal, since its read takes time. */
    private static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }

    public SimulatedClient(
            SimulatedStore server,
            LeaseTerms terms,
            SimulatedClock clock,
            LongSupplier nanoTime,
            IntSupplier dice,
            String owner) {
        this.server = server;
        this.clock = clock;
        client = new StoreClient(new Connection(), terms, clock, nanoTime, dice, owner);
    }

    /** What a read finds that arrives at the store now. */
    public static Found look(SimulatedStore server, long storeTime) {
        return new Found(server.isUp() ? server.look() : null, storeTime, server.record(WorkerStore.STORE_RECORD));
    }

    /** How long the windows are that it asks for now. */
    public long windowMillis() {
        return client.windowMillis();
    }

    public @Nullable Grant granted() {
        return client.granted();
    }

    public boolean isDue() {
        return client.isDue();
    }

    /** Whether an exception of {@link #renew} says that all numbers are taken. */
    public static boolean isTaken(Exception e) {
        return e instanceof NoFreeWorkerException;
    }

    /** Whether it would now ask for a window without a read. */
    public boolean skipsReading() {
        return client.maySkipReading();
    }

    /**
     * Runs a conversation without a read, whose write arrives now.
     *
     * @param clockBefore what the clock showed when it began
     * @param storeTime the store's time now
     * @param how what becomes of the write
     */
    public Outcome prolong(long clockBefore, long storeTime, Fate how) {
        found = new Found(null, storeTime, null);
        fate = how;
        skipsReading = true;
        clock.show(clockBefore);
        try {
            client.renew();
            return Outcome.RENEWED;
        } catch (Refused e) {
            return Outcome.REFUSED;
        } catch (WorkerStoreException e) {
            return Outcome.SILENCE;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            skipsReading = false;
        }
    }

    /**
     * Runs a conversation whose write, if there is one, arrives now.
     *
     * @param clockBefore what the clock showed when it began
     * @param clockAfter what it showed when the answer to the read came
     * @param what the read found
     * @param how what becomes of the write
     * @return what has failed
     */
    public Optional<Exception> renew(long clockBefore, long clockAfter, Found what, Fate how) {
        found = what;
        fate = how;
        clockAfterRead = clockAfter;
        clock.show(clockBefore);
        try {
            client.renew();
            return Optional.empty();
        } catch (WorkerStoreException | RuntimeException e) {
            return Optional.of(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The message that hands the number back arrives now. */
    public void handBack(long unused, Fate how) {
        fate = how;
        try {
            client.handBack(unused);
        } catch (WorkerStoreException e) {
            // As with a lease that is released while the store is away: the number is free when its window is over.
            return;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The write that is late, once; to be run when it arrives. */
    public Optional<Runnable> late() {
        Optional<Runnable> message = Optional.ofNullable(late);
        late = null;
        return message;
    }

    private final class Connection implements WorkerStore {

        @Override
        public StoreSnapshot read(long first, long last) throws WorkerStoreException {
            if (skipsReading) {
                throw new Refused();
            }
            clock.show(clockAfterRead);
            List<WorkerRow> rows = found.rows();
            if (rows == null) {
                throw noAnswer();
            }
            List<WorkerRow> asked = new ArrayList<>();
            for (WorkerRow row : rows) {
                if (first <= row.worker() && row.worker() <= last) {
                    asked.add(row);
                }
            }
            server.countRead(asked.size());
            return new StoreSnapshot(asked, found.storeTime(), found.record());
        }

        @Override
        public long highest() throws WorkerStoreException {
            List<WorkerRow> rows = found.rows();
            if (rows == null) {
                throw noAnswer();
            }
            server.countRead(1);
            return rows.isEmpty() ? -1 : rows.get(rows.size() - 1).worker();
        }

        @Override
        public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next) throws WorkerStoreException {
            Grant granted = client.granted();
            boolean renewal = granted != null && granted.row().equals(expected);
            if (fate == Fate.LATE) {
                late = () -> server.compareAndSet(expected, next, renewal);
            }
            if (fate == Fate.LATE || fate == Fate.LOST_WITH_THE_QUESTION || !server.isUp()) {
                throw noAnswer();
            }
            boolean done = server.compareAndSet(expected, next, renewal);
            if (fate == Fate.LOST) {
                throw noAnswer();
            }
            return done;
        }

        @Override
        public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
                throws WorkerStoreException {
            if (!skipsReading) {
                return OptionalLong.empty();
            }
            if (fate == Fate.LATE && condition.allows(found.storeTime())) {
                // The harder case: a store that compared the time before the message was late.
                late = () -> server.renew(expected, next, condition, condition.latest());
            }
            if (fate == Fate.LATE || fate == Fate.LOST_WITH_THE_QUESTION || !server.isUp()) {
                throw noAnswer();
            }
            boolean done = server.renew(expected, next, condition, found.storeTime());
            if (fate == Fate.LOST) {
                throw noAnswer();
            }
            return done ? OptionalLong.of(found.storeTime()) : OptionalLong.empty();
        }

        @Override
        public Map<String, String> records() {
            throw new UnsupportedOperationException("No move is simulated here");
        }

        @Override
        public Optional<String> record(String name) {
            return Optional.ofNullable(server.record(name));
        }

        @Override
        public boolean compareAndSetRecord(String name, @Nullable String expected, String next) {
            return server.compareAndSetRecord(name, expected, next);
        }

        private WorkerStoreException noAnswer() {
            return new WorkerStoreException(
                    "the simulated store said: no answer", new IllegalStateException("timeout"));
        }

        @Override
        public String label() {
            return "the simulated store";
        }

        @Override
        public void close() {}
    }
}
