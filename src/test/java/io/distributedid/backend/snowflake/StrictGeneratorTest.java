package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.tenure.FakeTenureStore;
import io.distributedid.internal.tenure.Tenure;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CallLedger;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.Together;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StrictGeneratorTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final IdLayout LAYOUT = LayoutParser.parse("time:41, sequence:22", EPOCH);

    /** A day after the epoch. */
    private static final long TICK = Duration.ofDays(1).toMillis();

    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final int SEQUENCE_BITS = 22;

    private final SettableClock clock = new SettableClock(EPOCH.plusMillis(TICK));

    private final AtomicLong ahead = new AtomicLong();

    private final FakeTenureStore.Row row = new FakeTenureStore.Row();

    private final AtomicLong latestBound = new AtomicLong(Long.MAX_VALUE);

    private final FakeTenureStore store = new FakeTenureStore(row);

    /** Done once, at the next check of the lease. */
    private Runnable beforeCheck = () -> {};

    private Runnable atEachCheck = () -> {};

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

    private long nanoTime() {
        return System.nanoTime() + ahead.get();
    }

    private long checkTime() {
        Runnable now = beforeCheck;
        beforeCheck = () -> {};
        now.run();
        atEachCheck.run();
        return nanoTime();
    }

    /** The tenure begins at 0 and ends so long after the clock. */
    private StrictGenerator generator(IdLayout layout, Duration room, LongUnaryOperator random) {
        return generator(layout, clock.millis() + room.toMillis(), Duration.ofSeconds(2), random);
    }

    private StrictGenerator generator(IdLayout layout, long room, Duration timeout, LongUnaryOperator random) {
        store.room(room);
        tenure = Tenure.open(store, new Tenure.Terms(LEASE, timeout, "first"), this::nanoTime);
        return new StrictGenerator(
                new WaitStatistics("orders", System::nanoTime, time -> {}),
                layout,
                tenure,
                latestBound::get,
                clock,
                this::checkTime,
                random);
    }

    private StrictGenerator generator() {
        return generator(LAYOUT, Duration.ofSeconds(60), bound -> 5);
    }

    @Test
    void theFirstIdOfATickHasTheClocksTimeAndARandomSequence() {
        StrictGenerator generator = generator();

        assertThat(generator.next()).isEqualTo(TICK << SEQUENCE_BITS | 5);
        assertThat(generator.next()).isEqualTo(TICK << SEQUENCE_BITS | 6);
        clock.move(Duration.ofMillis(3));
        assertThat(generator.next()).isEqualTo(TICK + 3 << SEQUENCE_BITS | 5);
    }

    @Test
    void idsGoOnByCountWhileTheClockLags() {
        StrictGenerator generator = generator();
        long id = generator.next();
        clock.move(Duration.ofHours(-3));

        assertThat(generator.next()).isEqualTo(id + 1);
        assertThat(generator.tryNext()).isEqualTo(id + 2);
    }

    @Test
    void aClockThatIsAheadOfTheBoundIsFollowedUpToTheBound() {
        StrictGenerator generator = generator();
        clock.move(Duration.ofDays(365));

        assertThat(generator.next()).isEqualTo(TICK + 60_000 - 1 << SEQUENCE_BITS | 5);
        assertThat(generator.next()).isEqualTo(TICK + 60_000 - 1 << SEQUENCE_BITS | 6);
    }

    @Test
    void aSequenceThatOverflowsCarriesIntoTheNextTick() {
        IdLayout narrow = LayoutParser.parse("time:41, sequence:2", EPOCH);
        StrictGenerator generator = generator(narrow, Duration.ofSeconds(60), bound -> bound - 1);

        assertThat(generator.next()).isEqualTo(TICK << 2 | 3);
        assertThat(generator.next()).isEqualTo(TICK + 1 << 2);
    }

    @Test
    void callersWithoutRoomWaitForARenewalThatGivesMore() {
        IdLayout narrow = LayoutParser.parse("time:41, sequence:2", EPOCH);
        StrictGenerator generator = generator(narrow, Duration.ofMillis(1), bound -> bound - 1);
        long last = generator.next();
        assertThat(generator.tryNext()).isZero();
        store.room(clock.millis() + 10);

        assertThat(generator.next()).isEqualTo(last + 1);
        assertThat(generator.statistics().waits()).isEqualTo(1);
    }

    @Test
    void callersAskForNoRenewalBeforeItWouldGiveRoom() throws Exception {
        IdLayout narrow = LayoutParser.parse("time:41, sequence:2", EPOCH);
        StrictGenerator generator = generator(narrow, Duration.ofMillis(1), bound -> bound - 1);
        long last = generator.next();
        latestBound.set(clock.millis() + 10);
        store.room(clock.millis() + 10);
        int writes = store.writes();
        CompletableFuture<Long> call = CompletableFuture.supplyAsync(generator::next);
        Await.until("it waits", () -> generator.statistics().waits() == 1, generator::statistics);
        assertThat(call).isNotDone();
        assertThat(store.writes()).isEqualTo(writes);
        latestBound.set(clock.millis() + 11);

        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(last + 1);
        assertThat(store.writes()).isEqualTo(writes + 1);
    }

    @Test
    void aCallFailsAtItsDeadlineIfTheStoresClockStandsStill() {
        IdLayout narrow = LayoutParser.parse("time:41, sequence:2", EPOCH);
        StrictGenerator generator = generator(narrow, Duration.ofMillis(1), bound -> bound - 1);
        generator.next();
        latestBound.set(clock.millis() + 1);

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The next id would be 10 ms too far ahead of the store's clock, so ids go on at"
                        + " 2024-01-02T00:00:00.010Z. Either clocks were set back, or more ids were asked for than the"
                        + " layout has room for. Check the store's clock. Layout: time(ms):41, sequence:2 from"
                        + " 2024-01-01T00:00:00Z until 2093");
    }

    /** The process before had a clock that was ahead by two hours, and the clocks are right again. */
    @Test
    @Timeout(60)
    void idsThatLieTooFarAheadOfTheStoresClockAreAnErrorAtOnceUntilItGetsThere() {
        long before = clock.millis() + Duration.ofHours(2).toMillis();
        row.content(new TenureRow("", before, LEASE.toNanos(), "before"));
        latestBound.set(clock.millis() + 20_000);
        // A wait would end the test.
        StrictGenerator generator = generator(LAYOUT, 0, Duration.ofHours(1), bound -> 5);
        String message = "The next id would be 7180010 ms too far ahead of the store's clock, so ids go on at"
                + " 2024-01-02T01:59:40.010Z. Either clocks were set back, or more ids were asked for than the layout"
                + " has room for. Check the store's clock. Layout: time(ms):41, sequence:22 from 2024-01-01T00:00:00Z"
                + " until 2093";

        try (LoggedWarnings warnings = LoggedWarnings.of(StrictGenerator.class)) {
            for (int call = 0; call < 3; call++) {
                assertThatThrownBy(generator::next)
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessage(message);
            }
            assertThat(warnings.messages()).containsExactly(message);
        }
        assertThat(generator.tryNext()).isZero();
        assertThat(generator.statistics().refusal()).contains(message);
        assertThat(generator.statistics().issued()).isZero();

        latestBound.set(before + 1_000);
        store.room(1_000);
        assertThat(generator.statistics().refusal()).isEmpty();
        assertThat(generator.next()).isEqualTo(TICK + Duration.ofHours(2).toMillis() << SEQUENCE_BITS | 5);
        assertThat(generator.statistics().refusal()).isEmpty();
    }

    @Test
    @Timeout(60)
    void aCallEndsAtItsDeadlineAlthoughRenewalsSucceed() {
        StrictGenerator generator = generator(LAYOUT, clock.millis() + 60_000, Duration.ofMillis(200), bound -> 5);
        atEachCheck = () -> ahead.addAndGet(LEASE.toNanos());

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageMatching("(No id was free within 200 ms, although the lease was renewed: time\\(ms\\):41,"
                        + " sequence:22 .*|The lease of the active process is not renewed yet: no answer within 200 ms"
                        + " from fake)");
    }

    @Test
    void anIdThatWasTakenWhenTheLeaseWasOverIsDropped() {
        StrictGenerator generator = generator();
        long first = generator.next();
        ahead.addAndGet(LEASE.toNanos());
        store.down(true);
        assertThat(generator.tryNext()).isZero();
        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The lease of the active process is not renewed yet: fake said: connection refused");
        store.down(false);
        AtomicLong next = new AtomicLong();
        Await.until("it is renewed", () -> next.addAndGet(generator.tryNext()) > 0, tenure::statistics);

        assertThat(next.get()).isGreaterThan(first + 1);
        assertThat(generator.statistics().issued()).isEqualTo(2);
    }

    @Test
    void anIdIsDroppedIfAnotherProcessTookOverBeforeTheCheck() {
        StrictGenerator sleeper = generator();
        other = Tenure.open(
                new FakeTenureStore(row), new Tenure.Terms(LEASE, Duration.ofSeconds(60), "second"), this::nanoTime);
        beforeCheck = () -> {
            // Else the first process may renew its lease before the other one looks.
            store.down(true);
            ahead.addAndGet(LEASE.multipliedBy(2).toNanos());
            Await.until("the other takes over", () -> other.current() != null, other::statistics);
            store.down(false);
        };

        assertThat(sleeper.tryNext()).isZero();
        assertThatThrownBy(sleeper::next).isInstanceOf(IdStandbyException.class).hasMessageContaining("active=second");
        assertThat(sleeper.statistics().issued()).isZero();
    }

    @Test
    void anIdIsGivenOnlyByACheckOfItsOwn() {
        StrictGenerator generator = generator();
        generator.next();
        beforeCheck = () -> ahead.addAndGet(LEASE.toNanos());

        assertThat(generator.tryNext()).isZero();
    }

    @Test
    void aStandbyProcessRefusesAtOnceAndSaysWhoIsActive() {
        FakeTenureStore first = new FakeTenureStore(row);
        other = Tenure.open(first, new Tenure.Terms(LEASE, Duration.ofSeconds(60), "http://ids1:8080"), this::nanoTime);
        StrictGenerator generator = generator();

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdStandbyException.class)
                .hasMessageStartingWith(
                        "This process is standby, and another one gives the ids:" + " active=http://ids1:8080, fake.");
        assertThat(generator.tryNext()).isZero();
        assertThat(generator.statistics().waits()).isZero();
        assertThat(generator.statistics().tenure().orElseThrow().isActive()).isFalse();
    }

    @Test
    void idsBeginAboveTheBoundOfTheProcessBefore() {
        FakeTenureStore before = new FakeTenureStore(row);
        before.room(clock.millis() + 5_000);
        Tenure.open(before, new Tenure.Terms(LEASE, LEASE, "before"), this::nanoTime)
                .release(clock.millis() + 2_000);
        StrictGenerator generator = generator();

        assertThat(generator.next()).isEqualTo(TICK + 2_000 << SEQUENCE_BITS | 5);
    }

    @Test
    void idsBeginAboveAnExistingOne() {
        StrictGenerator generator = generator();
        generator.startAbove(TICK + 500);

        assertThat(generator.next()).isEqualTo(TICK + 501 << SEQUENCE_BITS);
        assertThat(generator.unused()).isEqualTo(clock.millis() + 502);
    }

    @Test
    void aRaiseReturnsOnceASuccessorWouldBeginAboveIt() {
        StrictGenerator generator = generator(LAYOUT, Duration.ofMillis(10), bound -> 5);
        long first = generator.next();
        store.room(clock.millis() + 502);

        generator.raiseAbove(TICK + 500);

        assertThat(row.content().bound()).isEqualTo(clock.millis() + 502);
        assertThat(first).isLessThan(TICK + 1 << SEQUENCE_BITS);
        tenure.abandon();
        ahead.addAndGet(LEASE.multipliedBy(2).toNanos());
        FakeTenureStore next = new FakeTenureStore(row);
        next.room(1_000);
        other = Tenure.open(next, new Tenure.Terms(LEASE, Duration.ofSeconds(60), "second"), this::nanoTime);
        Await.until("it takes over", () -> takesOver(next), other::statistics);
        assertThat(other.current().from()).isEqualTo(clock.millis() + 502);
    }

    @Test
    void otherCallersGoOnWhileARaiseWaitsForTheStoresClock() throws Exception {
        StrictGenerator generator = generator(LAYOUT, clock.millis() + 10, Duration.ofSeconds(60), bound -> 5);
        latestBound.set(clock.millis() + 10);
        CountDownLatch looks = new CountDownLatch(3);
        atEachCheck = looks::countDown;
        CompletableFuture<Void> raise = CompletableFuture.runAsync(() -> generator.raiseAbove(TICK + 500));
        assertThat(looks.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(generator.tryNext()).isEqualTo(TICK << SEQUENCE_BITS | 5);
        assertThat(raise).isNotDone();

        store.room(clock.millis() + 502);
        latestBound.set(clock.millis() + 502);
        raise.get(60, TimeUnit.SECONDS);

        assertThat(generator.tryNext()).isEqualTo(TICK + 501 << SEQUENCE_BITS);
    }

    @Test
    @Timeout(60)
    void aRaiseTooFarAheadOfTheStoresClockFailsAtOnceAndIdsGoOn() {
        // A wait would end the test.
        StrictGenerator generator = generator(LAYOUT, clock.millis() + 10, Duration.ofHours(1), bound -> 5);
        latestBound.set(clock.millis() + 10);

        assertThatThrownBy(() -> generator.raiseAbove(TICK + Duration.ofHours(2).toMillis()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "A raise would put the next id 7199992 ms too far ahead of the store's clock: its time would"
                                + " be 2024-01-02T02:00:00.001Z, and a call waits for 3600000 ms at most"
                                + " (distributedid.block.timeout). Nothing was raised. Repeat the call at"
                                + " 2024-01-02T01:59:59.992Z, or check the store's clock. Layout: time(ms):41, sequence:22 from"
                                + " 2024-01-01T00:00:00Z until 2093");
        assertThat(generator.tryNext()).isEqualTo(TICK << SEQUENCE_BITS | 5);
    }

    /** The machine was suspended, so the store's clock is further than this process knows. */
    @Test
    @Timeout(60)
    void aRaiseAsksTheStoreBeforeItFailsBecauseOfTheClock() {
        // A wait would end the test.
        StrictGenerator generator = generator(LAYOUT, clock.millis() + 10, Duration.ofHours(1), bound -> 5);
        latestBound.set(clock.millis() + 10);
        long raised = Duration.ofHours(2).toMillis();
        store.beforeAnswer(() -> {
            latestBound.set(clock.millis() + raised + LEASE.toMillis());
            store.room(clock.millis() + raised + LEASE.toMillis());
        });

        generator.raiseAbove(TICK + raised);

        assertThat(generator.tryNext()).isEqualTo(TICK + raised + 1 << SEQUENCE_BITS);
    }

    @Test
    @Timeout(60)
    void aCallAsksTheStoreBeforeItFailsBecauseOfTheClock() {
        long before = clock.millis() + Duration.ofHours(2).toMillis();
        row.content(new TenureRow("", before, LEASE.toNanos(), "before"));
        latestBound.set(clock.millis() + 20_000);
        StrictGenerator generator = generator(LAYOUT, 0, Duration.ofHours(1), bound -> 5);
        store.beforeAnswer(() -> {
            latestBound.set(before + 1_000);
            store.room(1_000);
        });

        assertThat(generator.next()).isEqualTo(TICK + Duration.ofHours(2).toMillis() << SEQUENCE_BITS | 5);
    }

    @Test
    @Timeout(60)
    void callsThatFailBecauseOfTheClockAskTheStoreOnceForATermAndReserveNothing() {
        StrictGenerator generator = generator(LAYOUT, clock.millis() + 10, Duration.ofHours(1), bound -> 5);
        latestBound.set(clock.millis() + 10);
        int writes = store.writes();

        for (int call = 0; call < 3; call++) {
            assertThatThrownBy(() ->
                            generator.raiseAbove(TICK + Duration.ofHours(2).toMillis()))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("A raise would put the next id 7199992 ms too far ahead");
        }

        assertThat(store.writes()).isEqualTo(writes + 1);
        assertThat(generator.unused()).isLessThan(clock.millis() + 10);
    }

    /** The store has a bound below the raise: the one that was handed back when the generator closed. */
    @Test
    void aRaiseOfAGeneratorThatIsClosedMeanwhileIsAnError() {
        StrictGenerator generator = generator();
        generator.next();
        assertThat(generator.close()).isEqualTo(clock.millis() + 1);

        assertThatThrownBy(() -> generator.raiseAbove(TICK + 500))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed: time(ms):41, sequence:22");
    }

    /** A claimant waits for the lease from its first look on. */
    private boolean takesOver(FakeTenureStore next) {
        if (next.reads() > 0) {
            ahead.addAndGet(LEASE.toNanos());
        }
        return other.current() != null;
    }

    @Test
    void aRaiseBelowTheBoundAsksForNothing() {
        StrictGenerator generator = generator();
        int writes = store.writes();

        generator.raiseAbove(TICK + 59_998);

        assertThat(store.writes()).isEqualTo(writes);
        assertThat(generator.tryNext()).isEqualTo(TICK + 59_999 << SEQUENCE_BITS);
    }

    @Test
    void aRaiseThatTheStoreDoesNotNoteIsAnError() {
        StrictGenerator generator = generator(LAYOUT, Duration.ofMillis(10), bound -> 5);
        store.down(true);

        assertThatThrownBy(() -> generator.raiseAbove(TICK + 500))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The lease of the active process is not renewed yet: fake said: connection refused");
        assertThat(generator.tryNext()).isEqualTo(TICK << SEQUENCE_BITS | 5);
    }

    @Test
    void aStandbyProcessRefusesARaiseAndSaysWhoIsActive() {
        FakeTenureStore first = new FakeTenureStore(row);
        other = Tenure.open(first, new Tenure.Terms(LEASE, Duration.ofSeconds(60), "http://ids1:8080"), this::nanoTime);
        StrictGenerator generator = generator();

        assertThatThrownBy(() -> generator.raiseAbove(TICK + 500))
                .isInstanceOf(IdStandbyException.class)
                .hasMessageStartingWith(
                        "This process is standby, and another one gives the ids: active=http://ids1:8080, fake.");
        generator.startAbove(TICK + 500);
    }

    @Test
    void theUnusedTimeIsAboveTheLastId() {
        StrictGenerator generator = generator();
        generator.next();

        assertThat(generator.close()).isEqualTo(clock.millis() + 1);
        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed: time(ms):41, sequence:22");
    }

    @Test
    void theEndOfTheLayoutIsTheEnd() {
        IdLayout small = LayoutParser.parse("time:27, sequence:2", EPOCH);
        clock.move(Duration.ofMillis((1 << 27) - 1 - TICK));
        StrictGenerator generator = generator(small, Duration.ofSeconds(60), bound -> bound - 1);

        assertThat(generator.next()).isEqualTo((1L << 29) - 1);
        assertThatThrownBy(generator::next)
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessageStartingWith("The layout has run out of time: time(ms):27, sequence:2");
        assertThat(generator.statistics().refusal()).isPresent();
    }

    @Test
    void blocksAreRefused() {
        StrictGenerator generator = generator();

        assertThatThrownBy(() -> generator.nextBlock(10))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "Ids in strict order can't be taken as a block: count=10 of time(ms):41, sequence:22");
    }

    @Test
    void aLayoutWithOtherFieldsIsRefused() {
        assertThatThrownBy(() -> generator(Snowflakes.LAYOUT, LEASE, bound -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Strict ids must consist of time and sequence");
    }

    @Test
    void idsOfManyThreadsAreInOrderOfTheirCalls() throws Exception {
        StrictGenerator generator = generator();
        CallLedger ledger = new CallLedger();
        Together.run(8, number -> {
            for (int i = 0; i < 5_000; i++) {
                long begin = System.nanoTime();
                long id = generator.next();
                ledger.add(new CallLedger.Call(begin, System.nanoTime(), id, "first"));
                if (i % 100 == 0) {
                    clock.move(Duration.ofMillis(number % 2 == 0 ? 2 : -1));
                }
            }
            return null;
        });

        assertThat(ledger.disorder()).isEmpty();
        assertThat(ledger.distinct()).isEqualTo(40_000);
        assertThat(generator.statistics().issued()).isEqualTo(40_000);
    }
}
