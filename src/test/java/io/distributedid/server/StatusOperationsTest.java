package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the status page reads. */
class StatusOperationsTest {

    private static JsonObject status(RunningServer server) {
        HttpResponse<String> answer = server.get("/v1/status");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    private static JsonObject sequence(RunningServer server, String name) {
        return sequences(status(server)).stream()
                .filter(each -> each.getString("sequence").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<JsonObject> sequences(JsonObject status) {
        return status.getJsonArray("sequences").stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static Map<String, Object> leased(String worker, String layout) {
        return Map.of(
                "backend",
                "snowflake",
                "snowflake.worker",
                worker,
                "snowflake.layout",
                layout,
                "snowflake.lease.server",
                "jdbc:h2:mem:status_lease;DB_CLOSE_DELAY=-1",
                "create_tables",
                true,
                "server.sequences",
                "status_leased");
    }

    @Test
    void aSequenceOfBlocksHasItsReserveAndItsServers() throws SQLException {
        try (RunningServer server = RunningServer.with(Map.of(
                "backend", "sequence_table",
                "sequence_table.servers",
                        "jdbc:h2:mem:status_one;DB_CLOSE_DELAY=-1, jdbc:h2:mem:status_two;DB_CLOSE_DELAY=-1",
                "create_tables", true,
                "block.max_age", "off",
                "server.sequences", "status_blocks"))) {
            server.ids("status_blocks", 5);

            JsonObject sequence = sequence(server, "status_blocks");

            assertThat(sequence.getString("status")).isEqualTo("UP");
            assertThat(sequence.getLong("issued")).isEqualTo(5);
            JsonObject blocks = sequence.getJsonObject("blocks");
            assertThat(blocks.getLong("reserved")).isEqualTo(5 + blocks.getLong("reserve") + blocks.getLong("dropped"));
            assertThat(blocks.getLong("fetchMicros")).isPositive();
            assertThat(sequence.getJsonArray("servers").stream().map(each -> ((JsonObject) each).getString("server")))
                    .containsExactly("jdbc:h2:mem:status_one", "jdbc:h2:mem:status_two");
            assertThat(sequence.getJsonArray("servers").stream().map(each -> ((JsonObject) each).getBoolean("inUse")))
                    .containsExactly(true, true);
            assertThat(sequence.getJsonObject("capacity").getString("idsLeft")).matches("[1-9][0-9]{18}");
        }
        H2Servers.drop("status_one", "status_two");
    }

    @Test
    void aLeasedWorkerNumberHasItsWindow() throws SQLException {
        try (RunningServer server = RunningServer.with(leased("lease", "snowflake"))) {
            server.ids("status_leased", 1);

            JsonObject worker = sequence(server, "status_leased").getJsonObject("worker");

            assertThat(worker.getLong("number")).isNotNegative();
            assertThat(worker.getLong("windowLeftMillis")).isPositive();
            assertThat(Instant.parse(worker.getString("windowEnd"))).isAfter(Instant.EPOCH);
        }
        H2Servers.drop("status_lease");
    }

    @Test
    void ofTwoServersInStrictOrderOneIsActive() throws SQLException {
        try (RunningServer active = RunningServer.with(leased("exclusive", "strict"))) {
            active.ids("status_leased", 3);
            try (RunningServer standby = RunningServer.with(leased("exclusive", "strict"))) {
                JsonObject sequence = sequence(active, "status_leased");
                JsonObject own = sequence.getJsonObject("tenure");
                JsonObject other = sequence(standby, "status_leased").getJsonObject("tenure");

                assertThat(sequence.getLong("issued")).isEqualTo(3);
                assertThat(own.getString("role")).isEqualTo("active");
                assertThat(own.getLong("leaseLeftMillis")).isPositive();
                assertThat(other.getString("role")).isEqualTo("standby");
                assertThat(other.getString("active")).isEqualTo(own.getString("active"));
                assertThat(other.fieldNames()).doesNotContain("leaseLeftMillis");
            }
        }
        H2Servers.drop("status_lease");
    }

    @Test
    void countsAreComparedWithinAnInstance() {
        try (RunningServer server = RunningServer.ofMemory("status_counts");
                RunningServer other = RunningServer.ofMemory("status_counts")) {
            JsonObject before = status(server);
            server.ids("status_counts", 4);
            JsonObject after = status(server);

            assertThat(after.getString("instance"))
                    .isEqualTo(before.getString("instance"))
                    .isNotEqualTo(status(other).getString("instance"));
            assertThat(after.getLong("uptimeMillis")).isGreaterThanOrEqualTo(before.getLong("uptimeMillis"));
            assertThat(sequences(after).get(0).getLong("issued")
                            - sequences(before).get(0).getLong("issued"))
                    .isEqualTo(4);
            assertThat(after.getString("host")).isNotBlank();
            assertThat(after.getBoolean("leaving")).isFalse();
        }
    }

    @Test
    void aSequenceThatCouldNotBeOpenedSaysWhy() {
        ScriptedBackendProvider.script("status_down").refusal =
                new IdUnavailableException("The store does not answer, password=battery-staple");
        try (RunningServer server = RunningServer.with(Map.of(
                "backend", "memory",
                "seq.status_down.backend", ScriptedBackendProvider.NAME,
                "server.sequences", "status_up, status_down"))) {
            JsonObject status = status(server);

            assertThat(status.getString("status")).isEqualTo("DOWN");
            assertThat(sequences(status).get(0).getString("status")).isEqualTo("UP");
            assertThat(sequences(status).get(1).getString("reason"))
                    .isEqualTo("the sequence could not be opened: The store does not answer, password=***");
            assertThat(sequences(status).get(1).getLong("issued")).isZero();
        }
    }

    /** More requests than there are workers wait for the store. The figures need neither. */
    @Test
    void itIsReadWhileTheStoreDoesNotAnswer() {
        Script script = ScriptedBackendProvider.script("status_waits");
        try (RunningServer server = RunningServer.with(
                Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", "status_waits"))) {
            HttpRequest request = server.request("/v1/sequences/status_waits/ids")
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                            () -> server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                    .limit(6)
                    .toList();

            Await.until("all wait", () -> status(server).getInteger("waiting") == 6);

            script.permits.release(6);
            answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
            assertThat(status(server).getInteger("waiting")).isZero();
        }
    }

    @Test
    void aTokenSeesItsSequencesOnly() {
        ScriptedBackendProvider.script("status_others").refusal = new IdUnavailableException("Others' secret");
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("seq.status_others.backend", ScriptedBackendProvider.NAME);
        settings.put("server.sequences", "status_own, status_others");
        settings.put("server.token.reader.hash", Access.hash("reader"));
        settings.put("server.token.reader.sequences", "status_own");
        settings.put("server.token.taker.hash", Access.hash("taker"));
        settings.put("server.token.taker.sequences", "*");
        settings.put("server.token.taker.rights", "ids");
        try (RunningServer server = RunningServer.with(settings)) {
            HttpResponse<String> read = with(server, "reader");

            assertThat(read.body()).doesNotContain("status_others", "Others' secret");
            JsonObject status = new JsonObject(read.body());
            assertThat(sequences(status).stream().map(each -> each.getString("sequence")))
                    .containsExactly("status_own");
            assertThat(status.getString("status")).isEqualTo("UP");
            assertProblem(with(server, "taker"), 403, "forbidden");
            assertProblem(server.get("/v1/status"), 401, "unauthenticated");
        }
    }

    private static HttpResponse<String> with(RunningServer server, String token) {
        return server.send(server.request("/v1/status")
                .header("Authorization", "Bearer " + token)
                .build());
    }
}
