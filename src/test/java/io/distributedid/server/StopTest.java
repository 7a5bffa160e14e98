package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.Await;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a server ends: it loses no request, and hands back what it has reserved. */
@Timeout(120)
@Tag("slow")
class StopTest {

    private static final String REQUEST = "POST /v1/sequences/%s/ids HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static CompletableFuture<Void> stop(RunningServer server) {
        return CompletableFuture.runAsync(server::close);
    }

    @Test
    void whileItDrainsItIsNotReadyAndEachAnswerEndsItsConnection() throws Exception {
        try (RunningServer server = RunningServer.with(
                        Map.of("backend", "memory", "server.sequences", "stop_drain", "server.drain", "2m"));
                RawClient idle = new RawClient(server);
                RawClient other = new RawClient(server)) {
            String request = REQUEST.formatted("stop_drain");
            RawClient.Answer before = idle.write(request).read();
            assertThat(before.head()).doesNotContainIgnoringCase("connection: close");
            assertThat(other.write(request).read().status()).isEqualTo(200);

            CompletableFuture<Void> end = stop(server);
            Await.until("it is not ready", () -> server.get("/health/ready").statusCode() == 503);
            assertThat(assertProblem(server.get("/health/ready"), 503, "not-ready")
                            .getString("detail"))
                    .isEqualTo("The server is about to stop. Send requests to another one");

            RawClient.Answer last = idle.write(request).read();
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.head()).containsIgnoringCase("connection: close");
            assertThat(idle.isClosed()).isTrue();
            assertThat(end).isNotDone();

            assertThat(other.write(request).read().status()).isEqualTo(200);
            assertThat(other.isClosed()).isTrue();
            end.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aBackendThatDoesNotCloseKeepsNoPortOpen() throws Exception {
        Script script = ScriptedBackendProvider.script("stop_failure");
        script.closeFailure = new IllegalStateException("The backend does not close");
        script.memory.set(1);
        RunningServer server =
                RunningServer.with(Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", "stop_failure"));
        server.ids("stop_failure", 1);

        Assertions.assertThatThrownBy(server::close).isSameAs(script.closeFailure);

        server.server().awaitEnd();
        Assertions.assertThatThrownBy(() -> server.client()
                        .send(server.request("/health/ready").build(), HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void clientsOfHttp2AreToldToo() throws Exception {
        try (RunningServer server = RunningServer.ofHttp2(
                Map.of("backend", "memory", "server.sequences", "stop_http2", "server.drain", "2m"))) {
            server.ids("stop_http2", 1);
            assertThat(server.get("/health/ready").version()).isEqualTo(HttpClient.Version.HTTP_2);

            // Ends before its drain, since the client closes the connection.
            stop(server).get(1, TimeUnit.MINUTES);
        }
    }

    /** The client of Java 17 fails all running requests when it is told to leave. */
    @Test
    void noRequestOfHttp2FailsAsLongAsItIsAnswered() throws Exception {
        try (RunningServer server = RunningServer.ofHttp2(
                Map.of("backend", "memory", "server.sequences", "stop_busy", "server.drain", "2m"))) {
            server.ids("stop_busy", 1);
            CompletableFuture<Void> end = stop(server);
            int told = 0;
            boolean isQuiet = false;
            long answered = System.nanoTime();
            for (int i = 0; i < 5_000 && told < 400 && !isQuiet; i++) {
                long begun = System.nanoTime();
                try {
                    assertThat(server.ids("stop_busy", 1)).hasSize(1);
                    told += server.get("/health/ready").statusCode() == 503 ? 1 : 0;
                } catch (AssertionError e) {
                    // Allowed if a busy machine has held this thread up, perhaps while it got the last answers.
                    isQuiet = System.nanoTime() - answered >= Traffic.QUIET.toNanos();
                    if (!isQuiet) {
                        throw e;
                    }
                }
                answered = begun;
            }

            assertThat(isQuiet || told == 400).as("told %d times", told).isTrue();
            end.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void aRequestThatWaitsIsStillAnswered() throws Exception {
        Script script = ScriptedBackendProvider.script("stop_waiting");
        try (RunningServer server = RunningServer.with(
                Map.of("backend", ScriptedBackendProvider.NAME, "server.sequences", "stop_waiting"))) {
            CompletableFuture<HttpResponse<String>> sent = server.client()
                    .sendAsync(
                            server.request("/v1/sequences/stop_waiting/ids")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            Await.until("it waits", () -> script.waiting.get() == 1);

            CompletableFuture<Void> end = stop(server);
            Await.until("new requests are refused", () -> isRefused(server));
            assertThat(end).isNotDone();
            script.permits.release(1);

            assertThat(sent.get(1, TimeUnit.MINUTES).body()).contains("[\"1\"]");
            end.get(1, TimeUnit.MINUTES);
            Assertions.assertThatThrownBy(() -> server.client()
                            .send(server.request("/health/live").build(), HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(ConnectException.class);
        }
    }

    /** Its connection is closed, or with HTTP/2 its stream. */
    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aCallerThatHasGoneIsNotWaitedFor(HttpClient.Version version) throws Exception {
        String sequence = "stop_gone_" + version;
        Script script = ScriptedBackendProvider.script(sequence);
        try (RunningServer server = RunningServer.with(
                version,
                Map.of(
                        "backend",
                        ScriptedBackendProvider.NAME,
                        "server.sequences",
                        sequence,
                        "server.request_timeout",
                        "10m"))) {
            CompletableFuture<HttpResponse<String>> sent = server.client()
                    .sendAsync(
                            server.request("/v1/sequences/" + sequence + "/ids")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            Await.until("it waits", () -> script.waiting.get() == 1);
            assertThat(server.get("/metrics").body()).contains("distributedid_server_running 2.0");

            sent.cancel(true);

            String alone = "distributedid_server_running 1.0";
            Await.until(
                    "it is not waited for", () -> server.get("/metrics").body().contains(alone));
            script.permits.release(1);
            Await.until("its id was taken", () -> server.get("/metrics").body().contains("{seq}/ids"));
            assertThat(server.get("/metrics").body()).contains(alone);
            stop(server).get(1, TimeUnit.MINUTES);
        }
    }

    private static boolean isRefused(RunningServer server) {
        HttpResponse<String> answer = server.post("/v1/sequences/stop_waiting/blocks?count=0");
        return answer.statusCode() == 503
                && assertProblem(answer, 503, "unavailable")
                        .getString("detail")
                        .equals("The server is about to stop. Use another one");
    }

    @Test
    void aRequestThatWaitsTooLongIsAnsweredWithAnError() throws Exception {
        Script script = ScriptedBackendProvider.script("stop_late");
        try (RunningServer server = RunningServer.with(Map.of(
                "backend", ScriptedBackendProvider.NAME,
                "server.sequences", "stop_late",
                "server.request_timeout", "100ms"))) {
            CompletableFuture<HttpResponse<String>> sent = server.client()
                    .sendAsync(
                            server.request("/v1/sequences/stop_late/ids")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            Await.until("it waits", () -> script.waiting.get() == 1);

            server.server().close();

            assertThat(assertProblem(sent.get(1, TimeUnit.MINUTES), 503, "unavailable")
                            .getString("detail"))
                    .isEqualTo("The source of ids is closed");
        }
    }
}
