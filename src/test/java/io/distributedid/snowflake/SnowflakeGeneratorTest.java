package io.distributedid.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SnowflakeGeneratorTest {

    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");

    private static final Duration AHEAD = Duration.ofMillis(100);

    private final SnowflakeLayout layout = SnowflakeLayout.twitter(EPOCH);

    private final SettableClock clock = new SettableClock(EPOCH.plusSeconds(86_400));

    @Test
    void anIdHoldsTimeWorkerAndSequence() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        DecodedId id = layout.decode(generator.next());

        assertThat(id.time()).contains(clock.instant());
        assertThat(id.field("worker")).isEqualTo(7);
        assertThat(id.field("sequence")).isBetween(0L, 4095L);
    }

    @Test
    void theFirstIdLiesAboveAllThatAPredecessorKilledJustNowCanHaveBorrowed() {
        SnowflakeGenerator generator = generator(Duration.ZERO);
        clock.move(Duration.ofMillis(1));

        assertThat(layout.decode(generator.next()).time())
                .contains(clock.instant().plus(AHEAD));
    }

    @Test
    void theSequenceBeginsAnywhereInEachMillisecondSoThatRemaindersAreEven() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        Integer[] even = new Integer[16];
        Arrays.fill(even, 0);
        for (int i = 0; i < 16_000; i++) {
            clock.move(Duration.ofMillis(1));
            even[(int) (generator.next() % even.length)]++;
        }

        assertThat(even).allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
    }

    @Test
    void aBurstBorrowsTimeAndStaysAscending() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long last = 0;
        for (int i = 0; i < 100 * 4096; i++) {
            long id = generator.next();
            assertThat(id).isGreaterThan(last);
            last = id;
        }

        assertThat(layout.decode(last).instant())
                .isBetween(clock.instant().plusMillis(99), clock.instant().plus(AHEAD));
    }

    @Test
    void aClockSetBackByLessThanTheBurstBoundIsNotNoticed() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        long before = generator.next();
        clock.move(Duration.ofMillis(-99));

        assertThat(generator.next()).isEqualTo(before + 1);
    }

    @Test
    void aClockSetBackFurtherIsRefusedUntilItIsRightAgain() {
        SnowflakeGenerator generator = started(Duration.ofSeconds(1));
        long before = generator.next();
        clock.move(Duration.ofHours(-1));

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "The clock went back and ids are refused until it is right again: it is 3600000 ms behind the last"
                                + " id, clock=" + clock.instant()
                                + ", allowed: 100 ms (distributedid.snowflake.max_ahead) and"
                                + " waiting for up to 1000 ms more (distributedid.snowflake.clock_tolerance)");
        clock.move(Duration.ofHours(1));
        assertThat(generator.next()).isGreaterThan(before);
    }

    @Test
    void aClockSetBackWithinTheToleranceIsWaitedFor() throws Exception {
        SnowflakeGenerator generator = started(Duration.ofMinutes(1));
        long before = generator.next();
        clock.move(Duration.ofSeconds(-10));
        Thread[] waiting = {null};
        long[] after = {0};
        waiting[0] = new Thread(() -> after[0] = generator.next());
        waiting[0].start();
        while (waiting[0].getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        clock.move(Duration.ofSeconds(10));
        waiting[0].join();

        assertThat(after[0]).isGreaterThan(before);
    }

    @Test
    void anInterruptEndsTheWait() {
        SnowflakeGenerator generator = started(Duration.ofMinutes(1));
        generator.next();
        clock.move(Duration.ofSeconds(-10));
        Thread.currentThread().interrupt();

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for the clock: worker=7");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aClockBeforeTheEpochIsRefused() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        clock.move(Duration.ofSeconds(-90_000));

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The clock is before the epoch: ");
    }

    @Test
    void whenTheTimeFieldIsFullIdsAreExhausted() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        clock.move(Duration.ofMillis(1L << 41));

        assertThatThrownBy(generator::next)
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessageContaining("lasted until 2093");
    }

    @Test
    void aClosedGeneratorRefusesAndSaysHowFarItCame() {
        SnowflakeGenerator generator = started(Duration.ZERO);
        generator.next();

        assertThat(generator.close()).isEqualTo(layout.tick(clock.millis()));
        assertThatThrownBy(generator::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: worker=7");
    }

    @Test
    void aSuccessorBeginsAboveItsPredecessorEvenIfTheClockWentBack() {
        SnowflakeGenerator predecessor = started(Duration.ZERO);
        long before = predecessor.next();
        long lastTick = predecessor.close();
        clock.move(Duration.ofHours(-1));
        SnowflakeGenerator successor = new SnowflakeGenerator(layout, 7, clock, AHEAD, Duration.ZERO, lastTick);

        assertThatThrownBy(successor::next).isInstanceOf(IdUnavailableException.class);
        clock.move(Duration.ofHours(1).plusMillis(1));
        assertThat(successor.next()).isGreaterThan(before);
    }

    /** One whose first ticks, kept free from a predecessor, are over. */
    private SnowflakeGenerator started(Duration tolerance) {
        SnowflakeGenerator generator = generator(tolerance);
        clock.move(AHEAD.plusMillis(2));
        return generator;
    }

    private SnowflakeGenerator generator(Duration tolerance) {
        return new SnowflakeGenerator(layout, 7, clock, AHEAD, tolerance, -1);
    }
}
