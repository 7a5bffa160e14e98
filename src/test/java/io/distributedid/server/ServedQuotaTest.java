package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import io.distributedid.server.ScriptedBackendProvider.Script;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A quota of one id a second, and requests of hundreds, so that no time that passes pays for a second one. */
@Timeout(300)
class ServedQuotaTest {

    private static final String DATABASE = "served_quota";

    /** One connection and one event loop: requests are read in the order in which they are sent. */
    private static RunningServer server(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "backend",
                ScriptedBackendProvider.NAME,
                "server.threads",
                1,
                "server.idle_timeout",
                "1h",
                "server.token.web.hash",
                Access.hash("web"),
                "server.token.web.sequences",
                "*",
                "server.token.web.quota",
                1));
        settings.putAll(more);
        RunningServer server = RunningServer.ofHttp2(settings);
        server.get("/health/live");
        return server;
    }

    private static CompletableFuture<HttpResponse<String>> send(RunningServer server, String path) {
        HttpRequest request = server.request(path)
                .header("Authorization", "Bearer web")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> sent) throws Exception {
        return sent.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static List<CompletableFuture<HttpResponse<String>>> sendMany(
            RunningServer server, IntFunction<String> path) {
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, 20)
                .mapToObj(i -> send(server, path.apply(i)))
                .toList();
        assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
        return sent;
    }

    private static void assertOneIsServed(List<CompletableFuture<HttpResponse<String>>> sent) throws Exception {
        int served = 0;
        for (CompletableFuture<HttpResponse<String>> each : sent) {
            if (answer(each).statusCode() == 200) {
                served++;
            } else {
                assertProblem(answer(each), 429, "quota");
            }
        }
        assertThat(served).isEqualTo(1);
    }

    @Test
    void blocksThatWaitAtTheSameTimeAreChargedWhenTheyAreAskedFor() throws Exception {
        Script script = ScriptedBackendProvider.script("quota_blocks");
        script.largestBlock = 500;
        try (RunningServer server = server(Map.of("server.sequences", "quota_blocks"))) {
            List<CompletableFuture<HttpResponse<String>>> sent =
                    sendMany(server, i -> "/v1/sequences/quota_blocks/blocks?count=500");
            script.permits.release(20);

            assertOneIsServed(sent);
        }
    }

    @Test
    void numbersPerKeyThatWaitAtTheSameTimeAreChargedWhenTheyAreAskedFor() throws Exception {
        String url = "jdbc:h2:mem:" + DATABASE + ";DB_CLOSE_DELAY=-1";
        try (RunningServer server = server(Map.of(
                        "server.keyed", "quota_keys",
                        "keyed.row.server", url,
                        "create_tables", "true",
                        "timeout", "1m",
                        "block.timeout", "2m"));
                Connection database = DriverManager.getConnection(url);
                Statement statement = database.createStatement()) {
            statement.execute("SET EXCLUSIVE 1");
            List<CompletableFuture<HttpResponse<String>>> sent =
                    sendMany(server, i -> "/v1/keyed/quota_keys/numbers?n=500&key=" + i);
            statement.execute("SET EXCLUSIVE 0");

            assertOneIsServed(sent);
        } finally {
            drop();
        }
    }

    private static void drop() throws SQLException {
        H2Servers.drop(DATABASE);
    }

    @Test
    void aRequestThatGotNothingCostsNothing() throws Exception {
        Script script = ScriptedBackendProvider.script("quota_outage");
        try (RunningServer server = server(Map.of("server.sequences", "quota_outage"))) {
            for (String path : List.of("ids?n=500", "blocks?count=500")) {
                script.failure = new IdUnavailableException("No server answers");
                script.permits.release(1);
                assertProblem(answer(send(server, "/v1/sequences/quota_outage/" + path)), 503, "unavailable");
            }
            script.failure = null;
            script.permits.release(500);

            assertThat(answer(send(server, "/v1/sequences/quota_outage/ids?n=500"))
                            .statusCode())
                    .isEqualTo(200);
            assertProblem(answer(send(server, "/v1/sequences/quota_outage/ids")), 429, "quota");
        }
    }

    @Test
    void aSmallBlockCostsWhatItHas() throws Exception {
        Script script = ScriptedBackendProvider.script("quota_small");
        try (RunningServer server = server(Map.of("server.sequences", "quota_small"))) {
            script.permits.release(1);
            assertThat(answer(send(server, "/v1/sequences/quota_small/blocks?count=500"))
                            .body())
                    .contains("\"count\":\"1\"");
            script.memory.set(2);
            Await.until("the one id of the block is paid", () -> {
                HttpResponse<String> next = answer(send(server, "/v1/sequences/quota_small/blocks?count=500"));
                return next.statusCode() == 200 && next.body().contains("\"count\":\"2\"");
            });
        }
    }
}
