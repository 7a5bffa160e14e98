package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.LoggedWarnings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CheckedClockTest {

    private static final long NOW = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long MONTH = Duration.ofDays(30).toMillis();

    private long millis = NOW;

    private long nanos = 17;

    /** The clock jumps back when so much time has passed. */
    private long glitchEndsAfter = Long.MAX_VALUE;

    private long napped;

    private final CheckedClock clock =
            new CheckedClock(() -> Instant.ofEpochMilli(millis), () -> nanos, this::nap, "worker-7");

    private void nap() {
        pass(10);
        napped += 10;
        if (napped >= glitchEndsAfter) {
            millis -= MONTH;
            glitchEndsAfter = Long.MAX_VALUE;
        }
    }

    private void pass(long time) {
        millis += time;
        nanos += TimeUnit.MILLISECONDS.toNanos(time);
    }

    @Test
    void aClockThatGoesWithTheTimeIsTrusted() throws Exception {
        for (int i = 0; i < 100; i++) {
            pass(86_400_000);
            assertThat(clock.millis()).isEqualTo(millis);
        }
        millis += CheckedClock.JUMP_MILLIS;
        assertThat(clock.millis()).as("as NTP may do").isEqualTo(millis);
        assertThat(napped).isZero();
    }

    @Test
    void aMomentInAnotherMonthIsWaitedFor() throws Exception {
        pass(5_000);
        millis += MONTH;
        glitchEndsAfter = 300;

        assertThat(clock.millis()).isEqualTo(NOW + 5_300);
        try (LoggedWarnings warnings = LoggedWarnings.of(CheckedClock.class)) {
            pass(5_000);
            assertThat(clock.millis()).isEqualTo(NOW + 10_300);
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void aClockThatWasSetIsFollowedOnceItHasStayedThere() throws Exception {
        millis += MONTH;
        try (LoggedWarnings warnings = LoggedWarnings.of(CheckedClock.class)) {
            assertThat(clock.millis()).isEqualTo(NOW + MONTH + 2_000);
            assertThat(napped).isEqualTo(2_000);
            assertThat(warnings.messages())
                    .containsExactly("The clock jumped by 2592000000 ms, and has stayed there: was it set, or did the"
                            + " machine sleep? Clock=2026-12-21T12:00:02Z, worker-7");
        }
        pass(1);
        assertThat(clock.millis()).isEqualTo(millis);
        assertThat(napped).isEqualTo(2_000);
    }

    @Test
    void aClockThatWasSetBackReservesNothingNewAndIsFollowedToo() throws Exception {
        millis -= MONTH;
        assertThat(clock.millis()).isEqualTo(NOW - MONTH);
        pass(2_000);
        assertThat(clock.millis()).isEqualTo(millis);
        millis += MONTH;
        glitchEndsAfter = 300;

        assertThat(clock.millis()).as("as if it was right").isEqualTo(NOW - MONTH + 2_300);
    }

    @Test
    void aClockThatStaysNowhereIsRefused() {
        CheckedClock mad = new CheckedClock(
                () -> Instant.ofEpochMilli(millis),
                () -> nanos,
                () -> {
                    nap();
                    millis += 5_000;
                },
                "worker-7");
        millis += 5_000;

        assertThatThrownBy(mad::millis)
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageStartingWith(
                        "The clock jumps, and no time is reserved until it stays where it is for 2000 ms:" + " clock=")
                .hasMessageContaining(", expected=2026-11-21T12:00:05.010Z, worker-7");
    }
}
