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
                    Duration.ZERO,
                    Optional.of(
                            new BlockStatistics(20, 10, 0, 0, 2, 1, Duration.ZERO, Optional.of("refused\n  by t2"))),
                    Optional.empty(),
                    List.of(
                            new ServerStatistics("t1", 2, 0, 0, OptionalLong.of(20), Optional.empty()),
                            new ServerStatistics("t2", 0, 1, 1, OptionalLong.empty(), Optional.of("refused"))),
                    Optional.empty(),
                    Optional.of(CapacityStatistics.ofCounter(100, OptionalLong.of(20))),
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
                    Optional.empty()));

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
                                "reserve",
                                10L,
                                "failure",
                                "refused by t2",
                                "idsLeft",
                                80L,
                                "servers",
                                Map.of(
                                        "t1", Map.of("status", "UP", "lastId", 20L),
                                        "t2", Map.of("status", "DOWN", "failure", "refused"))),
                        "users",
                        Map.of(
                                "status",
                                "UP",
                                "layoutEnd",
                                "2093-09-06T15:47:35.552Z",
                                "worker",
                                Map.of(
                                        "number",
                                        7L,
                                        "windowEnd",
                                        "2026-11-21T12:01:00Z",
                                        "clockOffset",
                                        -3L,
                                        "failure",
                                        "no store")),
                        "exports",
                        Map.of("status", "DOWN", "reason", "no server")));
        assertThat(health.details().keySet()).as("in order").containsExactly("photos", "users", "exports");
    }
}
