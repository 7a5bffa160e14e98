package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose bodies are read, and how much of them is held. No body of these requests is ever complete. */
class BodyLimitsTest {

    private static final String ABOVE = "/v1/sequences/bodies/above";

    private static final String TINY = "/tinyid/id/nextIdSimple?bizType=bodies";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend", "memory",
                "server.sequences", "bodies",
                "server.token.web.hash", Access.hash("web"),
                "server.token.web.sequences", "*",
                "server.max_body", 1024,
                "server.request_timeout", "5m"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String request(String method, String path, String header, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n" + body;
    }

    private static long heldBytes(RunningServer server) {
        return server.server().routes().stream()
                .mapToLong(route -> route.bodies().get())
                .sum();
    }

    private static RawClient unfinished(String path, int sent, int length) throws IOException {
        String header = "Authorization: Bearer web\r\nContent-Length: " + length + "\r\n";
        return new RawClient(server).write(request("POST", path, header, "x".repeat(sent)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/status/page.js", "/openapi.yaml", "/health/live", "/health/ready", "/health/active"})
    void aPathForEveryoneReadsNoBody(String path) throws IOException {
        for (String body : List.of("Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n")) {
            try (RawClient client = new RawClient(server)) {
                client.write(request("GET", path, body, body.startsWith("C") ? "" : "1\r\nx\r\n"));

                RawClient.Answer answer = client.read();
                assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
                assertThat(new JsonObject(answer.body()).getString("detail")).startsWith("This path takes no body: ");
                assertThat(client.isClosed()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/segment/get/bodies", "/api/snowflake/get/bodies", ABOVE, "/v1/sequences/bodies/ids"})
    void anUnknownCallerIsRefusedBeforeItsBody(String path) throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write(request(path.startsWith("/api") ? "GET" : "POST", path, "Content-Length: 1000\r\n", "x"));

            assertThat(client.read().body()).contains("A token is required.");
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** Its token may stand in there. */
    @Test
    void theBodyOfATinyIdClientIsSmall() throws IOException {
        try (RunningServer large = RunningServer.with(Map.of(
                        "backend", "memory", "server.sequences", "bodies_tiny", "server.request_timeout", "5m"));
                RawClient client = new RawClient(large)) {
            client.write(request("POST", TINY, "Content-Length: 1025\r\n", ""));

            assertThat(client.read().head()).contains("x-problem: https://distributedid.io/problems/too-large");
            assertThat(client.isClosed()).isTrue();
        }
    }

    /** A hundred bodies of the largest size. Callers without a token have a share of their own kind of body only. */
    @Test
    void allBodiesTogetherHaveALimit() throws IOException {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                clients.add(unfinished(ABOVE, 1_020, 1_024));
            }
            Await.until("all are read", () -> heldBytes(server) == 102_000);
            try (RawClient late = unfinished(ABOVE, 1_000, 1_024)) {
                RawClient.Answer answer = late.read();
                assertThat(answer.status()).isEqualTo(503);
                assertThat(new JsonObject(answer.body()).getString("detail"))
                        .isEqualTo("The bodies of all requests to this path together are too large now: received=103000"
                                + " bytes, allowed: 102400. Retry later, or use another server");
                assertThat(late.isClosed()).isTrue();
            }
        } finally {
            for (RawClient each : clients) {
                each.close();
            }
        }
        Await.until("none is held", () -> heldBytes(server) == 0);
        try (RawClient next = unfinished(ABOVE, 16, 16)) {
            assertThat(next.read().status()).isEqualTo(400);
        }
    }

    /** Neither those of TinyID nor one that ends without a byte, as proxies with HTTP/2 send it. */
    @Test
    void largeBodiesKeepNoOthersOut() {
        try (RunningServer large = RunningServer.ofHttp2(
                Map.of("backend", "memory", "server.sequences", "bodies_held", "server.request_timeout", "5m"))) {
            large.ids("bodies_held", 1);
            List<CompletableFuture<?>> pending = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pending.add(large.client()
                        .sendAsync(
                                large.request("/v1/sequences/bodies_held/above")
                                        .POST(unfinished(60_000))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString()));
            }
            Await.until("both are held", () -> heldBytes(large) == 120_000);

            HttpResponse<String> empty = large.send(large.request("/v1/sequences/bodies_held/ids?n=1")
                    .POST(HttpRequest.BodyPublishers.ofInputStream(InputStream::nullInputStream))
                    .build());
            HttpResponse<String> tiny = large.send(large.request("/tinyid/id/nextId")
                    .header("content-type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString("bizType=bodies_held"))
                    .build());

            assertThat(empty.statusCode()).as(empty.body()).isEqualTo(200);
            assertThat(tiny.body()).contains("\"code\":200");
            // The end of the server waits for requests.
            pending.forEach(each -> each.cancel(true));
        }
    }

    private static HttpRequest.BodyPublisher unfinished(int length) {
        return HttpRequest.BodyPublishers.fromPublisher(subscriber -> subscriber.onSubscribe(new Flow.Subscription() {

            private final AtomicBoolean isSent = new AtomicBoolean();

            @Override
            public void request(long parts) {
                if (!isSent.getAndSet(true)) {
                    subscriber.onNext(ByteBuffer.wrap(new byte[length]));
                }
            }

            @Override
            public void cancel() {}
        }));
    }
}
