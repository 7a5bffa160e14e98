package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Block;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of Leaf and TinyID read what they know. */
class DropInPathsTest {

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend", "memory",
                "server.sequences", "leaf_a, leaf_b, leaf_c, tiny_a, tiny_b, tiny_c, tiny_d",
                "server.leaf.keys", "order.id=leaf_c, 1001 = leaf_c,\u8ba2\u5355=leaf_c",
                "server.max_ids", 50));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void leafGetsAnIdAsText() {
        HttpResponse<String> answer = server.get("/api/segment/get/leaf_a");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain;charset=UTF-8");
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(answer.body()).isEqualTo("1000001");
        assertThat(server.get("/api/snowflake/get/leaf_b?unused=1").body()).isEqualTo("1000001");
    }

    /** Its clients can't exchange their keys. */
    @Test
    void leafsKeysAreThoseOfTheSettings() {
        assertThat(server.get("/api/segment/get/order.id").body()).isEqualTo("1000001");
        assertThat(server.get("/api/snowflake/get/1001").body()).isEqualTo("1000002");
        assertThat(server.get("/api/segment/get/%E8%AE%A2%E5%8D%95").body()).isEqualTo("1000003");
        assertThat(server.get("/api/segment/get/leaf_c").body()).isEqualTo("1000004");
        assertThat(server.get("/api/segment/get/1002").statusCode()).isEqualTo(500);
        assertThat(server.post("/v1/sequences/order.id/ids").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order.id | order.id |",
                "a=b=leaf_b | a=b=leaf_b |",
                "a=leaf_a, =leaf_b | =leaf_b |",
                "a=lef_a | a=lef_a | . Did you mean leaf_a?",
                "a=keyed_a | a=keyed_a |",
                "a=leaf_a, a=leaf_b | a=leaf_b |",
                "leaf_b=leaf_a | leaf_b=leaf_a |"
            })
    void aKeyOfLeafThatIsNotAllowedFailsTheStart(String keys, String entry, String meant) {
        Map<String, Object> settings = Map.of(
                "backend",
                "memory",
                "server.sequences",
                "leaf_a, leaf_b",
                "server.keyed",
                "keyed_a",
                "keyed.row.server",
                "jdbc:h2:mem:leaf_keys",
                "server.leaf.keys",
                keys);

        assertThatThrownBy(() -> RunningServer.with(settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.server.leaf.keys=" + entry
                        + ", allowed: keys of Leaf with their sequences, separated by commas, as in order.id=orders,"
                        + " 1001=users; a key contains neither '=' nor ','. A key has one sequence, which the server"
                        + " serves" + (meant == null ? "" : meant));
    }

    @Test
    void leafGetsItsOwnErrors() {
        HttpResponse<String> answer = server.get("/api/segment/get/leaf_x");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json;charset=UTF-8");
        JsonObject error = new JsonObject(answer.body());
        assertThat(error.getLong("timestamp")).isPositive();
        assertThat(error.getInteger("status")).isEqualTo(500);
        assertThat(error.getString("error")).isEqualTo("Internal Server Error");
        assertThat(error.getString("message")).isEqualTo("Result{id=-2, status=EXCEPTION}");
        assertThat(error.getString("path")).isEqualTo("/api/segment/get/leaf_x");
        assertThat(error.getString("detail")).isEqualTo("There is no such sequence: seq=leaf_x. Did you mean leaf_a?");
    }

    @Test
    void tinyIdGetsIdsAsJson() {
        HttpResponse<String> answer = server.get("/tinyid/id/nextId?bizType=tiny_a&batchSize=3&token=any");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json;charset=UTF-8");
        assertThat(answer.body()).isEqualTo("{\"data\":[1000001,1000002,1000003],\"code\":200,\"message\":\"\"}");
        assertThat(new JsonObject(
                                server.post("/tinyid/id/nextId?bizType=tiny_a").body())
                        .getJsonArray("data"))
                .isEqualTo(new JsonArray().add(1_000_004));
    }

    @ParameterizedTest
    @CsvSource({
        "bizType=tiny_x, There is no such sequence: seq=tiny_x. Did you mean tiny_a?",
        "batchSize=1, There is no such sequence: seq=. The server issues ids of the sequences in"
                + " distributedid.server.sequences",
        "bizType=tiny_a&batchSize=51, 'A parameter has a value that is not allowed: batchSize=51, allowed: a number"
                + " from 1 to 50'",
        "bizType=tiny_a&batchSize=x, 'A parameter has a value that is not allowed: batchSize=x, allowed: a number from"
                + " 1 to 50'"
    })
    void tinyIdGetsItsOwnErrors(String query, String message) {
        HttpResponse<String> answer = server.get("/tinyid/id/nextId?" + query);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(new JsonObject(answer.body()))
                .isEqualTo(new JsonObject().putNull("data").put("code", 6).put("message", message));
    }

    @Test
    void tinyIdGetsIdsAsText() {
        assertThat(server.get("/tinyid/id/nextIdSimple?bizType=tiny_b&token=any")
                        .body())
                .isEqualTo("1000001");
        assertThat(server.get("/tinyid/id/nextIdSimple?bizType=tiny_b&batchSize=2")
                        .body())
                .isEqualTo("1000002,1000003");
    }

    @Test
    void tinyIdReadsAForm() {
        HttpResponse<String> answer = server.send(server.request("/tinyid/id/nextIdSimple?_=1")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("bizType=tiny_c&batchSize=2&token="))
                .build());

        assertThat(answer.body()).isEqualTo("1000001,1000002");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nextIdSimple", "nextSegmentIdSimple"})
    void aPlainErrorIsEmptyAndNamedInTheHeader(String path) {
        HttpResponse<String> answer = server.get("/tinyid/id/" + path + "?bizType=tiny_x");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValue("x-problem"))
                .hasValue("https://distributedid.io/problems/unknown-sequence");
    }

    /** As TinyID's client asks: a POST without a body. */
    @Test
    void tinyIdsClientGetsASegment() throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) server.uri("/tinyid/id/nextSegmentIdSimple?bizType=tiny_d&token=any")
                        .toURL()
                        .openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.getOutputStream().close();
        String text;
        try (InputStream in = connection.getInputStream()) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        String[] numbers = text.split(",");
        assertThat(numbers).hasSize(5);
        long current = Long.parseLong(numbers[0]);
        long last = Long.parseLong(numbers[2]);
        assertThat(current).isEqualTo(1_000_000);
        assertThat(last).isGreaterThan(current);
        assertThat(Long.parseLong(numbers[1])).isBetween(current, last);
        assertThat(server.ids("tiny_d", 1).get(0)).isGreaterThan(last);
    }

    @ParameterizedTest
    @CsvSource({
        "1001, 1, 1000, '1000,1200,2000,1,0'",
        "7, 2, 5, '5,7,15,2,1'",
        "1, 2, 3, '-1,0,5,2,1'",
        "9, 3, 1, '6,6,9,3,0'"
    })
    void aSegmentHoldsTheIdsOfItsBlock(long first, int step, int count, String segment) {
        Block block = new Block(first, step, count);

        assertThat(DropInOperations.segment(block)).isEqualTo(segment);
        String[] numbers = segment.split(",");
        long id = Long.parseLong(numbers[0]);
        for (int i = 0; i < count; i++) {
            id += Long.parseLong(numbers[3]);
            assertThat(id).isEqualTo(first + (long) i * step).isLessThanOrEqualTo(Long.parseLong(numbers[2]));
            assertThat(id % step).isEqualTo(Long.parseLong(numbers[4]));
        }
        assertThat(id + step).isGreaterThan(Long.parseLong(numbers[2]));
    }
}
