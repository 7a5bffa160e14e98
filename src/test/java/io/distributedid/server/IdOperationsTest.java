package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each test has sequences of its own, since a counter in memory lives as long as the JVM. */
class IdOperationsTest {

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend",
                "memory",
                "server.sequences",
                "ids_one, ids_many, ids_numbers, ids_large, ids_block, ids_threads",
                "server.max_ids",
                5000,
                "server.max_block",
                500,
                "seq.ids_large.memory.start",
                (1L << 53) - 1));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void oneIdIsGivenAsAString() {
        HttpResponse<String> answer = server.post("/v1/sequences/ids_one/ids");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(answer.body()).isEqualTo("{\"sequence\":\"ids_one\",\"ids\":[\"1000001\"]}");
    }

    @Test
    void asManyIdsAreGivenAsWereAskedFor() {
        assertThat(server.ids("ids_many", 5000))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1_000_001, 1_005_000).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bothVersionsOfHttpAreSpoken(HttpClient.Version version) {
        String sequence = version == HttpClient.Version.HTTP_2 ? "ids_http2" : "ids_http1";
        try (RunningServer other =
                RunningServer.with(version, Map.of("backend", "memory", "server.sequences", sequence))) {
            for (int i = 1; i <= 3; i++) {
                HttpResponse<String> answer = other.post("/v1/sequences/" + sequence + "/ids");
                assertThat(answer.version()).isEqualTo(version);
                assertThat(answer.body()).contains("[\"100000" + i + "\"]");
            }
        }
    }

    @Test
    void idsAreNumbersOnRequest() {
        assertThat(server.post("/v1/sequences/ids_numbers/ids?n=2&as=number").body())
                .isEqualTo("{\"sequence\":\"ids_numbers\",\"ids\":[1000001,1000002]}");
    }

    @Test
    void numbersThatReadersRoundAreRefused() {
        assertThat(server.post("/v1/sequences/ids_large/ids?as=number").body()).contains("[9007199254740991]");

        JsonObject problem =
                assertProblem(server.post("/v1/sequences/ids_large/ids?as=number"), 400, "invalid-parameter");

        assertThat(problem.getString("detail"))
                .startsWith("A parameter has a value that is not allowed: as=number, allowed: string.");
        assertThat(server.post("/v1/sequences/ids_large/ids").body()).contains("[\"9007199254740993\"]");
    }

    @ParameterizedTest
    @CsvSource({
        "n=0, 'n=0, allowed: a number from 1 to 5000'",
        "n=5001, 'n=5001, allowed: a number from 1 to 5000'",
        "n=-1, 'n=-1, allowed: a number from 1 to 5000'",
        "n=99999999999999999999, 'n=99999999999999999999, allowed: a number from 1 to 5000'",
        "n=1.0, 'n=1.0, allowed: a number from 1 to 5000'",
        "n=%31%30%30%30%30, 'n=10000, allowed: a number from 1 to 5000'",
        "as=text, 'as=text, allowed: string, number'",
        "as=number&as=number, 'A parameter is repeated: as'",
        "n=, 'A parameter has no value: n'",
        "n, 'A parameter has no value: n'",
        "count=5, 'There is no such parameter: count. Allowed: n, as'",
        "N=5, 'There is no such parameter: N. Allowed: n, as'",
        "n=1&, 'There is no such parameter: . Allowed: n, as'",
        "n=%C3%28, 'A parameter is not well-formed: %C3%28'"
    })
    void whatIsNotAllowedIsRefusedAndNothingIsClamped(String query, String message) {
        JsonObject problem = assertProblem(server.post("/v1/sequences/ids_one/ids?" + query), 400, "invalid-parameter");

        assertThat(problem.getString("detail")).contains(message);
    }

    @Test
    void anUnknownSequenceHasTheNearestName() {
        JsonObject problem = assertProblem(server.post("/v1/sequences/ids_ome/ids"), 404, "unknown-sequence");

        assertThat(problem.getString("nearest")).isEqualTo("ids_one");
        assertThat(problem.getString("detail"))
                .isEqualTo("There is no such sequence: seq=ids_ome. Did you mean" + " ids_one?");
        assertThat(assertProblem(server.post("/v1/sequences/orders/ids"), 404, "unknown-sequence")
                        .containsKey("nearest"))
                .isFalse();
    }

    @Test
    void aBlockIsAnArithmeticProgressionWithItsAge() {
        JsonObject answer = new JsonObject(
                server.post("/v1/sequences/ids_block/blocks?count=100").body());

        assertThat(answer.getString("sequence")).isEqualTo("ids_block");
        JsonArray blocks = answer.getJsonArray("blocks");
        assertThat(blocks).hasSize(1);
        JsonObject block = blocks.getJsonObject(0);
        assertThat(block.getString("first")).isEqualTo("1000001");
        assertThat(Long.parseLong(block.getString("step"))).isEqualTo(1);
        assertThat(Long.parseLong(block.getString("count"))).isBetween(1L, 100L);
        assertThat(block.getLong("ageMillis")).isNotNegative();

        long next = server.ids("ids_block", 1).get(0);
        assertThat(next).isGreaterThanOrEqualTo(1_000_001 + Long.parseLong(block.getString("count")));
        JsonObject large = new JsonObject(
                        server.post("/v1/sequences/ids_block/blocks?count=501").body())
                .getJsonArray("blocks")
                .getJsonObject(0);
        assertThat(Long.parseLong(large.getString("count"))).isBetween(1L, 500L);
    }

    @Test
    void aBlockIsNeverLargerThanAllowed() {
        assertThat(assertProblem(server.post("/v1/sequences/ids_block/blocks?count=10000001"), 400, "invalid-parameter")
                        .getString("detail"))
                .contains("count=10000001, allowed: a number from 1 to 10000000");
    }
}
