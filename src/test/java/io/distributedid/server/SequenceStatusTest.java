package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.CapacityStatistics;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.Secrets;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How a sequence is written for the status page. */
class SequenceStatusTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private static final SequenceStatus FORM = new SequenceStatus(new PublicText(Secrets.NONE));

    private static SequenceStatistics statistics(
            Optional<BlockStatistics> blocks,
            Optional<WorkerStatistics> worker,
            List<ServerStatistics> servers,
            Optional<CapacityStatistics> capacity,
            Optional<TenureStatistics> tenure) {
        return new SequenceStatistics(
                7, 2, Duration.ofNanos(3_500), blocks, worker, servers, Optional.empty(), capacity, tenure);
    }

    private static SequenceHealth health(Status status, String reason, SequenceStatistics statistics) {
        return new SequenceHealth("photos", status, reason, statistics);
    }

    @Test
    void blocksAndServersAreWrittenWithIdsAsTexts() {
        SequenceStatistics statistics = statistics(
                Optional.of(new BlockStatistics(
                        100, 60, 33, 1, 4, 2, Duration.ofMillis(9), Optional.of("Connection refused"))),
                Optional.empty(),
                List.of(
                        new ServerStatistics(
                                "jdbc:one", 3, 0, 0, OptionalLong.of(9_007_199_254_740_993L), Optional.empty()),
                        new ServerStatistics("jdbc:two", 1, 5, 2, OptionalLong.empty(), Optional.of("Reset"))),
                Optional.of(CapacityStatistics.ofCounter(Long.MAX_VALUE, OptionalLong.of(7))),
                Optional.empty());

        assertThat(FORM.of(health(Status.DEGRADED, "jdbc:two is left out: Reset", statistics), true))
                .isEqualTo(new JsonObject()
                        .put("sequence", "photos")
                        .put("status", "DEGRADED")
                        .put("reason", "jdbc:two is left out: Reset")
                        .put("issued", 7)
                        .put("waits", 2)
                        .put("waitMicros", 3)
                        .put(
                                "blocks",
                                new JsonObject()
                                        .put("reserve", 60)
                                        .put("reserved", 100)
                                        .put("dropped", 33)
                                        .put("overdue", 1)
                                        .put("fetched", 4)
                                        .put("failedFetches", 2)
                                        .put("fetchMicros", 9_000)
                                        .put("failure", "Connection refused"))
                        .put(
                                "capacity",
                                new JsonObject()
                                        .put("maxId", "9223372036854775807")
                                        .put("idsLeft", "9223372036854775800"))
                        .put(
                                "servers",
                                new JsonArray()
                                        .add(new JsonObject()
                                                .put("server", "jdbc:one")
                                                .put("inUse", true)
                                                .put("fetches", 3)
                                                .put("failures", 0)
                                                .put("failovers", 0)
                                                .put("lastId", "9007199254740993"))
                                        .add(new JsonObject()
                                                .put("server", "jdbc:two")
                                                .put("inUse", false)
                                                .put("fetches", 1)
                                                .put("failures", 5)
                                                .put("failovers", 2)
                                                .put("failure", "Reset"))));
    }

    @Test
    void aWorkerNumberIsWrittenWithItsWindow() {
        SequenceStatistics statistics = statistics(
                Optional.empty(),
                Optional.of(new WorkerStatistics(
                        5,
                        NOON,
                        Optional.of(NOON.plusMillis(2_500)),
                        Optional.of(Duration.ofMillis(-3)),
                        Optional.empty())),
                List.of(),
                Optional.of(CapacityStatistics.ofTime(1L << 62, Instant.parse("2093-09-06T15:47:35.552Z"), NOON)),
                Optional.empty());

        JsonObject written = FORM.of(health(Status.UP, "", statistics), true);

        assertThat(written.fieldNames()).doesNotContain("reason", "blocks", "tenure");
        assertThat(written.getJsonObject("worker"))
                .isEqualTo(new JsonObject()
                        .put("number", 5)
                        .put("windowEnd", "2026-11-23T12:00:02.500Z")
                        .put("windowLeftMillis", 2_500)
                        .put("clockOffsetMillis", -3));
        assertThat(written.getJsonObject("capacity"))
                .isEqualTo(new JsonObject()
                        .put("maxId", "4611686018427387904")
                        .put("layoutEnd", "2093-09-06T15:47:35.552Z"));
    }

    @Test
    void aStandbyNamesTheActiveServer() {
        SequenceStatistics active = statistics(
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(new TenureStatistics(
                        true,
                        Optional.of("http://ids1:8080"),
                        Optional.of(Duration.ofMillis(4_310)),
                        1,
                        Optional.empty())));
        SequenceStatistics standby = statistics(
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.of(new TenureStatistics(
                        false, Optional.of("http://ids1:8080"), Optional.empty(), 0, Optional.of("Reset"))));

        assertThat(FORM.of(health(Status.UP, "", active), true).getJsonObject("tenure"))
                .isEqualTo(new JsonObject()
                        .put("role", "active")
                        .put("active", "http://ids1:8080")
                        .put("leaseLeftMillis", 4_310)
                        .put("takeovers", 1));
        assertThat(FORM.of(health(Status.UP, "", standby), true).getJsonObject("tenure"))
                .isEqualTo(new JsonObject()
                        .put("role", "standby")
                        .put("active", "http://ids1:8080")
                        .put("takeovers", 0)
                        .put("failure", "Reset"));
    }

    @Test
    void withoutStatisticsThereAreNoCounts() {
        assertThat(FORM.of(health(Status.DOWN, "it is not open yet", SequenceStatistics.NONE), false))
                .isEqualTo(new JsonObject()
                        .put("sequence", "photos")
                        .put("status", "DOWN")
                        .put("reason", "it is not open yet")
                        .put("servers", new JsonArray()));
    }

    /** Drivers and servers write what they want into their messages. */
    @Test
    void secretsInMessagesAreMasked() {
        Secrets secrets =
                Secrets.of(Map.of("distributedid.ticket.password", "correct-horse"), InstalledBackends.declarations());
        String message = "Access denied for ids:correct-horse@t1, password=battery-staple\n\tat t1";
        SequenceStatistics statistics = statistics(
                Optional.of(new BlockStatistics(0, 0, 0, 0, 0, 1, Duration.ZERO, Optional.of(message))),
                Optional.of(new WorkerStatistics(1, NOON, Optional.empty(), Optional.empty(), Optional.of(message))),
                List.of(new ServerStatistics("jdbc:one", 0, 1, 0, OptionalLong.empty(), Optional.of(message))),
                Optional.empty(),
                Optional.of(new TenureStatistics(
                        false,
                        Optional.of("http://ids:correct-horse@ids1"),
                        Optional.empty(),
                        0,
                        Optional.of(message))));

        String written = new SequenceStatus(new PublicText(secrets))
                .of(health(Status.DOWN, "the last fetch failed: " + message, statistics), true)
                .encode();

        assertThat(written).doesNotContain("correct-horse", "battery-staple", "\\n");
        assertThat(written.split("Access denied", -1)).as(written).hasSize(6);
    }
}
