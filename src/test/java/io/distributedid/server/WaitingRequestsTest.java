package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crac.Context;
import javax.crac.Core;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for ids that are not in memory wait off the event loops, with a bound. */
@Timeout(300)
@Tag("slow")
class WaitingRequestsTest {

    private static RunningServer server(String sequences, int maxWaiting) {
        return RunningServer.with(Map.of(
                "backend",
                ScriptedBackendProvider.NAME,
                "server.sequences",
                sequences,
                "server.threads",
                1,
                "server.idle_timeout",
                "1h",
                "server.max_waiting",
                maxWaiting));
    }

    private static CompletableFuture<HttpResponse<String>> send(RunningServer server, String path) {
        HttpRequest request =
                server.request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
        return server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static <T> T answer(CompletableFuture<T> sent) throws Exception {
        return sent.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Completed by the first answer. */
    private static <T> CompletableFuture<T> first(List<CompletableFuture<T>> answers) {
        CompletableFuture<T> first = new CompletableFuture<>();
        answers.forEach(each -> each.thenAccept(first::complete));
        return first;
    }

    @Test
    void idsInMemoryNeedNoWorker() {
        Script script = ScriptedBackendProvider.script("wait_memory");
        script.memory.set(3);
        try (RunningServer server = server("wait_memory", 10)) {
            assertThat(server.ids("wait_memory", 2)).containsExactly(1L, 2L);
            assertThat(server.ids("wait_memory", 1)).containsExactly(3L);

            assertThat(script.calls.get()).isZero();
        }
    }

    @Test
    void aBlockInMemoryNeedsNoWorkerAndMayBeSmaller() {
        Script script = ScriptedBackendProvider.script("wait_block");
        script.memory.set(3);
        try (RunningServer server = server("wait_block", 10)) {
            assertThat(server.post("/v1/sequences/wait_block/blocks?count=2").body())
                    .contains("\"first\":\"1\"", "\"count\":\"2\"");
            assertThat(server.post("/v1/sequences/wait_block/blocks?count=5").body())
                    .contains("\"first\":\"3\"", "\"count\":\"1\"");
            assertThat(script.calls.get()).isZero();

            script.permits.release(1);
            assertThat(server.post("/v1/sequences/wait_block/blocks?count=5").body())
                    .contains("\"first\":\"4\"", "\"count\":\"1\"");
            assertThat(script.calls.get()).isEqualTo(1);
        }
    }

    @Test
    void whatIsMissingIsWaitedFor() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_rest");
        script.memory.set(2);
        try (RunningServer server = server("wait_rest", 10)) {
            CompletableFuture<HttpResponse<String>> sent = send(server, "/v1/sequences/wait_rest/ids?n=4");
            Await.until("the request waits", () -> script.waiting.get() == 1);
            script.permits.release(2);

            assertThat(answer(sent).body()).contains("[\"1\",\"2\",\"3\",\"4\"]");
        }
    }

    /** Each copy of the server has the ids of the request in its memory. */
    @Test
    void idsFromBeforeACheckpointAreNotGivenAfterIt() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_copied");
        script.memory.set(2);
        try (RunningServer server = server("wait_copied", 10)) {
            CompletableFuture<HttpResponse<String>> sent = send(server, "/v1/sequences/wait_copied/ids?n=4");
            Await.until("the request waits", () -> script.waiting.get() == 1);
            Context<?> process = Core.getGlobalContext();

            process.beforeCheckpoint(null);
            process.afterRestore(null);
            script.permits.release(6);

            assertThat(answer(sent).body()).contains("[\"5\",\"6\",\"7\",\"8\"]");
        }
    }

    /** The server has one event loop; a call that waited there would stop everything. */
    @Test
    void aSequenceThatWaitsDelaysNoOther() throws Exception {
        Script stuck = ScriptedBackendProvider.script("wait_stuck");
        ScriptedBackendProvider.script("wait_other").permits.release(100);
        try (RunningServer server = server("wait_stuck, wait_other", 100)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiting.add(send(server, "/v1/sequences/wait_stuck/ids"));
            }
            Await.until("all workers of the sequence wait", () -> stuck.waiting.get() == 4);

            assertThat(server.ids("wait_other", 50)).hasSize(50);
            assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(server.get("/health/ready").statusCode()).isEqualTo(200);

            stuck.permits.release(50);
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(answer(each).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void moreRequestsThanMayWaitAreRefusedAtOnce() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_full");
        try (RunningServer server = server("wait_full", 6)) {
            List<CompletableFuture<HttpResponse<String>>> served = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                served.add(send(server, "/v1/sequences/wait_full/ids"));
                int calls = i;
                Await.until("a worker serves it", () -> script.waiting.get() == calls);
            }
            served.add(send(server, "/v1/sequences/wait_full/ids"));
            served.add(send(server, "/v1/sequences/wait_full/ids"));
            Await.until(
                    "two more wait", () -> server.get("/metrics").body().contains("distributedid_server_waiting 6.0"));

            HttpResponse<String> refused = server.post("/v1/sequences/wait_full/ids");

            assertThat(assertProblem(refused, 503, "unavailable").getString("detail"))
                    .isEqualTo("Too many requests wait already: waiting=6. Send fewer at once, or use another server");

            script.permits.release(6);
            for (CompletableFuture<HttpResponse<String>> each : served) {
                assertThat(answer(each).statusCode()).isEqualTo(200);
            }
        }
    }

    /** However many they are: each sequence has threads of its own. */
    @Test
    void manySequencesThatWaitDelayNoOther() throws Exception {
        List<String> stuck =
                IntStream.range(0, 70).mapToObj(i -> "wait_many_" + i).toList();
        ScriptedBackendProvider.script("wait_many_other").permits.release(1);
        try (RunningServer server = server(String.join(",", stuck) + ",wait_many_other", 1_000)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (String sequence : stuck) {
                for (int i = 0; i < 4; i++) {
                    waiting.add(send(server, "/v1/sequences/" + sequence + "/ids"));
                }
            }
            Await.until("they wait for their stores", () -> stuckSequences(stuck) >= 64);

            assertThat(server.ids("wait_many_other", 1)).containsExactly(1L);

            stuck.forEach(each -> ScriptedBackendProvider.script(each).permits.release(4));
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(answer(each).statusCode()).isEqualTo(200);
            }
        }
    }

    private static long stuckSequences(List<String> sequences) {
        return sequences.stream()
                .map(ScriptedBackendProvider::script)
                .filter(script -> script.waiting.get() > 0)
                .count();
    }

    /** They keep the threads for inquiries, and as many requests as may wait for them. */
    @Test
    void moreInquiriesThanMayWaitAreRefusedAtOnce() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_inquiries");
        script.decodings.drainPermits();
        try (RunningServer server = server("wait_inquiries", 100)) {
            HttpClient many =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpRequest inquiry =
                    server.request("/v1/sequences/wait_inquiries/ids/1").build();
            List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                            () -> many.sendAsync(inquiry, HttpResponse.BodyHandlers.ofString()))
                    .limit(101)
                    .toList();

            HttpResponse<String> refused = answer(first(answers));

            assertThat(assertProblem(refused, 503, "unavailable").getString("detail"))
                    .isEqualTo(
                            "Too many requests wait already: waiting=100. Send fewer at once, or use another server");
            assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(server.get("/v1/status").statusCode()).isEqualTo(200);
            script.decodings.release(100);
            for (CompletableFuture<HttpResponse<String>> each : answers) {
                assertThat(answer(each).statusCode()).isEqualTo(answer(each) == refused ? 503 : 200);
            }
        }
    }

    /** A comparison may wait for the clock to pass an existing id. */
    @Test
    void comparisonsThatWaitKeepNoThreadFromDescriptionsAndFromEachOther() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_comparisons");
        script.comparisons.drainPermits();
        try (RunningServer server = server("wait_comparisons", 100)) {
            List<CompletableFuture<HttpResponse<String>>> comparisons = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                HttpRequest request = server.request("/v1/sequences/wait_comparisons/above")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"existing\":[\"5\"]}"))
                        .build();
                comparisons.add(server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            Await.until("all wait", () -> script.comparing.get() == 20, script.comparing::get);

            assertThat(server.get("/v1/sequences/wait_comparisons/ids/1").statusCode())
                    .isEqualTo(200);
            script.comparisons.release(20);
            for (CompletableFuture<HttpResponse<String>> each : comparisons) {
                assertThat(answer(each).statusCode()).isEqualTo(204);
            }
        }
    }

    /** They have waited at least as long as the one that failed: none waits its own timeout after it. */
    @Test
    void requestsThatCameBeforeAFailedAttemptFailWithIt() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_down");
        try (RunningServer server = server("wait_down", 100)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(send(server, "/v1/sequences/wait_down/ids"));
            }
            Await.until(
                    "all are there",
                    () -> script.waiting.get() == 4
                            && server.get("/metrics").body().contains("distributedid_server_waiting 20.0"));
            script.failure = new IdUnavailableException("No server answers: password=secret");
            // The four that began first fail alone; the next attempts begin after all others had come.
            script.permits.release(8);
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                HttpResponse<String> answer = answer(each);
                assertThat(assertProblem(answer, 503, "unavailable").getString("detail"))
                        .isEqualTo("No server answers: password=***");
            }
            assertThat(script.calls.get()).isLessThanOrEqualTo(8);

            script.failure = null;
            script.permits.release(10);
            assertThat(server.post("/v1/sequences/wait_down/ids").statusCode()).isEqualTo(200);
        }
    }

    /** One attempt after another would keep the last of them waiting for as many answers of the store. */
    @Test
    void requestsThatCameBeforeARefusedAttemptAreRefusedWithIt() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_refused");
        try (RunningServer server = server("wait_refused", 100)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(send(server, "/v1/sequences/wait_refused/ids"));
            }
            Await.until(
                    "all are there",
                    () -> script.waiting.get() == 4
                            && server.get("/metrics").body().contains("distributedid_server_waiting 20.0"));
            script.failure = new IdsExhaustedException("No ids are left");
            // The four that began first fail alone; the next attempts begin after all others had come.
            script.permits.release(8);
            Set<Integer> answers = new TreeSet<>();
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                answers.add(answer(each).statusCode());
            }

            assertThat(answers).hasSize(1).doesNotContain(200);
            assertThat(script.calls.get()).isLessThanOrEqualTo(8);
        }
    }

    /** As many as there are workers. */
    @Test
    void anErrorIsAnsweredAndEndsNoWorker() {
        Script script = ScriptedBackendProvider.script("wait_error");
        script.error = new NoClassDefFoundError("a driver");
        script.permits.release(9);
        try (RunningServer server = server("wait_error", 10)) {
            for (int i = 0; i < 8; i++) {
                assertProblem(server.post("/v1/sequences/wait_error/ids"), 500, "internal");
            }
            script.error = null;

            assertThat(server.ids("wait_error", 1)).hasSize(1);
        }
    }

    @Test
    void aFaultOfTheServerShowsNothingOfIt() throws Exception {
        Script script = ScriptedBackendProvider.script("wait_fault");
        script.failure = new IllegalStateException("the inside");
        script.permits.release(1);
        try (RunningServer server = server("wait_fault", 10)) {
            HttpResponse<String> answer = server.post("/v1/sequences/wait_fault/ids");

            assertProblem(answer, 500, "internal");
            assertThat(answer.body()).doesNotContain("inside", "IllegalState", "at io.");
        }
    }
}
