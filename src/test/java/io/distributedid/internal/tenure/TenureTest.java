package io.distributedid.internal.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.tenure.FakeTenureStore.Answer;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tenure on the system's monotonic clock, with leases of a second. */
@Tag("slow")
class TenureTest {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FakeTenureStore.Row row = new FakeTenureStore.Row();

    private final FakeTenureStore store = new FakeTenureStore(row);

    private final FakeTenureStore otherStore = new FakeTenureStore(row);

    /** How far the clock of the first process is ahead of the system's. */
    private final AtomicLong ahead = new AtomicLong();

    private Tenure tenure;

    private Tenure other;

    @AfterEach
    void close() {
        if (tenure != null) {
            tenure.abandon();
        }
        if (other != null) {
            other.abandon();
        }
    }

    private Tenure open(FakeTenureStore at, String owner, Duration callerTimeout) {
        return Tenure.open(
                at,
                new Tenure.Terms(LEASE, callerTimeout, owner),
                () -> System.nanoTime() + (at == store ? ahead.get() : 0),
                BackgroundLoop.threads("distributedid-tenure"));
    }

    private void openBoth(Duration callerTimeout) {
        tenure = open(store, "first", callerTimeout);
        other = open(otherStore, "second", callerTimeout);
    }

    @Test
    void theFirstProcessIsActiveAndTheSecondIsStandby() {
        openBoth(PATIENCE);

        assertThat(tenure.current().from()).isZero();
        assertThat(tenure.statistics())
                .satisfies(now -> assertThat(now.isActive()).isTrue())
                .satisfies(now -> assertThat(now.active()).contains("first"))
                .satisfies(now -> assertThat(now.left().orElseThrow()).isBetween(Duration.ofMillis(1), LEASE))
                .satisfies(now -> assertThat(now.failure()).isEmpty());
        assertThat(other.current()).isNull();
        assertThat(other.statistics())
                .isEqualTo(new TenureStatistics(false, Optional.of("first"), Optional.empty(), 0, Optional.empty()));
        assertThatThrownBy(() -> await(other, null))
                .isInstanceOf(IdStandbyException.class)
                .hasMessage("This process is standby, and another one gives the ids: active=first, fake. Ask that"
                        + " process; if it stops, this one takes over")
                .satisfies(e -> assertThat(((IdStandbyException) e).active()).isEqualTo("first"));
    }

    @Test
    void theLeaseIsRenewedInTheBackground() {
        openBoth(PATIENCE);
        long end = tenure.current().end();
        Await.until(
                "it is renewed",
                () -> tenure.current().end() > end + LEASE.multipliedBy(2).toNanos(),
                tenure::current);

        assertThat(tenure.current().from()).isZero();
        assertThat(other.current()).isNull();
    }

    @Test
    void theStandbyTakesOverWhenTheActiveProcessIsGone() {
        openBoth(PATIENCE);
        tenure.abandon();
        Await.until("it takes over", () -> other.current() != null, other::statistics);

        assertThat(other.current().from()).isEqualTo(1_000);
        assertThat(other.statistics().takeovers()).isEqualTo(1);
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    void theStandbyTakesOverWhatWasHandedBack() {
        openBoth(PATIENCE);
        tenure.release(17);
        assertThat(row.content().isHandedBack() || row.content().owner().equals("second"))
                .isTrue();
        Await.until("it takes over", () -> other.current() != null, other::statistics);

        assertThat(other.current().from()).isEqualTo(17);
    }

    @Test
    void aCallerGetsTheTermThatIsRenewedForIt() {
        openBoth(PATIENCE);
        Term spent = tenure.current();
        store.room(5_000);

        assertThat(await(tenure, spent).bound()).isEqualTo(5_000);
    }

    @Test
    void callersWaitForARenewalThatIsLate() {
        tenure = open(store, "first", PATIENCE);
        store.down(true);
        Term spent = tenure.current();
        Await.until("the lease is over", () -> !spent.isValid(System.nanoTime()), tenure::statistics);
        CompletableFuture<Term> call = CompletableFuture.supplyAsync(() -> await(tenure, spent));
        Await.until("it failed", () -> tenure.statistics().failure().isPresent(), tenure::statistics);
        assertThat(tenure.statistics().left().orElseThrow()).isNegative();
        assertThat(call).isNotDone();
        store.down(false);

        assertThat(call.join().isValid(System.nanoTime())).isTrue();
        Await.until("it is well", () -> tenure.statistics().failure().isEmpty(), tenure::statistics);
    }

    private static Term await(Tenure tenure, Term spent) {
        return tenure.await(spent, System.nanoTime() + tenure.callerTimeout().toNanos());
    }

    @Test
    void callersGetTheReasonIfTheRenewalDoesNotComeInTime() {
        tenure = open(store, "first", Duration.ofMillis(100));
        store.down(true);
        Term spent = tenure.current();
        Await.until("the lease is over", () -> !spent.isValid(System.nanoTime()), tenure::statistics);

        assertThatThrownBy(() -> await(tenure, spent))
                .isInstanceOf(IdUnavailableException.class)
                .isNotInstanceOf(IdStandbyException.class)
                .hasMessage("The lease of the active process is not renewed yet: fake said: connection refused");
    }

    @Test
    void callersWaitAsLongAsTheMostPatientUserOfTheTenure() {
        tenure = open(store, "first", Duration.ofMillis(50));
        tenure.allowWait(Duration.ofMillis(120));
        tenure.allowWait(Duration.ofMillis(70));
        Term spent = tenure.current();
        CompletableFuture<Void> mayAnswer = new CompletableFuture<>();
        store.beforeAnswer(mayAnswer::join);

        assertThatThrownBy(() -> await(tenure, spent)).hasMessageEndingWith(": no answer within 120 ms from fake");
        mayAnswer.complete(null);
    }

    @Test
    void aStandbyThatCanNotTakeOverSaysWhy() {
        openBoth(PATIENCE);
        otherStore.down(true);
        Await.until("it failed", () -> other.statistics().failure().isPresent(), other::statistics);

        assertThatThrownBy(() -> await(other, null))
                .isInstanceOf(IdStandbyException.class)
                .hasMessageEndingWith("this one takes over, but for now it can't: fake said: connection refused");
    }

    @Test
    void aProcessThatLostTheStoreIsStandbyOnceItLooks() {
        openBoth(PATIENCE);
        store.down(true);
        Await.until("it takes over", () -> other.current() != null, other::statistics);
        store.down(false);
        Await.until("it looks", () -> tenure.current() == null, tenure::statistics);

        assertThat(tenure.statistics().active()).contains("second");
        assertThatThrownBy(() -> await(tenure, null)).isInstanceOf(IdStandbyException.class);
    }

    @Test
    void aTermIsOverByTheMonotonicClockAlone() {
        tenure = open(store, "first", PATIENCE);
        Term term = tenure.current();
        store.down(true);
        ahead.addAndGet(LEASE.toNanos());

        assertThat(term.isValid(System.nanoTime() + ahead.get())).isFalse();
        assertThat(tenure.statistics().left().orElseThrow()).isNegative();
        store.down(false);
        assertThat(await(tenure, term).isValid(System.nanoTime() + ahead.get())).isTrue();
    }

    @Test
    void aStartFailsIfTheRowCanNotBeRead() {
        store.down(true);

        assertThatThrownBy(() -> open(store, "first", PATIENCE))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Which process is active can't be read: fake said: connection refused");
        assertThat(store.isClosed()).isFalse();
    }

    @Test
    void aStartWhoseClaimHasNoAnswerFindsOutInTheBackground() {
        store.answer(Answer.LOST);
        tenure = open(store, "first", PATIENCE);

        assertThat(await(tenure, null).from()).isZero();
        assertThat(tenure.statistics().takeovers()).isEqualTo(1);
    }

    @Test
    void aStartThatMayNotClaimYetDoesSoLater() {
        store.refuse(true);
        tenure = open(store, "first", PATIENCE);
        assertThat(tenure.statistics().failure()).contains("The local clock must be near the store's: fake");
        store.refuse(false);

        assertThat(await(tenure, null).from()).isZero();
    }

    @Test
    void whoWaitsIsToldOfTheEnd() {
        tenure = open(store, "first", PATIENCE);
        store.down(true);
        Term spent = tenure.current();
        CompletableFuture<Term> call = CompletableFuture.supplyAsync(() -> await(tenure, spent));
        tenure.release(0);

        assertThatThrownBy(call::join)
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("The source of ids is closed: fake");
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    void anInterruptEndsTheWait() {
        tenure = open(store, "first", PATIENCE);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> await(tenure, tenure.current()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for the lease: fake");
        assertThat(Thread.interrupted()).isTrue();
    }
}
