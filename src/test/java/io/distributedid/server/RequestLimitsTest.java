package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths, methods, and the limits on what a client sends. */
class RequestLimitsTest {

    private static final String IDS = "/v1/sequences/limits/ids";

    private static final String ABOVE = "/v1/sequences/limits/above";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend", "memory",
                "server.sequences", "limits",
                "server.max_body", 2048,
                "server.max_header", 1024,
                "server.request_timeout", "200ms"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String post(String path, String header, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n" + body;
    }

    private static JsonObject problem(RawClient.Answer answer, int status, String type) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.head()).contains("application/problem+json");
        JsonObject problem = new JsonObject(answer.body());
        assertThat(problem.getString("type")).endsWith("/" + type);
        return problem;
    }

    /** Browsers say for which page they send a request. */
    @ParameterizedTest
    @CsvSource({"cross-site, 403", "same-site, 403", "same-origin, 200", "none, 200"})
    void noPageOfAnotherSiteTakesIds(String site, int status) {
        for (String path : List.of("/v1/sequences/limits/ids", "/v1/sequences/limits/blocks")) {
            HttpResponse<String> answer = server.send(server.request(path)
                    .header("Sec-Fetch-Site", site)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build());

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        }
    }

    @Test
    void anotherMethodIsRefusedWithThoseAllowed() {
        HttpResponse<String> get = server.get(IDS);
        assertThat(assertProblem(get, 405, "method-not-allowed").getString("detail"))
                .isEqualTo("The path does not support this method: GET " + IDS + ", allowed: POST");
        assertThat(get.headers().firstValue("allow")).hasValue("POST");

        for (String method : new String[] {"PUT", "DELETE", "OPTIONS", "PATCH", "BREW"}) {
            HttpResponse<String> answer = server.send(server.request("/v1/sequences")
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build());
            assertProblem(answer, 405, "method-not-allowed");
            assertThat(answer.headers().firstValue("allow")).hasValue("GET");
        }
    }

    @Test
    void aBodyAboveTheLimitIsRefusedBeforeItIsSent() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post(ABOVE, "Content-Length: 2049\r\n", ""));

            assertThat(problem(client.read(), 413, "too-large").getString("detail"))
                    .contains("content-length=2049", "allowed: up to 2048 bytes", "distributedid.server.max_body");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void aBodyWithoutALengthIsRefusedWhereItPassesTheLimit() throws IOException {
        String chunk = "400\r\n" + "x".repeat(1024) + "\r\n";
        try (RawClient client = new RawClient(server)) {
            client.write(post(ABOVE, "Transfer-Encoding: chunked\r\n", chunk + chunk + "1\r\nx\r\n"));

            problem(client.read(), 413, "too-large");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void aBodyThatDoesNotArriveInTimeIsRefused() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post(ABOVE, "Content-Length: 20\r\n", "{\"existing\""));

            assertThat(problem(client.read(), 408, "timeout").getString("detail"))
                    .contains("received=11 bytes in 200 ms", "distributedid.server.request_timeout");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void aBodyInSeveralPartsIsRead() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post(ABOVE, "Transfer-Encoding: chunked\r\n", "c\r\n{\"existing\":\r\n"));
            client.write("6\r\n[\"1\"]}\r\n0\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(204);
        }
    }

    @Test
    void aHeaderAboveTheLimitIsRefused() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post(IDS, "X-Long: " + "x".repeat(1100) + "\r\n", ""));

            assertThat(problem(client.read(), 431, "header-too-large").getString("detail"))
                    .contains("distributedid.server.max_header");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void aFirstLineAboveTheLimitIsRefused() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post("/" + "x".repeat(1100), "", ""));

            problem(client.read(), 414, "uri-too-long");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST\r\n\r\n",
                "POST " + IDS + " HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                "POST " + IDS + " HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "POST " + IDS + " HTTP/1.1\r\nbad header: x\r\n\r\n",
                "\u0001\u0002\u0003\r\n\r\n"
            })
    void whatIsNoHttpIsRefusedInAWellFormedAnswer(String request) throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(request);

            problem(client.read(), 400, "invalid-request");
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** What looks like names of Java classes is searched for such names. */
    @Test
    void aNameOfAHeaderThatLooksLikeAPackageIsRefusedToo() throws IOException {
        try (RunningServer usual = RunningServer.ofMemory("limits");
                RawClient client = new RawClient(usual)) {
            client.write(post(IDS, "A.".repeat(3_000) + "@: x\r\n", ""));

            problem(client.read(), 400, "invalid-request");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void requestsThatComeTogetherAreAnsweredInTheirOrder() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(post(IDS, "", "") + "GET /nowhere HTTP/1.1\r\n\r\n" + post(IDS, "Content-Length: 0\r\n", ""));

            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void connectionsAboveTheLimitAreClosed() throws IOException {
        try (RunningServer small = RunningServer.with(Map.of(
                        "backend", "memory",
                        "server.sequences", "limits",
                        "server.max_connections", 2));
                RawClient first = new RawClient(small);
                RawClient second = new RawClient(small)) {
            assertThat(first.write(post(IDS, "", "")).read().status()).isEqualTo(200);
            assertThat(second.write(post(IDS, "", "")).read().status()).isEqualTo(200);
            try (RawClient third = new RawClient(small)) {
                assertThat(third.write(post(IDS, "", "")).isClosed()).isTrue();
            }
            assertThat(first.write(post(IDS, "", "")).read().status()).isEqualTo(200);
        }
    }

    @Test
    void aConnectionWithoutRequestsIsClosed() throws IOException {
        try (RunningServer impatient = RunningServer.with(Map.of(
                        "backend", "memory",
                        "server.sequences", "limits",
                        "server.idle_timeout", "1s"));
                RawClient client = new RawClient(impatient)) {
            assertThat(client.write(post(IDS, "", "")).read().status()).isEqualTo(200);

            assertThat(client.isClosed()).isTrue();
        }
    }
}
