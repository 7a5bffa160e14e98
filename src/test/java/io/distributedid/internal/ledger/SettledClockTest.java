package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SettledClockTest {

    private static final long NOW = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long MONTH = Duration.ofDays(30).toMillis();

    private long millis = NOW;

    private long nanos = 17;

    private final SettledClock clock = new SettledClock(() -> Instant.ofEpochMilli(millis), () -> nanos, "worker-7");

    private void pass(long time) {
        millis += time;
        nanos += TimeUnit.MILLISECONDS.toNanos(time);
    }

    @Test
    void aClockThatGoesWithTheTimeIsTrusted() throws SQLException {
        for (int i = 0; i < 100; i++) {
            pass(86_400_000);
            assertThat(clock.millis()).isEqualTo(millis);
        }
        millis += 1_000;
        assertThat(clock.millis()).as("as NTP may do").isEqualTo(millis);
    }

    private void assertUnsettled() {
        assertThatThrownBy(clock::millis)
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith(
                        "The clock has jumped, and no time is reserved until it has stayed there for 2000 ms:"
                                + " clock=" + Instant.ofEpochMilli(millis) + ", expected=2026-1")
                .hasMessageEndingWith("Z, worker-7");
    }

    @Test
    void aMomentInAnotherMonthIsNotSeen() throws SQLException {
        try (LoggedWarnings warnings = LoggedWarnings.of(SettledClock.class)) {
            millis += MONTH;
            for (int i = 1; i < 20; i++) {
                pass(100);
                assertUnsettled();
            }
            millis -= MONTH;
            pass(5_000);
            assertThat(clock.millis()).isEqualTo(NOW + 6_900);
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void aClockThatWasSetIsFollowedOnceItHasStayedThere() throws SQLException {
        millis += MONTH;
        assertUnsettled();
        pass(1_999);
        assertUnsettled();
        try (LoggedWarnings warnings = LoggedWarnings.of(SettledClock.class)) {
            pass(1);
            assertThat(clock.millis()).isEqualTo(NOW + MONTH + 2_000);
            assertThat(warnings.messages())
                    .containsExactly("The clock jumped by 2592000000 ms, and has stayed there: was it set, or did the"
                            + " machine sleep? Clock=2026-12-21T12:00:02Z, worker-7");
        }
        pass(1);
        assertThat(clock.millis()).isEqualTo(millis);
    }

    @Test
    void aClockThatJumpsAnewHasStayedNowhere() {
        for (int i = 1; i < 10; i++) {
            millis += MONTH;
            pass(1_500);
            assertUnsettled();
        }
    }

    @Test
    void aClockThatWasSetBackIsFollowedAtOnce() throws SQLException {
        millis -= MONTH;
        assertThat(clock.millis()).isEqualTo(NOW - MONTH);
        millis += MONTH;
        assertUnsettled();
    }
}
