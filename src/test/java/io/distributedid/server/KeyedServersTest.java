package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two sequences have databases of their own, one of which does not answer. */
@Timeout(300)
class KeyedServersTest {

    private static final String MESSAGES = "/v1/keyed/messages/numbers?key=";

    private static final String INVOICES = "/v1/keyed/invoices/numbers?key=";

    private static final String HANGING = "jdbc:h2:mem:keyed_servers_2;DB_CLOSE_DELAY=-1";

    private H2Servers stopping;

    @BeforeEach
    void useKeys() throws SQLException {
        stopping = H2Servers.start();
        try (RunningServer server = start(Map.of())) {
            assertThat(server.post(MESSAGES + 1).statusCode()).isEqualTo(200);
            assertThat(server.post(INVOICES + 1).statusCode()).isEqualTo(200);
        }
    }

    @AfterEach
    void stop() throws SQLException {
        stopping.close();
        H2Servers.drop("keyed_servers_1", "keyed_servers_2");
    }

    private RunningServer start(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "server.keyed", "messages, invoices",
                "server.threads", 1,
                "server.idle_timeout", "1h",
                "seq.messages.keyed.row.server", stopping.url("keyed_servers_1"),
                "seq.invoices.keyed.row.server", HANGING,
                "create_tables", "true",
                "timeout", "1m",
                "block.timeout", "2m"));
        settings.putAll(more);
        return RunningServer.with(settings);
    }

    private static CompletableFuture<HttpResponse<String>> send(RunningServer server, String method, String path) {
        HttpRequest request = server.request(path)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> sent) throws Exception {
        return sent.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** With the request that asks. */
    private static double running(RunningServer server) {
        Matcher figure = Pattern.compile("(?m)^distributedid_server_running (\\S+)$")
                .matcher(server.get("/metrics").body());
        assertThat(figure.find()).isTrue();
        return Double.parseDouble(figure.group(1));
    }

    @Test
    void aDatabaseThatHangsDelaysNoSequenceOfTheOther() throws Exception {
        try (RunningServer server = start(Map.of());
                Connection database = DriverManager.getConnection(HANGING);
                Statement statement = database.createStatement()) {
            answer(send(server, "POST", INVOICES + 1));
            statement.execute("SET EXCLUSIVE 1");
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int key = 1; key <= 40; key++) {
                waiting.add(send(server, "POST", INVOICES + key));
                waiting.add(send(server, "GET", INVOICES + key));
            }
            Await.until("all have come", () -> running(server) > waiting.size());

            assertThat(answer(send(server, "POST", MESSAGES + 1)).body()).contains("\"first\":\"2\"");
            assertThat(answer(send(server, "GET", MESSAGES + 1)).body()).contains("\"current\":\"2\"");

            assertThat(waiting).as("they still wait").noneMatch(CompletableFuture::isDone);
            statement.execute("SET EXCLUSIVE 0");
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(answer(each).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void aServiceStartsWithoutTheDatabaseOfOneSequenceAndGivesNumbersOfTheOther() throws Exception {
        stopping.close();
        try (RunningServer server = start(Map.of("block.timeout", "1s"))) {
            Await.until(
                    "the other gives numbers",
                    () -> server.post(INVOICES + 1).statusCode() == 200,
                    () -> server.post(INVOICES + 1).body());
            assertProblem(server.post(MESSAGES + 1), 503, "unavailable");

            HttpResponse<String> ready = server.get("/health/ready");
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(503);
            JsonObject keyed = new JsonObject(ready.body()).getJsonObject("keyed");
            assertThat(keyed.getJsonObject("messages").getString("status")).isEqualTo("DOWN");
            assertThat(keyed.getJsonObject("invoices").getString("status")).isEqualTo("UP");
        }
    }
}
