package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sequence is, its ids decoded, and compared with existing ones. */
class SequenceOperationsTest {

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend", "sequence_table",
                "sequence_table.servers",
                        "jdbc:h2:mem:server_one;DB_CLOSE_DELAY=-1, jdbc:h2:mem:server_two;DB_CLOSE_DELAY=-1",
                "create_tables", "true",
                "seq.photos.backend", "snowflake",
                "seq.photos.snowflake.worker", "7",
                "server.sequences", "users, photos, raised"));
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        H2Servers.drop("server_one", "server_two");
    }

    @Test
    void theServedSequencesAreListed() {
        HttpResponse<String> answer = server.get("/v1/sequences");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(new JsonObject(answer.body()).getJsonArray("sequences"))
                .isEqualTo(new JsonArray().add("users").add("photos").add("raised"));
    }

    @Test
    void aSequenceThatCountsHasItsCountersAndItsToken() {
        server.ids("users", 1);

        JsonObject users = new JsonObject(server.get("/v1/sequences/users").body());

        assertThat(users.getString("sequence")).isEqualTo("users");
        assertThat(users.getString("kind")).isEqualTo("blocks");
        assertThat(users.getString("step")).isEqualTo("2");
        assertThat(Long.parseLong(users.getString("maxDistance"))).isPositive();
        assertThat(users.getString("token")).isNotBlank();
        assertThat(users.getJsonObject("counters").fieldNames()).hasSize(2);
        assertThat(users.fieldNames()).doesNotContain("layout", "epoch");
        JsonObject block =
                new JsonObject(server.post("/v1/sequences/users/blocks").body());
        assertThat(block.getString("token")).isEqualTo(users.getString("token"));
    }

    @Test
    void aSequenceWhoseIdsHoldTheTimeHasItsLayout() {
        JsonObject photos = new JsonObject(server.get("/v1/sequences/photos").body());

        assertThat(photos)
                .isEqualTo(new JsonObject()
                        .put("sequence", "photos")
                        .put("kind", "composed")
                        .put("maxIds", 10_000)
                        .put("maxBlock", 1_000_000)
                        .put("step", "1")
                        .put("maxDistance", "0")
                        .put("layout", "time(ms):41, worker:10, sequence:12")
                        .put("epoch", "2024-01-01T00:00:00Z"));
    }

    @Test
    void anIdIsDecoded() {
        assertThat(new JsonObject(server.get("/v1/sequences/photos/ids/4194304").body()))
                .isEqualTo(new JsonObject()
                        .put("sequence", "photos")
                        .put("id", "4194304")
                        .put("time", "2024-01-01T00:00:00.001Z")
                        .put("fields", new JsonObject().put("worker", "0").put("sequence", "0"))
                        .put("bits", "0".repeat(40) + "1 0000000000 000000000000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "007", "1.5", "abc", "9223372036854775808", "99999999999999999999", "%31%3F"})
    void whatIsNoIdIsRefused(String id) {
        assertThat(assertProblem(server.get("/v1/sequences/photos/ids/" + id), 400, "invalid-parameter")
                        .getString("detail"))
                .contains("allowed: a number from 1 to 9223372036854775807");
    }

    @Test
    void existingIdsBelowTheCounterAreAccepted() {
        // One server counts odd ids, the other one even ids. Blocks come from both in turn.
        Await.until("both have given ids", () -> {
            server.ids("users", 20);
            JsonObject counters =
                    new JsonObject(server.get("/v1/sequences/users").body()).getJsonObject("counters");
            return counters.stream().allMatch(each -> Long.parseLong((String) each.getValue()) >= 2);
        });

        HttpResponse<String> answer = server.post("/v1/sequences/users/above", "{\"existing\":[\"1\",\"2\"]}");

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void existingIdsAboveTheCounterAreRefusedUntilItIsRaised() {
        String raised = "/v1/sequences/raised/above";
        JsonObject problem = assertProblem(server.post(raised, "{\"existing\":[\"5000001\"]}"), 409, "not-above");
        assertThat(problem.getString("detail")).contains("5000001");

        assertThat(server.post(raised, "{\"existing\":[\"5000001\"],\"raise\":true}")
                        .statusCode())
                .isEqualTo(204);

        assertThat(server.post(raised, "{\"existing\":[\"5000001\"],\"raise\":false}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.ids("raised", 1).get(0)).isGreaterThan(5_000_001);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "7",
                "null",
                "{}",
                "{\"existing\":[]}",
                "{\"existing\":null}",
                "{\"existing\":\"7\"}",
                "{\"existing\":[7]}",
                "{\"existing\":[\"7x\"]}",
                "{\"existing\":[null]}",
                "{\"existing\":[\"9223372036854775808\"]}",
                "{\"existing\":[\"7\"],\"raise\":\"true\"}",
                "{\"existing\":[\"7\"],\"raise\":null}",
                "{\"existing\":[\"7\"],\"rise\":true}"
            })
    void aBodyOfAnotherFormIsRefused(String body) {
        JsonObject problem = assertProblem(server.post("/v1/sequences/users/above", body), 400, "invalid-body");

        assertThat(problem.getString("detail"))
                .isEqualTo("The body of the request is not as described: " + body + ", allowed: 1 to 1000 ids as texts"
                        + " of up to 64 bits, as in {\"existing\":[\"5000\",\"17\"],\"raise\":false}");
    }

    @Test
    void aBodyWhereNoneIsTakenIsRefused() {
        assertThat(assertProblem(server.post("/v1/sequences/users/ids", "{\"n\":5}"), 400, "invalid-body")
                        .getString("detail"))
                .isEqualTo("This path takes no body: content-length=7. Send parameters in the query string");
    }
}
