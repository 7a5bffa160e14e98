package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.Interleavings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes that lease numbers from one store, and callers of one lease, in many interleavings. */
@Tag("slow")
@Tag("model")
@Tag("interleavings")
class LeaseInterleavingsTest {

    private static final long WINDOW = 1_000;

    /** A day after 1970, in milliseconds. */
    private static final long BEGIN = 86_400_000;

    private static LeaseTerms terms(long maxWorker) {
        return new LeaseTerms(
                new LeaseProtocol(WINDOW, 0, maxWorker, false),
                Duration.ofMillis(250),
                Duration.ZERO,
                Duration.ofHours(1));
    }

    /** The times of each number, and the process that owns them. */
    static final class Windows {

        private record Owned(int process, long worker, long from, long until) {}

        private final List<Owned> all = new ArrayList<>();

        synchronized void grant(int process, Grant grant) {
            Owned owned = new Owned(process, grant.worker(), grant.from(), grant.until());
            for (Owned other : all) {
                if (other.process != process
                        && other.worker == owned.worker
                        && other.from < owned.until
                        && owned.from < other.until) {
                    throw new AssertionError("Two processes own the same times: " + owned + " and " + other);
                }
            }
            all.removeIf(
                    before -> before.process == process && before.worker == owned.worker && before.from == owned.from);
            all.add(owned);
        }

        /** The process gives up the times of its last window from {@code unused} on. */
        synchronized void giveUp(int process, Grant last, long unused) {
            all.removeIf(each -> each.process == process && each.from == last.from());
            all.add(new Owned(process, last.worker(), last.from(), Math.min(last.until(), unused)));
        }
    }

    /** Two processes at a time, which lease one of two numbers. */
    public static class TwoProcesses {

        private final Windows windows = new Windows();

        private final AtomicLong millis = new AtomicLong(BEGIN);

        private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

        private final WorkerStore store;

        private final StoreClient[] clients;

        private final int[] names = {0, 1};

        private int started = 2;

        public TwoProcesses() {
            store = store(clock);
            clients = new StoreClient[] {client(0), client(1)};
        }

        WorkerStore store(InstantSource time) {
            return new MemoryStore(time);
        }

        private StoreClient client(int name) {
            return new StoreClient(store, terms(1), clock, () -> millis.get() * 1_000_000, () -> 0, "process " + name);
        }

        @Operation
        public void renew(@Param(gen = ThreadIdGen.class) int thread) throws Exception {
            StoreClient client = clients[thread % 2];
            try {
                client.renew();
            } catch (IdUnavailableException e) {
                // No number is free.
            }
            Grant granted = client.granted();
            if (granted != null) {
                windows.grant(names[thread % 2], granted);
            }
        }

        /** A process stops, and another one starts. */
        @Operation
        public void restart(@Param(gen = ThreadIdGen.class) int thread) throws Exception {
            StoreClient client = clients[thread % 2];
            Grant granted = client.granted();
            if (granted != null) {
                long unused = granted.from() + 100;
                windows.giveUp(names[thread % 2], granted, unused);
                client.handBack(unused);
            }
            synchronized (windows) {
                names[thread % 2] = started++;
            }
            clients[thread % 2] = client(names[thread % 2]);
        }

        @Operation
        public void pass() {
            millis.addAndGet(WINDOW * 2 / 3);
        }
    }

    @Test
    void noTimeOfANumberBelongsToTwoProcesses() {
        Interleavings.check(TwoProcesses.class, 10);
    }

    /** A store that compares, and then sets. */
    private record TornStore(MemoryStore store) implements WorkerStore {

        @Override
        public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next) {
            if (!Objects.equals(store.row(next.worker()), expected)) {
                return false;
            }
            store.put(next);
            return true;
        }

        @Override
        public StoreSnapshot read(long first, long last) throws WorkerStoreException {
            return store.read(first, last);
        }

        @Override
        public long highest() throws WorkerStoreException {
            return store.highest();
        }

        @Override
        public Optional<String> record(String name) throws WorkerStoreException {
            return store.record(name);
        }

        @Override
        public Map<String, String> records() throws WorkerStoreException {
            return store.records();
        }

        @Override
        public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
                throws WorkerStoreException {
            return store.compareAndSetRecord(name, expected, next);
        }

        @Override
        public String label() {
            return "torn";
        }

        @Override
        public void close() {}
    }

    /** Two processes with such a store. */
    public static final class TornProcesses extends TwoProcesses {

        @Override
        WorkerStore store(InstantSource time) {
            return new TornStore(new MemoryStore(time));
        }
    }

    @Test
    void aStoreThatComparesAndThenSetsIsFound() {
        Interleavings.assertFound(TornProcesses.class, "Two processes own the same times");
    }

    /** The lease of one process, whose window is over, and its callers. */
    private static final class Renewed {

        private final AtomicLong millis = new AtomicLong(BEGIN);

        private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

        private final Lease lease;

        private final Grant spent;

        Renewed() {
            StoreClient client =
                    new StoreClient(new MemoryStore(clock), terms(0), clock, () -> 0, () -> 0, "one process");
            lease = Lease.open(client, terms(0), clock, new CountDownLatch(1), Thread::new);
            spent = lease.current();
            millis.addAndGet(3 * WINDOW);
        }

        Thread caller() {
            Thread caller = new Thread(() -> {
                try {
                    Grant next = lease.await(spent);
                    if (!next.covers(millis.get())) {
                        throw new AssertionError("The window is over: " + next);
                    }
                } catch (IdUnavailableException e) {
                    // It was closed before.
                }
            });
            caller.start();
            return caller;
        }
    }

    @Test
    void anEndWakesEveryCallerThatWaits() {
        Interleavings.check(30, () -> {
            Renewed renewed = new Renewed();
            Thread caller = renewed.caller();
            renewed.lease.release(renewed.millis.get());
            Interleavings.join(caller);
        });
    }
}
