package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store of leases in memory, with the JVM's clocks and threads. */
class LeaseRunnerTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final StoreHeader.Terms TERMS = new StoreHeader.Terms(60_000, 15_000);

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, System::currentTimeMillis);

    private final MemoryLeaseStore store = new MemoryLeaseStore(ledger);

    private final LeaseRunner runner = runner(store);

    private static LeaseRunner runner(MemoryLeaseStore store) {
        return new LeaseRunner(store, TERMS, InstantSource.system(), Platform.JVM);
    }

    private static Right worker(long first, long last) {
        return Right.worker(new Right.Numbers(first, last), false, "one");
    }

    private void begin() {
        assertThat(ledger.write(List.of(Change.create(Ledger.STORE, "created", 0, Row.State.NEW, Fields.NONE))))
                .hasSize(1);
    }

    @Test
    void aStoreThatWasNeverUsedIsRefused() {
        assertThatThrownBy(() -> runner.take(worker(0, 1023), SECOND))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("distributedid init");
    }

    @Test
    void aNumberIsClaimedAndHandedBack() {
        begin();
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        Lease held = Objects.requireNonNull(right.current());
        assertThat(held.row().name()).isEqualTo("@worker/0");
        assertThat(held.bound() - held.from()).isEqualTo(60_000);

        Right other = worker(0, 1023);
        LeaseRunner second = runner(new MemoryLeaseStore(ledger));
        second.take(other, SECOND);
        assertThat(Objects.requireNonNull(other.current()).row().name()).isEqualTo("@worker/1");

        runner.release(Map.of(right, held.from()));
        assertThat(rows.get("@worker/0").number()).isEqualTo(held.from());
        assertThat(LeaseProtocol.owner(rows.get("@worker/0"))).isEmpty();
        second.abandon();
    }

    @Test
    void aNumberThatIsTakenIsWaitedFor() {
        begin();
        Right right = worker(3, 3);
        runner.take(right, SECOND);
        LeaseRunner second = runner(new MemoryLeaseStore(ledger));
        assertThatThrownBy(() -> second.take(worker(3, 3), Duration.ZERO))
                .isInstanceOf(NoFreeNumberException.class)
                .hasMessageContaining("@worker/3 by one until");
        runner.release(Map.of(right, 0L));
        second.take(worker(3, 3), SECOND);
        second.abandon();
    }

    @Test
    void aCallerGetsARenewedWindow() {
        begin();
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        Lease first = right.current();
        Lease next = runner.await(right, first, SECOND);
        assertThat(next).isNotSameAs(first);
        assertThat(next.from()).isEqualTo(first.from());
        assertThat(next.bound()).isGreaterThanOrEqualTo(first.bound());
        store.failure = "no route to host";
        assertThatThrownBy(() -> runner.await(right, right.current(), Duration.ofMillis(100)))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("no route to host");
        runner.abandon();
    }

    @Test
    void aLossClosesTheStoreForAll() {
        begin();
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        rows.remove("@worker/0");
        LeaseRunner second = runner(new MemoryLeaseStore(ledger));
        assertThatThrownBy(() -> second.take(worker(0, 1023), SECOND))
                .hasMessageContaining("Leases are given again in 9");
        assertThatThrownBy(() -> runner.await(right, right.current(), SECOND))
                .hasMessageContaining("Leases are given again in 9");
        assertThat(right.current()).isNull();
        runner.abandon();
        second.abandon();
    }

    @Test
    void anEmptyStoreGetsNothingFromOneWhoKnewAnother() {
        begin();
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        Lease held = right.current();
        rows.clear();
        assertThatThrownBy(() -> runner.await(right, held, SECOND)).hasMessageContaining("not the same as before");
        assertThat(rows).isEmpty();
        assertThat(right.current()).isSameAs(held);
        runner.abandon();
    }

    @Test
    void oneProcessAtATimeHasAFixedRow() {
        begin();
        Row layout = runner.layout("photos", Fields.NONE.with("layout", "x"));
        assertThat(layout.name()).isEqualTo("@layout/0");
        assertThat(runner.header().orElseThrow().layouts())
                .as("else nobody would notice its loss")
                .isEqualTo(1);
        assertThat(rows).containsKey("@strict");
        assertThat(new StoreHeader(rows.get("@store")).layouts()).isEqualTo(1);
        assertThat(runner.layout("photos", Fields.NONE)).isEqualTo(layout);
    }

    private Right taken() {
        begin();
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        return right;
    }

    /** Wants another window than the one that lasts. */
    private FutureTask<Lease> waiting(Right right, Duration limit) {
        Lease held = right.current();
        FutureTask<Lease> call = new FutureTask<>(() -> runner.await(right, held, limit));
        new Thread(call, "waits for a lease").start();
        return call;
    }

    @Test
    @Timeout(60)
    void aCallerOutlastsAnOutageThatIsShorterThanItsPatience() throws Exception {
        Right right = taken();
        store.failure = "connection refused";
        FutureTask<Lease> call = waiting(right, Duration.ofMinutes(1));
        int calls = store.calls;
        Await.until("the store is tried again", () -> store.calls > calls + 2);
        assertThat(call.isDone()).isFalse();
        store.failure = "";

        assertThat(call.get().from())
                .isEqualTo(Objects.requireNonNull(right.current()).from());
        assertThat(runner.failure()).isEmpty();
        runner.abandon();
    }

    @Test
    @Timeout(60)
    void duringALongOutageCallersGetTheLastFailureAtOnce() {
        Right right = taken();
        Lease held = right.current();
        store.failure = "connection refused";
        String message = "The lease has ended, and there is no new one yet: @worker/0 on memory. connection refused"
                + Pages.onCall("lease-ended");
        assertThatThrownBy(() -> runner.await(right, held, Duration.ofMillis(50)))
                .hasMessage(message);

        Await.until("it was away for longer than callers wait", () -> {
            long began = System.nanoTime();
            assertThatThrownBy(() -> runner.await(right, held, Duration.ofMillis(300)))
                    .hasMessage(message);
            return System.nanoTime() - began < Duration.ofMillis(300).toNanos();
        });
        runner.abandon();
    }

    @Test
    @Timeout(60)
    void aCallerThatIsRefusedDoesNotWait() {
        begin();
        AtomicLong ahead = new AtomicLong();
        LeaseRunner runner = new LeaseRunner(store, TERMS, () -> Instant.now().plusMillis(ahead.get()), Platform.JVM);
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        ahead.set(3_600_000);

        assertThatThrownBy(() -> runner.await(right, right.current(), Duration.ofHours(1)))
                .hasMessageStartingWith("The lease has ended, and there is no new one yet: @worker/0 on memory. The"
                        + " local clock must be near the store's: ");
        runner.abandon();
    }

    @Test
    void anInterruptEndsTheWait() {
        Right right = taken();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> runner.await(right, right.current(), SECOND))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for a lease: memory");
        assertThat(Thread.interrupted()).isTrue();
        runner.abandon();
    }

    @Test
    @Timeout(60)
    void theEndOfAllEndsWaits() throws Exception {
        Right right = taken();
        store.failure = "connection refused";
        FutureTask<Lease> call = waiting(right, Duration.ofHours(1));
        int calls = store.calls;
        Await.until("it waits", () -> store.calls > calls);
        runner.abandon();

        assertThatThrownBy(call::get).cause().hasMessage("The source of ids is closed: memory");
        assertThatThrownBy(() -> runner.await(right, right.current(), SECOND))
                .hasMessage("The source of ids is closed: memory");
        assertThat(store.isClosed).isTrue();
    }

    @Test
    @Timeout(60)
    void aStartThatIsNotWantedAnyMoreWaitsNoLonger() throws Exception {
        taken();
        LeaseRunner second = runner(new MemoryLeaseStore(ledger));
        FutureTask<Void> start = new FutureTask<>(() -> second.take(worker(0, 0), Duration.ofHours(1)), null);
        Thread thread = new Thread(start, "waits for a number");
        thread.start();
        Await.until("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING || start.isDone());
        second.stopWaiting();

        assertThatThrownBy(start::get)
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids was closed while it waited for a worker number. The worker"
                        + " number is taken: 0 of memory. ");
        second.abandon();
        runner.abandon();
    }

    @Test
    void aStartWithoutStoreFails() {
        begin();
        store.failure = "connection refused";

        assertThatThrownBy(() -> runner.take(worker(0, 1023), SECOND))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Nothing can be leased: memory said: connection refused");
    }

    @Test
    void aRightIsTakenOnce() {
        Right right = taken();
        Lease held = right.current();
        int calls = store.calls;
        runner.take(right, SECOND);

        assertThat(right.current()).isSameAs(held);
        assertThat(store.calls).isEqualTo(calls);
        runner.abandon();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new OutOfMemoryError("unable to create native thread"),
                new StackOverflowError(),
                new NoClassDefFoundError("com/example/Driver"),
                new IllegalStateException("the pool is closed"),
                new IOException("not declared"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @Timeout(60)
    void whateverTheStoreThrowsIsSaidAndTheRenewalGoesOn(Throwable failure) {
        Right right = taken();
        Lease held = right.current();
        store.breaksWith = failure;
        assertThatThrownBy(() -> runner.await(right, held, SECOND))
                .hasMessageEndingWith(". " + failure + Pages.onCall("lease-ended"));
        assertThat(runner.failure()).contains(failure.toString());

        store.breaksWith = null;
        Await.until("it is renewed", () -> right.current() != held);
        Await.until("no failure is left", () -> runner.failure().isEmpty());
        runner.abandon();
    }

    @Test
    @Timeout(60)
    void aThreadThatWasInterruptedGoesOn() {
        Right right = taken();
        Lease first = right.current();
        Lease second = runner.await(right, first, SECOND);
        Thread renewing = Objects.requireNonNull(store.caller);
        renewing.interrupt();

        assertThat(runner.await(right, second, SECOND)).isNotSameAs(second);
        assertThat(store.caller).isSameAs(renewing);
        runner.abandon();
    }

    @Test
    @Timeout(60)
    void aThreadThatCouldNotBeStartedIsSaidAndStartedAgain() {
        begin();
        AtomicInteger starts = new AtomicInteger();
        Platform failing = new Platform() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Thread start(String name, Runnable task) {
                if (starts.getAndIncrement() < 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return Platform.JVM.start(name, task);
            }
        };
        LeaseRunner runner = new LeaseRunner(store, TERMS, InstantSource.system(), failing);
        Right right = worker(0, 1023);
        runner.take(right, SECOND);
        assertThat(runner.failure()).contains("java.lang.OutOfMemoryError: unable to create native thread");

        Await.until("it is started", () -> runner.failure().isEmpty());
        assertThat(runner.await(right, right.current(), SECOND)).isNotNull();
        runner.abandon();
    }
}
