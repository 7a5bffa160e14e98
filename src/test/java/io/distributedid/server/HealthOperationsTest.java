package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What orchestrators and Prometheus read. */
class HealthOperationsTest {

    @Test
    void aServerWithIdsIsReady() {
        try (RunningServer server = RunningServer.ofMemory("health_up")) {
            assertThat(new JsonObject(server.get("/health/live").body()))
                    .isEqualTo(new JsonObject().put("status", "UP"));
            HttpResponse<String> ready = server.get("/health/ready");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(new JsonObject(ready.body()).getJsonObject("sequences").getJsonObject("health_up"))
                    .isEqualTo(new JsonObject().put("status", "UP"));
        }
    }

    /** An orchestrator that restarts a server whose store is down makes nothing better. */
    @Test
    void aServerStartsWithoutItsStoreAndIsReadyOnceItAnswers() {
        Script script = ScriptedBackendProvider.script("health_late");
        script.refusal = new IdUnavailableException("The store does not answer");
        script.permits.release(1);
        try (RunningServer server = RunningServer.with(
                Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", "health_late"))) {
            assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
            HttpResponse<String> answer = server.get("/health/ready");
            JsonObject problem = assertProblem(answer, 503, "not-ready");
            assertThat(problem.getJsonObject("sequences")
                            .getJsonObject("health_late")
                            .getString("reason"))
                    .isEqualTo("the sequence could not be opened: The store does not answer");
            assertThat(assertProblem(server.post("/v1/sequences/health_late/ids"), 503, "unavailable")
                            .getString("detail"))
                    .contains("The store does not answer");

            script.refusal = null;

            Await.until("it is ready", () -> server.get("/health/ready").statusCode() == 200);
            assertThat(server.ids("health_late", 1)).containsExactly(1L);
        }
    }

    @Test
    void prometheusReadsTheMetersOfTheIdsAndOfTheServer() {
        try (RunningServer server = RunningServer.with(
                Map.of("backend", "snowflake", "snowflake.worker", 3, "server.sequences", "health_meters"))) {
            server.ids("health_meters", 5);
            server.get("/v1/sequences/nowhere");

            HttpResponse<String> answer = server.get("/metrics");

            assertThat(answer.headers().firstValue("content-type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.body())
                    .contains(
                            "distributedid_worker_number{seq=\"health_meters\"} 3.0",
                            "distributedid_server_requests_seconds_count{path=\"/v1/sequences/{seq}/ids\",status=\"200\"} 1",
                            "distributedid_server_requests_seconds_count{path=\"/v1/sequences/{seq}\",status=\"404\"} 1",
                            "distributedid_server_connections 1.0",
                            "distributedid_server_running 1.0",
                            "distributedid_server_waiting 0.0");
        }
    }

    /** Everyone may read the health. */
    @Test
    void aSecretInAMessageOfAStoreIsMasked() {
        Script script = ScriptedBackendProvider.script("health_secret");
        script.refusal = new IdUnavailableException("Access denied: correct-horse");
        Secrets secrets =
                Secrets.of(Map.of("distributedid.ticket.password", "correct-horse"), InstalledBackends.declarations());
        try (RunningServer server = RunningServer.with(
                secrets, Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", "health_secret"))) {
            assertThat(server.get("/health/ready").body())
                    .contains("Access denied: ***")
                    .doesNotContain("correct-horse");
        }
    }
}
