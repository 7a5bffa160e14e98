package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.LoggedWarnings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The largest id of a table, beside what this process would give next. Each backend of a test is a process of its own.
 */
class ExistingIdsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final Map<String, String> FIXED =
            Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7");

    private final SettableClock clock = new SettableClock(NOW);

    private SnowflakeBackend backend = process(clock);

    @AfterEach
    void close() {
        backend.close();
    }

    /** A clock that was set back by 5 s, and then a restart. */
    @Test
    void aRestartAfterTheClockWasSetBackGivesNoIdTwice() {
        Sequence photos = photos(FIXED);
        Set<Long> given = new HashSet<>();
        long largest = run(backend.open(photos), given);
        assertThat(given.size()).isEqualTo(125_000);
        backend.close();

        clock.move(Duration.ofSeconds(-5));
        backend = process(clock);
        IdSource restarted = backend.open(photos);
        int before = given.size();
        try {
            backend.requireAbove(photos, List.of(largest), false);
            run(restarted, given);
        } catch (IdConfigurationException refused) {
            return;
        }

        assertThat(given.size()).as("different ids of two runs").isEqualTo(before + 125_000);
    }

    /** 25 ids in each of 5,000 milliseconds. */
    private long run(IdSource source, Set<Long> given) {
        long largest = 0;
        // The first id is at a random place in its millisecond, perhaps at the last one.
        clock.move(Duration.ofMillis(1));
        for (int i = 0; i < 125_000; i++) {
            if (i % 25 == 0) {
                clock.move(Duration.ofMillis(1));
            }
            long id = source.next();
            given.add(id);
            largest = Math.max(largest, id);
        }
        return largest;
    }

    @Test
    void anIdFromTheFutureIsRefusedWithEverythingThatTells() {
        long later = id(NOW.plus(Duration.ofDays(30)));

        assertThatThrownBy(() -> require(FIXED, later, false))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("New ids would be smaller than an existing id, and ids could repeat: seq=photos id=" + later
                        + " time=2026-12-21T12:00:00Z, clock=2026-11-21T12:00:00Z, layout=time(ms):41,"
                        + " worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093, allowed: 1100 ms ahead"
                        + " of the clock (distributedid.snowflake.max_ahead and"
                        + " distributedid.snowflake.clock_tolerance). Either distributedid.snowflake.epoch or"
                        + " the unit of distributedid.snowflake.layout has changed since the id was made:"
                        + " restore it. Or the clock is behind: correct it, then start. If another generator or"
                        + " a clock that was ahead made the id, distributedid.existing_ids=raise names an epoch"
                        + " that fits"
                        + Pages.onCall("below-existing"));
    }

    @Test
    void anEpochThatFitsIsNamed() {
        long later = id(NOW.plus(Duration.ofDays(30)));

        assertThatThrownBy(() -> require(FIXED, later, true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("allowed: 10100 ms ahead of the clock (distributedid.snowflake.max_ahead and"
                        + " distributedid.block.timeout). ")
                .hasMessageEndingWith(
                        " correct it, then start. If another generator or a clock that was ahead made the id, an earlier"
                                + " epoch makes new ids larger: distributedid.snowflake.epoch=2023-12-01T00:00:00Z or"
                                + " earlier. Change the epoch only while no process uses the old one"
                                + Pages.onCall("below-existing"));
        backend.close();
        backend = process(clock);
        Map<String, String> earlier = with(FIXED, "epoch", "2023-12-01T00:00:00Z");
        IdSource ids = require(earlier, later, false);
        assertThat(ids.next()).isGreaterThan(later);
    }

    /** 31 bits of seconds end 68 years after the epoch, whichever that is. */
    @Test
    void noEpochIsNamedThatLeavesNoTime() {
        Map<String, String> js53 = with(FIXED, "layout", "js53");
        long last = (1L << 53) - 1;

        assertThatThrownBy(() -> require(js53, last, true))
                .hasMessageEndingWith(
                        "No epoch makes new ids larger and leaves a year or more in the layout: if another generator"
                                + " made the id, choose a layout with more bits of time"
                                + Pages.onCall("below-existing"));
        assertThatThrownBy(() -> backend.requireAbove(photos(js53), List.of(last + 1), true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("An existing id has more bits than the layout, so no new id can be larger: seq=photos"
                        + " id=9007199254740992, layout=time(s):31, worker:8, sequence:14 from 2024-01-01T00:00:00Z"
                        + " until 2092, allowed: up to 9007199254740991. Set distributedid.snowflake.layout as it was"
                        + " when the id was made. If another generator made it, choose a layout with more bits");
    }

    @Test
    void itMayLieAsFarAheadAsAnotherProcessMayHaveMadeIt() {
        assertLimit(FIXED, Duration.ofMillis(1_100));
        assertLimit(with(with(FIXED, "max_ahead", "50ms"), "clock_tolerance", "0ms"), Duration.ofMillis(50));
        // One unit of the layout is the least that ids may run ahead.
        assertLimit(with(FIXED, "layout", "time(s):31, worker:10, sequence:12"), Duration.ofSeconds(2));
        Map<String, String> leased = with(FIXED, "worker", "lease");
        assertLimit(leased, Duration.ofMillis(15_100));
        assertLimit(with(leased, "lease.max_clock_skew", "500ms"), Duration.ofMillis(600));
        assertLimit(with(leased, "max_ahead", "2s"), Duration.ofSeconds(17));
        assertThat(backend.checkAbove(photos(leased), id(NOW.plusSeconds(60)))
                        .orElseThrow()
                        .detail())
                .contains("(distributedid.snowflake.max_ahead and distributedid.snowflake.lease.max_clock_skew)");
    }

    private void assertLimit(Map<String, String> settings, Duration limit) {
        SnowflakeBackend other = process(clock);
        Sequence photos = photos(settings);
        IdTime time = other.time(photos).orElseThrow();

        assertThat(other.checkAbove(photos, time.ceiling(NOW.plus(limit))).orElseThrow())
                .returns(CheckResult.Status.OK, CheckResult::status);
        assertThat(other.checkAbove(photos, time.floor(NOW.plus(limit).plus(time.unit())))
                        .orElseThrow())
                .returns(CheckResult.Status.FAILED, CheckResult::status);
    }

    @Test
    void theStartWaitsForAClockThatIsALittleBehind() {
        Clock real = Clock.systemUTC();
        for (boolean raise : new boolean[] {false, true}) {
            backend = process(real);
            long existing = id(real.instant().plusMillis(300));

            assertThat(require(FIXED, existing, raise).next()).isGreaterThan(existing);
            assertThat(backend.statistics(photos(FIXED)).orElseThrow().waits()).isZero();
            backend.close();
        }
    }

    @Test
    void withRaiseItWaitsForLonger() {
        Clock real = Clock.systemUTC();
        backend = process(real);
        Map<String, String> impatient = new HashMap<>(with(FIXED, "clock_tolerance", "0ms"));
        impatient.put("distributedid.block.timeout", "2s");
        long existing = id(real.instant().plusMillis(700));

        IdSource ids = require(impatient, existing, true);

        assertThat(ids.next()).isGreaterThan(existing);
    }

    /** So that ids of processes that start next, and know nothing of the raise, lie above it too. */
    @Test
    void aRaiseReturnsWhenTheClockHasPassedTheId() throws InterruptedException {
        Sequence photos = photos(FIXED);
        IdSource ids = backend.open(photos);
        clock.move(Duration.ofMillis(200));
        long existing = id(clock.instant().plusMillis(50));
        Thread raise = new Thread(() -> backend.requireAbove(photos, List.of(existing), true));
        raise.start();
        Await.until("it waits", () -> raise.getState() == Thread.State.TIMED_WAITING, raise::getState);
        clock.move(Duration.ofMillis(50));
        assertThat(ids.tryNext()).isPositive().isLessThan(id(clock.instant().plusMillis(1)));
        assertThat(raise.isAlive()).isTrue();

        clock.move(Duration.ofMillis(1));
        raise.join();
        clock.move(Duration.ofMillis(-51));
        assertThat(ids.next()).isGreaterThan(existing);
    }

    @ParameterizedTest
    @CsvSource({"false, The start", "true, A raise"})
    void aLongWaitIsLogged(boolean isRaise, String who) throws InterruptedException {
        Sequence photos = photos(with(FIXED, "clock_tolerance", "15s"));
        backend.open(photos);
        Duration ahead = Duration.ofSeconds(5);
        long existing = id(NOW.plus(ahead));
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdCheck.class)) {
            Thread call = new Thread(() -> backend.requireAbove(photos, List.of(existing), isRaise));
            call.start();
            Await.until("it waits", () -> call.getState() == Thread.State.TIMED_WAITING, call::getState);
            clock.move(ahead.plusMillis(1));
            call.join();

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .matches(who + " waits for (5001|4901) ms until the clock has passed an existing id: seq=photos id="
                            + existing + " time=.*");
        }
    }

    /** Clients of an issuing service give up soon after their block.timeout. */
    @Test
    void aRaiseWaitsForNoLongerThanTheTimeout() {
        Map<String, String> patient = with(FIXED, "clock_tolerance", "15s");
        long existing = id(NOW.plusMillis(10_050));
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdCheck.class)) {
            assertThatThrownBy(() -> require(patient, existing, true))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("The clock passes an existing id in 10051 ms, but a raise waits at most 10000 ms"
                            + " (distributedid.block.timeout): seq=photos id=" + existing
                            + " time=2026-11-21T12:00:10.050Z, clock=2026-11-21T12:00:00Z, layout=time(ms):41,"
                            + " worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093. Nothing was raised. Repeat"
                            + " the call in 51 ms or later. If the clock is behind, correct it");

            assertThat(warnings.messages()).isEmpty();
        }
        clock.move(Duration.ofMillis(10_051));
        backend.requireAbove(photos(patient), List.of(existing), true);
    }

    /** As for other clients of an issuing service, while one whose table has an id of a fast clock starts. */
    @Test
    void otherCallersGoOnWhileAStartWaitsForTheClock() throws InterruptedException {
        Map<String, String> patient = new HashMap<>(FIXED);
        patient.put("distributedid.block.timeout", "10m");
        Sequence photos = photos(patient);
        IdSource ids = require(patient, 0, false);
        long existing = id(NOW.plus(Duration.ofMinutes(9)));
        Thread start = new Thread(() -> backend.requireAbove(photos, List.of(existing), true));
        start.start();
        Await.until("it waits", () -> start.getState() == Thread.State.TIMED_WAITING, start::getState);

        assertThat(ids.tryNext()).isPositive().isLessThan(id(NOW.plusMillis(200)));

        clock.move(Duration.ofHours(1));
        start.join();
        assertThat(ids.next()).isGreaterThan(existing);
    }

    /** The clock is set back between the look at the table and the first id. */
    @Test
    void theIdIsRememberedWhateverTheClockDoesNext() {
        Sequence photos = photos(FIXED);
        IdSource ids = backend.open(photos);
        clock.move(Duration.ofSeconds(10));
        long existing = id(clock.instant());
        backend.requireAbove(photos, List.of(existing), false);
        clock.move(Duration.ofSeconds(-5));

        assertThatThrownBy(ids::next).isInstanceOf(IdUnavailableException.class).hasMessageContaining("do not restart");
        clock.move(Duration.ofSeconds(5));
        assertThat(ids.next()).isGreaterThan(existing);
    }

    /** What an operator sees before the restart that would give ids twice. */
    @Test
    void theHealthSaysNotToRestart() {
        try (DistributedIds ids = DistributedIds.builder()
                .settings(with(FIXED, "worker", "45"))
                .clock(clock)
                .build()) {
            ids.sequence("photos");
            clock.move(Duration.ofSeconds(5));
            ids.next("photos");
            clock.move(Duration.ofSeconds(-5));

            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.DOWN);
            assertThat(ids.health().toString())
                    .contains("Correct the clock, and do not restart: a restart forgets the last id, unless the number"
                            + " is leased or has a state file");
        }
    }

    @Test
    void aClockThatStandsStillIsAnError() {
        assertThatThrownBy(() -> require(FIXED, id(NOW.plusMillis(102)), false))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith(
                        "The clock stands still: clock=2026-11-21T12:00:00Z, 3 ms short of an id: seq=photos id=");
    }

    @Test
    void closingEndsTheWait() {
        backend.stopWaiting();

        assertThatThrownBy(() -> require(FIXED, id(NOW.plusMillis(900)), false))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith(
                        "The source of ids was closed while it waited for the clock: 801 ms short of an id: seq=");
    }

    @Test
    void idsOfOtherTimesAreNoReasonToWait() {
        IdSource ids = require(FIXED, 0, false);
        backend.requireAbove(photos(FIXED), List.of(4711L), true);

        assertThat(ids.next()).isGreaterThan(id(NOW));
    }

    @Test
    void aNegativeIdIsWarnedOf() {
        try (LoggedWarnings warnings = LoggedWarnings.of(ExistingIdCheck.class)) {
            IdSource ids = require(FIXED, -5, false);

            assertThat(warnings.messages())
                    .containsExactly("The largest id was not made with this layout, whose ids are positive: seq=photos"
                            + " id=-5, layout=time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z until 2093."
                            + " New ids are larger");
            assertThat(ids.next()).isPositive();
        }
    }

    @Test
    void theShardInAnIdIsNoPartOfItsTime() {
        Map<String, String> sharded = with(FIXED, "layout", "sharded");
        sharded.put("distributedid.shard.from", "caller");
        Sequence photos = photos(sharded);
        ShardedIdSource ids = (ShardedIdSource) backend.open(photos);
        IdTime time = backend.time(photos).orElseThrow();

        backend.requireAbove(photos, List.of(time.ceiling(NOW)), false);
        clock.move(Duration.ofMillis(1));
        assertThat(ids.next(0)).isGreaterThan(time.ceiling(NOW));
        assertThatThrownBy(() -> backend.requireAbove(photos, List.of(time.floor(NOW.plusSeconds(3))), false))
                .isInstanceOf(IdConfigurationException.class);
    }

    private IdSource require(Map<String, String> settings, long existing, boolean raise) {
        Sequence photos = photos(settings);
        IdSource ids = backend.open(photos);
        backend.requireAbove(photos, List.of(existing), raise);
        // A fixed number begins above what a predecessor may have borrowed.
        clock.move(Duration.ofMillis(1));
        return ids;
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put("distributedid.snowflake." + name, value);
        return more;
    }

    private static SnowflakeBackend process(InstantSource clock) {
        return new SnowflakeBackend(
                clock,
                new WorkerRegistry(clock, Snowflakes.jvm(), () -> "", Optional.empty()),
                false,
                (name, time) -> {});
    }

    private static Sequence photos(Map<String, String> settings) {
        return new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(settings));
    }

    /** Of another process, in the default layout. */
    private static long id(Instant time) {
        IdLayout layout = Snowflakes.LAYOUT;
        return layout.compose(layout.tick(time.toEpochMilli()), 5, layout.place(IdField.WORKER, 3));
    }
}
