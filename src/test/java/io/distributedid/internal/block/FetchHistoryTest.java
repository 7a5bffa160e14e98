package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FetchHistoryTest {

    private static final SQLException DOWN = new SQLException("down");

    private final FetchHistory history = new FetchHistory(
            new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of())),
            FetchHistory.outages(System::nanoTime));

    @Test
    void fetchesIdsAndFailuresAreCounted() {
        history.add(8, Duration.ofNanos(30));
        history.add(16, Duration.ofNanos(40));
        history.add(DOWN);
        history.addDropped(3);
        history.addDropped(4);
        history.addOverdue();

        assertThat(history.statistics(5))
                .isEqualTo(new BlockStatistics(24, 5, 7, 1, 2, 1, Duration.ofNanos(70), Optional.of("down")));
    }

    @Test
    void aSuccessEndsAnOutage() {
        assertThat(history.isOutage()).isFalse();
        history.add(DOWN);
        assertThat(history.isOutage()).isTrue();
        assertThat(history.hasFailed()).isTrue();

        history.add(8, Duration.ZERO);
        assertThat(history.isOutage()).isFalse();
        assertThat(history.hasFailed()).isFalse();
        assertThat(history.statistics(0).failure()).isEmpty();
    }

    @Test
    void theShorterOfTheLastTwoFetchesIsTheTrip() {
        assertThat(history.trip()).isZero();
        history.add(1, Duration.ofNanos(50));
        assertThat(history.trip()).isEqualTo(50);
        history.add(1, Duration.ofNanos(40));
        assertThat(history.trip()).isEqualTo(40);
        history.add(1, Duration.ofNanos(900));
        assertThat(history.trip()).isEqualTo(40);
        history.add(1, Duration.ofNanos(800));
        assertThat(history.trip()).isEqualTo(800);
    }

    @Test
    void pausesBeginAt20MillisecondsAndAreDoubledUpToASecond() {
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            history.add(DOWN);
            millis.add(history.pause().toMillis());
        }
        assertThat(millis).containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L);
        for (int i = 0; i < 100; i++) {
            history.add(DOWN);
        }
        assertThat(history.pause()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aRefusalIsForThoseThatCameBeforeItAndIsNoOutage() {
        history.add(DOWN);
        long before = history.refusals();
        IdConfigurationException refusal = new IdConfigurationException("wrong table");
        history.add(refusal);
        long after = history.refusals();

        assertThat(history.isOutage()).isFalse();
        assertThat(history.hasFailed()).isTrue();
        assertThat(history.refusalSince(before)).isSameAs(refusal);
        assertThat(history.refusalSince(before)).as("another caller").isSameAs(refusal);
        assertThat(history.refusalSince(after)).as("a later caller").isNull();
        assertThat(history.statistics(0).failure()).as("of the last fetch").contains("wrong table");
        history.add(8, Duration.ZERO);
        assertThat(history.refusalSince(before)).as("ids were reserved since").isNull();
    }

    @Test
    void whatMayPassIsNoRefusal() {
        history.add(DOWN);
        assertThat(history.refusalSince(0)).isNull();
        history.add(new IdUnavailableException("No server gives ids"));
        assertThat(history.refusalSince(0)).isNull();
        assertThat(history.isOutage()).isTrue();
    }

    @Test
    void aCallerIsToldWhetherItHasWaitedOrTheOutageIsOld() {
        history.add(DOWN);

        assertThat(history.timedOut(Duration.ofMillis(30), 30_000_000, 99_000_000))
                .hasMessage("No id within 30 ms: sequence 'photos' (Photo.id): down" + Pages.onCall("no-server"))
                .hasCause(DOWN);
        assertThat(history.timedOut(Duration.ofMillis(30), 29_999_999, 99_000_000))
                .hasMessage("No id could be reserved for 99 ms, so callers no longer wait"
                        + " (distributedid.block.timeout=30ms): sequence 'photos' (Photo.id): down. Retrying in the"
                        + " background" + Pages.onCall("no-server"))
                .hasCause(DOWN);
        assertThat(history.unstarted())
                .hasMessage("No id can be reserved: sequence 'photos' (Photo.id): down")
                .hasCause(DOWN);
        history.add(1, Duration.ZERO);
        assertThat(history.timedOut(Duration.ofMillis(30), 30_000_000, 30_000_000))
                .hasMessage("No id within 30 ms: sequence 'photos' (Photo.id): the server has not answered"
                        + Pages.onCall("no-server"))
                .hasNoCause();
    }

    @Test
    void anOutageAndOldIdsAreWarnedOf() {
        try (LoggedWarnings warnings = LoggedWarnings.of(FetchHistory.class)) {
            history.add(DOWN);
            history.add(DOWN);
            history.addOverdue();
            history.addOverdue();
            history.add(1, Duration.ZERO);
            history.addOverdue();

            assertThat(warnings.messages())
                    .containsExactly(
                            "No ids can be reserved, retrying. First noticed by sequence 'photos' (Photo.id). Reason:"
                                    + " down" + Pages.onCall("no-server"),
                            "Ids older than block.max_age are used while no server answers. First noticed by sequence"
                                    + " 'photos' (Photo.id)",
                            "Ids older than block.max_age are used while no server answers. First noticed by sequence"
                                    + " 'photos' (Photo.id)");
        }
    }

    @Test
    void theEndOfAnOutageIsLogged() {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(FetchHistory.class.getName());
        logger.addHandler(handler);
        try {
            history.add(DOWN);
            history.add(1, Duration.ZERO);
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(lines)
                .last()
                .asString()
                .startsWith("Ids are reserved again, last noticed by sequence 'photos' (Photo.id)");
    }
}
