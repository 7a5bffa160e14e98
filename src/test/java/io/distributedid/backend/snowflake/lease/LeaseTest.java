package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease on the system clock, with windows of a second. */
@Tag("slow")
class LeaseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryStore store = new MemoryStore(InstantSource.system());

    private final CountDownLatch closing = new CountDownLatch(1);

    @Test
    void theWindowIsRenewedInTheBackground() {
        Lease lease = open(1_000);
        Grant first = lease.current();
        Await.until("it is renewed", () -> lease.current().until() > first.until() + 1_000, lease::current);

        assertThat(lease.current().from()).isEqualTo(first.from());
        assertThat(lease.current().worker()).isZero();
        lease.release(0);
    }

    @Test
    void theStoreIsAskedOncePerHalfWindow() {
        Lease lease = open(1_000);
        long end = lease.current().until() + 2_000;
        Await.until("it is renewed", () -> lease.current().until() >= end, lease::current);

        assertThat(store.reads()).isBetween(2, 6);
        lease.release(0);
    }

    @Test
    void anOutageOfTheStoreIsNoticedAtTheEndOfTheWindowAndItsEndAtOnce() {
        Lease lease = Lease.open(store, impatient(1_000), InstantSource.system(), closing);
        store.down(true);
        Grant last = lease.current();
        Await.until("the window ends", () -> !lease.current().covers(System.currentTimeMillis()), lease::current);

        assertThat(lease.current()).isSameAs(last);
        assertThatThrownBy(() -> lease.await(last))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith(
                        "The window of the worker number has ended and there is no other yet: worker=0 until="
                                + Instant.ofEpochMilli(last.until()) + ", clock=")
                .hasMessageEndingWith(". memory said: connection refused");
        store.down(false);
        Await.until("it is renewed", () -> lease.current().covers(System.currentTimeMillis()), lease::current);
        assertThat(lease.current().from()).isEqualTo(last.from());
        lease.release(0);
    }

    @Test
    @Timeout(60)
    void aCallerOutlastsAnOutageThatIsShorterThanItsPatience() throws Exception {
        Lease lease = open(1_000);
        Grant last = lease.current();
        store.down(true);
        FutureTask<Grant> call = new FutureTask<>(() -> lease.await(last));
        Thread caller = new Thread(call);
        Await.until("the window ends", () -> !lease.current().covers(System.currentTimeMillis()), lease::current);
        caller.start();
        int refusals = store.refusals();
        Await.until("the store is tried again", () -> store.refusals() > refusals + 2, store::refusals);
        assertThat(caller.isAlive()).isTrue();

        store.down(false);
        assertThat(call.get().covers(System.currentTimeMillis())).isTrue();
        lease.release(0);
    }

    @Test
    @Timeout(60)
    void callersThatWaitTryTheStoreTenTimesASecondTogether() throws Exception {
        SlowClock clock = new SlowClock();
        MemoryStore away = store(clock);
        Lease lease = Lease.open(away, terms(60_000), clock, closing);
        Grant last = lease.current();
        away.down(true);
        clock.move(Duration.ofSeconds(61));
        long began = System.nanoTime();
        List<FutureTask<Grant>> calls = Stream.generate(() -> new FutureTask<>(() -> lease.await(last)))
                .limit(10)
                .toList();
        calls.forEach(call -> new Thread(call).start());
        Await.until("the store is tried ten times", () -> away.refusals() >= 10, away::refusals);
        int refusals = away.refusals();
        long tenths = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) / 100;

        // Beyond one for each tenth: the first, one that was asked for meanwhile, and one by the lease itself.
        assertThat((long) refusals).isLessThanOrEqualTo(tenths + 3);
        away.down(false);
        for (FutureTask<Grant> call : calls) {
            assertThat(call.get().covers(clock.millis())).isTrue();
        }
        lease.release(0);
    }

    /** What the store has answered is no outage. */
    @Test
    @Timeout(30)
    void aCallerThatIsRefusedDoesNotWait() {
        SlowClock clock = new SlowClock();
        Lease lease = Lease.open(store(new SlowClock()), terms(60_000), clock, closing);
        Grant spent = lease.current();
        clock.move(Duration.ofHours(3));

        assertThatThrownBy(() -> lease.await(spent))
                .hasMessageContaining(". The local clock must be near the store's: ");
        lease.release(0);
    }

    @Test
    @Timeout(60)
    void duringALongOutageOnlyWhoTriesTheStoreWaitsForIt() throws InterruptedException {
        Lease lease = Lease.open(store, impatient(1_000), InstantSource.system(), closing);
        store.down(true);
        Grant last = lease.current();
        Await.until("the window ends", () -> !lease.current().covers(System.currentTimeMillis()), lease::current);
        CountDownLatch answers = store.hang();
        store.awaitCaller();

        for (int caller = 0; caller < 20; caller++) {
            assertThatThrownBy(() -> lease.await(last)).hasMessageEndingWith(". memory said: connection refused");
            // So that the last failure is an old one.
            Thread.sleep(50);
        }
        store.down(false);
        answers.countDown();
        Await.until("it is renewed", () -> lease.current().covers(System.currentTimeMillis()), lease::current);
        lease.release(0);
    }

    @Test
    void callersWaitForAWindowThatIsBeingRenewed() {
        SlowClock clock = new SlowClock();
        Lease lease = Lease.open(store(clock), terms(60_000), clock, closing);
        Grant spent = lease.current();
        clock.move(Duration.ofHours(3));

        assertThat(lease.await(spent).until()).isEqualTo(clock.millis() + 60_000);
        lease.release(0);
    }

    @Test
    void anInterruptEndsTheWait() {
        Lease lease = open(60_000);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> lease.await(lease.current()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for a window: worker=0");
        assertThat(Thread.interrupted()).isTrue();
        lease.release(0);
    }

    @Test
    void whatIsKnownOfALeaseIsReadWithoutTheStore() {
        SlowClock clock = new SlowClock();
        MemoryStore ahead = store(() -> clock.instant().plusMillis(700));
        Lease lease = Lease.open(ahead, impatient(60_000), clock, closing);
        int reads = ahead.reads();
        WorkerStatistics well = lease.statistics(clock.instant());
        assertThat(well.number()).isZero();
        assertThat(well.until()).contains(clock.instant().plusSeconds(60));
        assertThat(well.left()).contains(Duration.ofSeconds(60));
        assertThat(well.clockOffset().orElseThrow()).isBetween(Duration.ofMillis(-5_700), Duration.ofMillis(-700));
        assertThat(well.failure()).isEmpty();
        assertThat(ahead.reads()).isEqualTo(reads);

        ahead.down(true);
        clock.move(Duration.ofSeconds(61));
        assertThatThrownBy(() -> lease.await(lease.current())).isInstanceOf(IdUnavailableException.class);
        Await.until(
                "the store was tried",
                () -> lease.statistics(clock.instant()).failure().isPresent());
        WorkerStatistics over = lease.statistics(clock.instant());
        assertThat(over.left()).contains(Duration.ofSeconds(-1));
        assertThat(over.failure()).contains("memory said: connection refused");
        lease.release(0);
    }

    @Test
    void whoWaitsForAWindowThatIsNotDueIsTold() {
        Lease lease = Lease.open(store, impatient(60_000), InstantSource.system(), closing);

        assertThatThrownBy(() -> lease.await(lease.current()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageEndingWith(". no answer within 50 ms from memory");
        lease.release(0);
    }

    @Test
    void callersWaitAsLongAsTheMostPatientUserOfTheLease() {
        Lease lease = Lease.open(store, impatient(60_000), InstantSource.system(), closing);
        lease.allowWait(Duration.ofMillis(120));
        lease.allowWait(Duration.ofMillis(70));

        assertThatThrownBy(() -> lease.await(lease.current()))
                .hasMessageEndingWith(". no answer within 120 ms from memory");
        lease.release(0);
    }

    @Test
    void aReleasedLeaseHandsBackAndRefuses() {
        Lease lease = open(60_000);
        Grant grant = lease.current();
        lease.release(grant.from() + 5);

        assertThat(store.row(0).reservedUntil()).isEqualTo(grant.from() + 5);
        assertThat(store.isClosed()).isTrue();
        assertThatThrownBy(() -> lease.await(grant))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: worker=0");
    }

    @Test
    void aStartWaitsForTheWindowOfADeadOwnerToEnd() {
        long until = System.currentTimeMillis() + 700;
        store.put(new WorkerRow(0, "app1", until, "a"));
        LeaseTerms one =
                new LeaseTerms(new LeaseProtocol(1_000, 0, 0, false), Duration.ofMillis(250), PATIENCE, PATIENCE);
        Lease lease = Lease.open(store, one, InstantSource.system(), closing);

        assertThat(lease.current().from()).isBetween(until, System.currentTimeMillis());
        lease.release(0);
    }

    @Test
    void aStartWaitsNoLongerThanItMay() {
        store.put(new WorkerRow(0, "app1", Long.MAX_VALUE, "a"));
        LeaseTerms one = new LeaseTerms(
                new LeaseProtocol(1_000, 0, 0, false), Duration.ofMillis(250), Duration.ofMillis(100), PATIENCE);

        assertThatThrownBy(() -> Lease.open(store, one, InstantSource.system(), closing))
                .hasMessageStartingWith("The worker number is taken: 0 of memory. ");
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aStartThatIsNotWantedAnyMoreWaitsNoLonger() {
        store.put(new WorkerRow(0, "app1", Long.MAX_VALUE, "a"));
        LeaseTerms patient = new LeaseTerms(
                new LeaseProtocol(3_600_000, 0, 0, false), Duration.ofMillis(250), Duration.ofHours(1), PATIENCE);
        closing.countDown();

        assertThatThrownBy(() -> Lease.open(store, patient, InstantSource.system(), closing))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed, while it waited for a worker number."
                        + " The worker number is taken: 0 of memory. ");
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    void aStartWithoutStoreFails() {
        store.down(true);

        assertThatThrownBy(() -> open(1_000))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No worker number can be leased: memory said: connection refused");
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    void aBurntNumberNeedsTheStoreAtTheStartOnly() {
        LeaseTerms singleUse =
                new LeaseTerms(new LeaseProtocol(1_000, 0, 3, true), Duration.ofMillis(250), Duration.ZERO, PATIENCE);
        Lease lease = Lease.open(store, singleUse, InstantSource.system(), closing);

        int reads = store.reads();
        store.down(true);
        assertThat(lease.current().until()).isEqualTo(Long.MAX_VALUE);
        lease.release(0);
        assertThat(store.reads()).isEqualTo(reads);
        assertThat(store.isClosed()).isTrue();
        assertThat(store.row(0).reservedUntil()).isEqualTo(Long.MAX_VALUE);
    }

    private static final class SlowClock implements InstantSource {

        private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");

        void move(Duration by) {
            now = now.plus(by);
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private static MemoryStore store(InstantSource clock) {
        return new MemoryStore(clock);
    }

    private Lease open(long window) {
        return Lease.open(store, terms(window), InstantSource.system(), closing);
    }

    private static LeaseTerms terms(long window) {
        return terms(window, PATIENCE);
    }

    private static LeaseTerms impatient(long window) {
        return terms(window, Duration.ofMillis(50));
    }

    private static LeaseTerms terms(long window, Duration callerTimeout) {
        return new LeaseTerms(
                new LeaseProtocol(window, 0, 3, false), Duration.ofMillis(window / 4), Duration.ZERO, callerTimeout);
    }
}
