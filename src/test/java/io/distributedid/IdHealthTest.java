package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class IdHealthTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private static final SequenceHealth PHOTOS = new SequenceHealth(
            "photos",
            Status.DEGRADED,
            "t2 is left out: refused",
            new SequenceStatistics(
                    10,
                    1,
                    Duration.ofNanos(3_500),
                    Optional.of(new BlockStatistics(
                            20, 10, 33, 1, 2, 1, Duration.ofMillis(9), Optional.of("refused\n  by t2"))),
                    Optional.empty(),
                    List.of(
                            new ServerStatistics("t1", 2, 0, 0, OptionalLong.of(20), Optional.empty()),
                            new ServerStatistics("t2", 0, 1, 1, OptionalLong.empty(), Optional.of("refused"))),
                    Optional.empty(),
                    Optional.of(CapacityStatistics.ofCounter(Long.MAX_VALUE, OptionalLong.of(20))),
                    Optional.empty()));

    private static final SequenceHealth USERS = new SequenceHealth(
            "users",
            Status.UP,
            "",
            new SequenceStatistics(
                    1,
                    0,
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.of(new WorkerStatistics(
                            7,
                            NOW,
                            Optional.of(NOW.plusSeconds(60)),
                            Optional.of(Duration.ofMillis(-3)),
                            Optional.of("no store"))),
                    List.of(),
                    Optional.empty(),
                    Optional.of(CapacityStatistics.ofTime(1_000, Instant.parse("2093-09-06T15:47:35.552Z"), NOW)),
                    Optional.of(new TenureStatistics(
                            true,
                            Optional.of("http://ids1:8080"),
                            Optional.of(Duration.ofMillis(4_310)),
                            1,
                            Optional.empty()))));

    @Test
    void theDetailsAreAMapForEachSequence() {
        IdHealth health = IdHealth.of(List.of(
                PHOTOS, USERS, new SequenceHealth("exports", Status.DOWN, "no server", SequenceStatistics.NONE)));

        assertThat(health.status()).isEqualTo(Status.DOWN);
        assertThat(health.details())
                .isEqualTo(Map.of(
                        "photos",
                        Map.of(
                                "status",
                                "DEGRADED",
                                "reason",
                                "t2 is left out: refused",
                                "issued",
                                10L,
                                "waits",
                                1L,
                                "waitMicros",
                                3L,
                                "blocks",
                                Map.of(
                                        "reserve",
                                        10L,
                                        "reserved",
                                        20L,
                                        "dropped",
                                        33L,
                                        "overdue",
                                        1L,
                                        "fetched",
                                        2L,
                                        "failedFetches",
                                        1L,
                                        "fetchMicros",
                                        9_000L,
                                        "failure",
                                        "refused by t2"),
                                "capacity",
                                Map.of("maxId", "9223372036854775807", "idsLeft", "9223372036854775787"),
                                "servers",
                                List.of(
                                        Map.of(
                                                "server",
                                                "t1",
                                                "inUse",
                                                true,
                                                "fetches",
                                                2L,
                                                "failures",
                                                0L,
                                                "failovers",
                                                0L,
                                                "lastId",
                                                "20"),
                                        Map.of(
                                                "server",
                                                "t2",
                                                "inUse",
                                                false,
                                                "fetches",
                                                0L,
                                                "failures",
                                                1L,
                                                "failovers",
                                                1L,
                                                "failure",
                                                "refused"))),
                        "users",
                        Map.of(
                                "status",
                                "UP",
                                "issued",
                                1L,
                                "waits",
                                0L,
                                "waitMicros",
                                0L,
                                "worker",
                                Map.of(
                                        "number",
                                        7L,
                                        "windowEnd",
                                        "2026-11-21T12:01:00Z",
                                        "windowLeftMillis",
                                        60_000L,
                                        "clockOffsetMillis",
                                        -3L,
                                        "failure",
                                        "no store"),
                                "tenure",
                                Map.of(
                                        "role",
                                        "active",
                                        "active",
                                        "http://ids1:8080",
                                        "leaseLeftMillis",
                                        4_310L,
                                        "takeovers",
                                        1L),
                                "capacity",
                                Map.of("maxId", "1000", "layoutEnd", "2093-09-06T15:47:35.552Z"),
                                "servers",
                                List.of()),
                        "exports",
                        Map.of(
                                "status",
                                "DOWN",
                                "reason",
                                "no server",
                                "issued",
                                0L,
                                "waits",
                                0L,
                                "waitMicros",
                                0L,
                                "servers",
                                List.of())));
        assertThat(health.details().keySet()).as("in order").containsExactly("photos", "users", "exports");
    }
}
