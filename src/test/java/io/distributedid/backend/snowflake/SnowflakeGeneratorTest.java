package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowflakeGeneratorTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final Duration AHEAD = Duration.ofMillis(100);

    private final IdLayout layout = LayoutParser.parse("time:41, worker:10, sequence:12", EPOCH);

    private final IdLayout seconds = LayoutParser.parse("time(s):32, business:3, worker:8, sequence:4", EPOCH);

    private final SettableClock clock = new SettableClock(EPOCH.plusSeconds(86_400));

    private final SplittableRandom random = new SplittableRandom(42);

    @Test
    void anIdHoldsTimeWorkerAndSequence() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        DecodedId id = layout.decode(generator.next(0));

        assertThat(id.time()).contains(clock.instant());
        assertThat(id.field("worker")).isEqualTo(7);
        assertThat(id.field("sequence")).isBetween(0L, 4095L);
    }

    @Test
    void aBlockHasConsecutiveIdsOfOneTick() {
        IdLayout middle = LayoutParser.parse("time:41, sequence:12, worker:10", EPOCH);
        SnowflakeGenerator generator = generator(middle, AHEAD, Duration.ZERO, bound -> bound - 1);
        clock.move(AHEAD.plusMillis(2));
        Block block = generator.nextBlock(0, 100);
        long single = generator.next(0);

        assertThat(block.count()).isEqualTo(100);
        assertThat(middle.decode(block.first()).time()).contains(clock.instant());
        assertThat(middle.decode(block.first()).field("sequence"))
                .as("the last place with room for all")
                .isEqualTo(4096 - 100);
        assertThat(middle.decode(block.last()))
                .isEqualTo(middle.decode(block.first() + 99 * middle.place(IdField.SEQUENCE, 1)));
        assertThat(middle.decode(block.last()).time()).contains(clock.instant());
        assertThat(middle.decode(block.last()).field("worker")).isEqualTo(7);
        assertThat(single).isGreaterThan(block.last());
        assertThat(generator.statistics().issued()).isEqualTo(101);
    }

    @Test
    void aBlockEndsWithItsTick() {
        SnowflakeGenerator generator = started(Duration.ZERO);

        assertThat(generator.nextBlock(0, 10_000).count()).isEqualTo(4096);
        assertThat(generator.nextBlock(0, 10_000).count()).as("the next tick").isEqualTo(4096);
        assertThat(generator.nextBlock(0, 96).count()).isEqualTo(96);
        assertThat(generator.nextBlock(0, 10_000).count()).isEqualTo(4000);
    }

    @Test
    void tryNextReturnsNothingWhenNextWouldWait() {
        SnowflakeGenerator generator = started(Duration.ofSeconds(1));
        assertThat(generator.tryNext(0)).isPositive();
        clock.move(Duration.ofMillis(-900));

        assertThat(generator.tryNext(0)).isZero();
        assertThat(generator.statistics().waits()).isZero();
        clock.move(Duration.ofMillis(900));
        assertThat(generator.tryNext(0)).isPositive();
        generator.close();
        assertThat(generator.tryNext(0)).isZero();
        assertThatThrownBy(() -> generator.nextBlock(0, 1)).isInstanceOf(IdUnavailableException.class);
    }

    @Test
    void anIdHoldsTheFieldsItIsGiven() {
        SnowflakeGenerator generator = generator(seconds, AHEAD, Duration.ZERO, bound -> 3);
        clock.move(Duration.ofSeconds(3));

        assertThat(seconds.decode(generator.next(seconds.place(IdField.BUSINESS, 5))))
                .hasToString(seconds.compose(86_403, 3, 5L << 12 | 7 << 4)
                        + " (2024-01-02T00:00:03Z, business=5, worker=7, sequence=3)");
        assertThat(seconds.decode(generator.next(seconds.place(IdField.BUSINESS, 2)))
                        .fields())
                .containsEntry("business", 2L)
                .containsEntry("sequence", 4L);
    }

    @Test
    void whyTheNextCallWouldFailIsKnownBefore() {
        SnowflakeGenerator generator = started(Duration.ofSeconds(1));
        generator.next(0);
        assertThat(generator.statistics().refusal()).isEmpty();
        clock.move(Duration.ofMillis(-900));
        assertThat(generator.statistics().refusal()).as("callers wait").isEmpty();

        clock.move(Duration.ofSeconds(-10));
        String refusal = generator.statistics().refusal().orElseThrow();
        assertThat(refusal).startsWith("The clock went back and ids are refused until it is right again: it is ");
        assertThat(refusal).contains("do not restart");
        assertThatThrownBy(() -> generator.next(0)).hasMessage(refusal);
        assertThat(generator.statistics().issued()).isEqualTo(1);
        assertThat(generator.statistics().waits()).isZero();
    }

    @Test
    void theFirstIdLiesAboveAllThatAPredecessorKilledJustNowCanHaveBorrowed() {
        SnowflakeGenerator generator = generator(Duration.ZERO);
        clock.move(Duration.ofMillis(1));

        assertThat(layout.decode(generator.next(0)).time())
                .contains(clock.instant().plus(AHEAD));
    }

    @Test
    void whereThePredecessorIsKnownTheFirstIdHasTheClocksTime() {
        SnowflakeGenerator generator = generator(worker(7, clock.millis(), Long.MAX_VALUE));

        assertThat(layout.decode(generator.next(0)).time()).contains(clock.instant());
    }

    @Test
    void theFirstIdLiesOneUnitAboveAllThatAPredecessorCanHaveBorrowed() {
        SnowflakeGenerator generator = generator(layout, AHEAD, Duration.ZERO, bound -> 0);
        assertThat(generator.tryNext(0)).isZero();
        clock.move(Duration.ofMillis(1));

        assertThat(layout.decode(generator.tryNext(0)).time())
                .contains(clock.instant().plus(AHEAD));
    }

    @Test
    void anIdIsNoOlderThanTheClockThoughARangeIsLeft() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        for (int i = 0; i < 10; i++) {
            generator.next(0);
        }
        clock.move(Duration.ofMillis(1));

        assertThat(layout.decode(generator.next(0)).time()).contains(clock.instant());
    }

    @Test
    void whatIsLeftOfARangeIsUsedWhileItIsAheadOfTheClock() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long last = 0;
        for (int i = 0; i < 2 * 4096 + 1; i++) {
            last = generator.next(0);
        }
        clock.move(Duration.ofMillis(1));

        assertThat(generator.next(0)).isEqualTo(last + 1);
    }

    @Test
    void whatIsLeftOfARangeBelowAnExistingIdIsNotGiven() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long last = 0;
        for (int i = 0; i < 2 * 4096 + 10; i++) {
            last = generator.next(0);
        }
        long tick = layout.tick(clock.millis()) + 50;

        generator.startAbove(tick);
        long next = generator.next(0);
        clock.move(Duration.ofMillis(-10));
        long afterTheClockWentBack = generator.next(0);

        assertThat(layout.decode(last).time().orElseThrow())
                .isBefore(clock.instant().plusMillis(50));
        assertThat(layout.tick(layout.time().instant(next).toEpochMilli())).isEqualTo(tick + 1);
        assertThat(afterTheClockWentBack).isEqualTo(next + 1);
        assertThat(generator.statistics().issued()).isEqualTo(2 * 4096 + 12);
    }

    @Test
    void aFloorOpensNoClosedGenerator() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        generator.next(0);
        generator.close();

        generator.startAbove(layout.tick(clock.millis()));

        assertThat(generator.tryNext(0)).isZero();
    }

    @Test
    void blocksOfOneDiffer() {
        SnowflakeGenerator generator = generator(layout, AHEAD, Duration.ZERO, bound -> 0);
        clock.move(AHEAD.plusMillis(2));
        long first = generator.nextBlock(0, 1).first();

        assertThat(layout.decode(first).field("sequence")).isZero();
        assertThat(generator.nextBlock(0, 1).first()).isEqualTo(first + 1);
    }

    @Test
    void theLastIdThatMayBeBorrowedIs() {
        for (boolean asBlock : new boolean[] {false, true}) {
            SnowflakeGenerator generator = generator(layout, Duration.ZERO, Duration.ZERO, bound -> 0);
            clock.move(AHEAD.plusMillis(2));
            assertThat(generator.nextBlock(0, 4096).count()).isEqualTo(4096);
            long next = generator.nextBlock(0, 4095).first();
            long last = next + 4095;

            assertThat(asBlock ? generator.nextBlock(0, 1).first() : generator.tryNext(0))
                    .isEqualTo(last);
            assertThat(generator.tryNext(0)).isZero();
        }
    }

    @Test
    void theLastTickOfALayoutIsNoReasonToRefuse() {
        IdLayout small = LayoutParser.parse("time:20, worker:10, sequence:2", EPOCH);
        clock.move(Duration.between(clock.instant(), EPOCH).plusMillis((1 << 20) - 1));
        SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(), small, worker(1_023, 0, Long.MAX_VALUE), clock, AHEAD, Duration.ZERO, bound -> 0);
        assertThat(generator.statistics().refusal()).isEmpty();
        clock.move(Duration.ofMillis(1));

        assertThat(generator.statistics().refusal())
                .hasValueSatisfying(text -> assertThat(text).startsWith("The layout has run out of time: "));
    }

    /**
     * Pearson's chi-square of 100,000 ids, one a millisecond, against the value exceeded by chance once in a thousand
     * runs.
     */
    @ParameterizedTest
    @CsvSource({"2, 10.83", "4, 16.27", "8, 24.32", "16, 37.70", "32, 61.10", "64, 103.44", "10, 27.88"})
    void remaindersOfIdsAreEvenAtALowRate(int divisor, double chance) {
        assertThat(chiSquare(divisor, random::nextLong)).isLessThan(chance);
    }

    /** What others do, and why their shards fill unevenly. */
    @Test
    void remaindersOfASequenceThatBeginsAtZeroAreNot() {
        assertThat(chiSquare(10, bound -> 0)).isGreaterThan(1_000);
    }

    private double chiSquare(int divisor, LongUnaryOperator sequence) {
        SnowflakeGenerator generator = generator(layout, AHEAD, Duration.ZERO, sequence);
        clock.move(AHEAD.plusMillis(2));
        int ids = 100_000;
        long[] counts = new long[divisor];
        for (int i = 0; i < ids; i++) {
            clock.move(Duration.ofMillis(1));
            counts[(int) (generator.next(0) % divisor)]++;
        }
        double expected = (double) ids / divisor;
        double sum = 0;
        for (long count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }

    @Test
    void aBurstBorrowsTimeAndStaysAscending() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long last = 0;
        for (int i = 0; i < 100 * 4096; i++) {
            long id = generator.next(0);
            assertThat(id).isGreaterThan(last);
            last = id;
        }

        assertThat(layout.time().instant(last))
                .isBetween(clock.instant().plusMillis(99), clock.instant().plus(AHEAD));
    }

    @Test
    void aBurstBorrowsOneUnitIfThatIsMoreThanTheBound() {
        SnowflakeGenerator generator = generator(seconds, AHEAD, Duration.ZERO, bound -> 0);
        clock.move(Duration.ofSeconds(3));
        long last = 0;
        for (int i = 0; i < 32; i++) {
            last = generator.next(0);
        }

        assertThat(seconds.decode(last).fields()).containsEntry("sequence", 15L);
        assertThat(seconds.time().instant(last)).isEqualTo(clock.instant().plusSeconds(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for the clock: 1000 ms short of the next id");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aClockSetBackByLessThanTheBurstBoundIsNotNoticed() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long before = generator.next(0);
        clock.move(Duration.ofMillis(-99));

        assertThat(generator.next(0)).isEqualTo(before + 1);
    }

    @Test
    void aClockSetBackFurtherIsRefusedUntilItIsRightAgain() {
        SnowflakeGenerator generator = started(Duration.ofSeconds(1));
        long before = generator.next(0);
        clock.move(Duration.ofHours(-1));

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The clock went back and ids are refused until it is right again: it is 3600000 ms behind"
                        + " the last"
                        + " id of this worker number, clock=" + clock.instant()
                        + ". Correct the clock, and do not restart: a restart forgets the last id, unless the number is"
                        + " leased or has a state file. Allowed: 100 ms (distributedid.snowflake.max_ahead) and waiting"
                        + " for up to 1000 ms more (distributedid.snowflake.clock_tolerance)"
                        + Pages.onCall("clock-back"));
        clock.move(Duration.ofHours(1));
        assertThat(generator.next(0)).isGreaterThan(before);
    }

    @Test
    void aClockSetBackWithinTheToleranceIsWaitedFor() throws Exception {
        SnowflakeGenerator generator = started(Duration.ofMinutes(1));
        long before = generator.next(0);
        clock.move(Duration.ofSeconds(-10));
        long[] after = {0};
        Thread waiting = new Thread(() -> after[0] = generator.next(0));
        waiting.start();
        Await.until(
                "the caller waits for the clock",
                () -> waiting.getState() == Thread.State.TIMED_WAITING,
                waiting::getState);
        clock.move(Duration.ofSeconds(10));
        waiting.join();

        assertThat(after[0]).isGreaterThan(before);
        assertThat(generator.statistics().waits()).isOne();
        assertThat(generator.statistics().waitTime()).isPositive();
    }

    @Test
    void aBlockWaitsForTheClockTooAndItsWaitIsCounted() throws Exception {
        SnowflakeGenerator generator = started(Duration.ofMinutes(1));
        Block before = generator.nextBlock(0, 10);
        clock.move(Duration.ofSeconds(-10));
        CompletableFuture<Block> after = CompletableFuture.supplyAsync(() -> generator.nextBlock(0, 10));
        Await.until(
                "the caller waits for the clock", () -> generator.statistics().waits() == 1);
        clock.move(Duration.ofSeconds(10));

        assertThat(after.get().first()).isGreaterThan(before.last());
        assertThat(generator.statistics().waits()).isOne();
        assertThat(generator.statistics().waitTime()).isPositive();
    }

    /** The next id lies a millisecond ahead of the clock, and is possible once the clock is 100 ms behind it. */
    @Test
    void theToleranceAndOneUnitMoreAreWaitedForAndNoMore() {
        SnowflakeGenerator generator = started(Duration.ofSeconds(1));
        assertThat(generator.nextBlock(0, 4096).count()).as("all of a tick").isEqualTo(4096);
        clock.move(Duration.ofMillis(-(100 + 1_000)));
        assertThat(generator.statistics().refusal()).isEmpty();

        clock.move(Duration.ofMillis(-1));

        assertThat(generator.statistics().refusal())
                .hasValueSatisfying(
                        text -> assertThat(text)
                                .startsWith(
                                        "The clock went back and ids are refused until it is right again: it is 1102 ms behind"));
    }

    @Test
    void whatIsAllowedIsSaidInMilliseconds() {
        SnowflakeGenerator generator = generator(seconds, AHEAD, Duration.ZERO, bound -> 3);
        clock.move(Duration.ofSeconds(10));
        generator.next(0);
        clock.move(Duration.ofSeconds(-10));

        assertThat(generator.statistics().refusal())
                .hasValueSatisfying(
                        text -> assertThat(text).contains("Allowed: 1000 ms (distributedid.snowflake.max_ahead)"));
    }

    @Test
    void theFirstMillisecondOfTheEpochIsNotBeforeIt() {
        SnowflakeGenerator generator = started(Duration.ofDays(2));
        clock.move(Duration.between(clock.instant(), EPOCH));
        assertThat(generator.statistics().refusal()).isEmpty();

        clock.move(Duration.ofMillis(-1));

        assertThat(generator.statistics().refusal())
                .hasValueSatisfying(text -> assertThat(text).startsWith("The clock is before the epoch: "));
    }

    @Test
    void anInterruptEndsTheWait() {
        SnowflakeGenerator generator = started(Duration.ofMinutes(1));
        generator.next(0);
        clock.move(Duration.ofSeconds(-10));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for the clock: 9900 ms short of the next id");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aClockBeforeTheEpochIsRefused() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        clock.move(Duration.ofSeconds(-90_000));

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The clock is before the epoch: ");
    }

    @Test
    void whenTheTimeFieldIsFullIdsAreExhausted() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        clock.move(Duration.ofMillis(1L << 41));

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessage("The layout has run out of time: time(ms):41, worker:10, sequence:12 from"
                        + " 2024-01-01T00:00:00Z until"
                        + " 2093. Move to a layout with more bits of time" + Pages.onCall("layout"));
        clock.move(Duration.ofDays(1_000_000));
        assertThatThrownBy(() -> generator.next(0)).isInstanceOf(IdsExhaustedException.class);
    }

    @Test
    void theLastTickOfALayoutIsUsedToItsEnd() {
        IdLayout small = LayoutParser.parse("time:20, worker:10, sequence:2", EPOCH);
        clock.move(Duration.between(clock.instant(), EPOCH).plusMillis((1 << 20) - 1));
        SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(), small, worker(1_023, 0, Long.MAX_VALUE), clock, AHEAD, Duration.ZERO, bound -> 3);

        assertThat(generator.next(0)).isEqualTo(small.time().maxId());
        assertThatThrownBy(() -> generator.next(0)).isInstanceOf(IdsExhaustedException.class);
    }

    @Test
    void aClosedGeneratorRefusesAndSaysHowFarItCame() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        generator.next(0);

        assertThat(generator.close()).isEqualTo(clock.millis() + 1);
        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: worker=7");
    }

    @Test
    void whatIsUnusedLiesInTheLastWindow() {
        SettableWorker worker = worker(7, clock.millis(), clock.millis() + 10);
        SnowflakeGenerator generator = generator(worker);
        generator.next(0);
        worker.set(new Worker.Window(9, clock.millis() + 50, clock.millis() + 100));

        assertThat(generator.close()).isEqualTo(clock.millis() + 50);
        assertThat(generator(worker(7, clock.millis() + 3, Long.MAX_VALUE)).close())
                .isEqualTo(clock.millis() + 3);
    }

    @Test
    void aSuccessorBeginsAboveItsPredecessorEvenIfTheClockWentBack() {
        SnowflakeGenerator predecessor = started(Duration.ZERO);
        long before = predecessor.next(0);
        long unused = predecessor.close();
        clock.move(Duration.ofHours(-1));
        SnowflakeGenerator successor = generator(worker(7, unused, Long.MAX_VALUE));

        assertThatThrownBy(() -> successor.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("it is 3600001 ms behind the last id of this worker number");
        clock.move(Duration.ofHours(1).plusMillis(1));
        assertThat(successor.next(0)).isGreaterThan(before);
    }

    @Test
    void noIdLiesOutsideOfTheWindow() {
        SettableWorker worker = worker(7, clock.millis() - 5, clock.millis() + 2);
        SnowflakeGenerator generator = generator(worker);
        while (layout.time().instant(generator.next(0)).isBefore(clock.instant().plusMillis(1))) {
            assertThat(worker.asked()).isZero();
        }
        for (int i = 0; i < 4_096; i++) {
            try {
                assertThat(layout.time().instant(generator.next(0)))
                        .isEqualTo(clock.instant().plusMillis(1));
            } catch (IdUnavailableException e) {
                assertThat(e).hasMessage("The store is away");
            }
        }

        assertThat(worker.asked()).isPositive();
    }

    @Test
    void aRenewedWindowIsUsedAtOnce() {
        SettableWorker worker = worker(7, clock.millis(), clock.millis() + 1);
        SnowflakeGenerator generator = generator(worker);
        generator.next(0);
        clock.move(Duration.ofMillis(1));
        worker.willRenewTo(new Worker.Window(7, clock.millis() - 1, clock.millis() + 1));

        assertThat(layout.time().instant(generator.next(0))).isEqualTo(clock.instant());
        assertThat(worker.asked()).isEqualTo(1);
    }

    /** After a long pause the old window is over; the process got another number meanwhile. */
    @Test
    void anotherWindowMayHaveAnotherNumber() {
        SettableWorker worker = worker(7, clock.millis(), clock.millis() + 10);
        SnowflakeGenerator generator = generator(worker);
        long before = generator.next(0);
        clock.move(Duration.ofHours(1));
        worker.set(new Worker.Window(9, clock.millis() + 50, clock.millis() + 100));
        DecodedId after = layout.decode(generator.next(0));

        assertThat(after.time()).contains(clock.instant().plusMillis(50));
        assertThat(after.field("worker")).isEqualTo(9);
        assertThat(after.id()).isGreaterThan(before);
    }

    @Test
    void numberAndTimeOfAnIdComeFromOneWindow() {
        SettableWorker worker = worker(7, clock.millis(), clock.millis() + 10);
        SnowflakeGenerator generator =
                new SnowflakeGenerator(Snowflakes.waits(), layout, worker, clock, AHEAD, Duration.ZERO, bound -> {
                    worker.set(new Worker.Window(9, clock.millis() + 10, clock.millis() + 20));
                    return 0;
                });

        assertThat(layout.decode(generator.next(0)).field("worker")).isEqualTo(7);
    }

    @Test
    void idsThatWereReservedKeepTheNumberOfTheirWindow() {
        SettableWorker worker = worker(7, clock.millis(), clock.millis() + 10);
        SnowflakeGenerator generator = generator(worker);
        long first = generator.next(0);
        long second = generator.next(0);
        worker.set(new Worker.Window(9, clock.millis(), clock.millis() + 10));

        assertThat(generator.next(0)).isEqualTo(second + 1).isEqualTo(first + 2);
        assertThat(layout.decode(generator.next(0)).field("worker")).isEqualTo(9);
    }

    @Test
    void aWindowThatBeginsFarAheadOfTheClockIsRefused() {
        SnowflakeGenerator generator = generator(worker(7, clock.millis() + 60_000, Long.MAX_VALUE));

        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("it is 60000 ms behind the last id of this worker number");
    }

    @Test
    void aTickBelongsToTheWindowInWhichItBegins() {
        SettableWorker worker = worker(7, clock.millis() + 1, clock.millis() + 2_001);
        SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(), seconds, worker, clock, Duration.ofSeconds(2), Duration.ZERO, bound -> 15);

        assertThat(seconds.time().instant(generator.next(0)))
                .isEqualTo(clock.instant().plusSeconds(1));
        assertThat(seconds.time().instant(generator.next(0)))
                .isEqualTo(clock.instant().plusSeconds(2));
        clock.move(Duration.ofSeconds(3));
        assertThatThrownBy(() -> generator.next(0)).hasMessage("The store is away");
    }

    /** A generator that is past the first ticks, which it leaves to a predecessor. */
    private SnowflakeGenerator started(Duration tolerance) {
        SnowflakeGenerator generator = generator(tolerance);
        clock.move(AHEAD.plusMillis(2));
        return generator;
    }

    private SnowflakeGenerator generator(Duration tolerance) {
        return generator(layout, AHEAD, tolerance, random::nextLong);
    }

    private SnowflakeGenerator generator(
            IdLayout of, Duration maxAhead, Duration tolerance, LongUnaryOperator sequence) {
        Worker worker = FixedWorker.startingAt(7, clock.millis(), clock.millis());
        return new SnowflakeGenerator(Snowflakes.waits(), of, worker, clock, maxAhead, tolerance, sequence);
    }

    private SnowflakeGenerator generator(Worker worker) {
        return new SnowflakeGenerator(
                Snowflakes.waits(), layout, worker, clock, AHEAD, Duration.ZERO, random::nextLong);
    }

    private static SettableWorker worker(long number, long from, long until) {
        return new SettableWorker(new Worker.Window(number, from, until));
    }
}
