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
import java.sql.ResultSet;
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

/** The rows of keys are on two servers, one of which does not answer. */
@Timeout(300)
class KeyedServersTest {

    private static final String PATH = "/v1/keyed/messages/numbers?key=";

    private static final int KEYS = 200;

    /** Has the key that the server reads when it opens the sequence. */
    private H2Servers stopping;

    private String first;

    private String second;

    @BeforeEach
    void useKeys() throws SQLException {
        stopping = H2Servers.start();
        first = stopping.url("keyed_servers_1");
        second = "jdbc:h2:mem:keyed_servers_2;DB_CLOSE_DELAY=-1";
        try (RunningServer server = start(Map.of())) {
            for (int key = 0; key < KEYS; key++) {
                assertThat(server.post(PATH + key).statusCode()).isEqualTo(200);
            }
        }
    }

    @AfterEach
    void stop() throws SQLException {
        stopping.close();
        H2Servers.drop("keyed_servers_1", "keyed_servers_2");
    }

    private RunningServer start(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "server.keyed", "messages",
                "server.threads", 1,
                "server.idle_timeout", "1h",
                "keyed.row.servers", first + ", " + second,
                "create_tables", "true",
                "timeout", "1m",
                "block.timeout", "2m"));
        settings.putAll(more);
        return RunningServer.with(settings);
    }

    private static List<String> keys(String database) throws SQLException {
        List<String> keys = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT key_text FROM keyed_sequence WHERE key_text <> ' @record' AND number = 1")) {
            while (rows.next()) {
                keys.add(rows.getString(1));
            }
        }
        return keys;
    }

    private static CompletableFuture<HttpResponse<String>> send(RunningServer server, String method, String key) {
        HttpRequest request = server.request(PATH + key)
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
    void aServerThatHangsDelaysNoKeyOfTheOther() throws Exception {
        List<String> healthy = keys("keyed_servers_1");
        List<String> hanging = keys("keyed_servers_2").subList(0, 40);
        try (RunningServer server = start(Map.of());
                Connection database = DriverManager.getConnection(second);
                Statement statement = database.createStatement()) {
            answer(send(server, "POST", hanging.get(0)));
            statement.execute("SET EXCLUSIVE 1");
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (String key : hanging) {
                waiting.add(send(server, "POST", key));
                waiting.add(send(server, "GET", key));
            }
            Await.until("all have come", () -> running(server) > waiting.size());

            assertThat(answer(send(server, "POST", healthy.get(0))).body()).contains("\"first\":\"2\"");
            assertThat(answer(send(server, "GET", healthy.get(1))).body()).contains("\"current\":\"1\"");

            assertThat(waiting).as("they still wait").noneMatch(CompletableFuture::isDone);
            statement.execute("SET EXCLUSIVE 0");
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(answer(each).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void aServiceStartsWithoutTheServerOfSomeKeysAndGivesNumbersOfTheOthers() throws Exception {
        String alive = keys("keyed_servers_2").get(0);
        String gone = keys("keyed_servers_1").get(0);
        stopping.close();
        try (RunningServer server = start(Map.of("block.timeout", "1s"))) {
            Await.until(
                    "the other gives numbers",
                    () -> server.post(PATH + alive).statusCode() == 200,
                    () -> server.post(PATH + alive).body());
            assertProblem(server.post(PATH + gone), 503, "unavailable");

            HttpResponse<String> ready = server.get("/health/ready");
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            assertThat(new JsonObject(ready.body())
                            .getJsonObject("keyed")
                            .getJsonObject("messages")
                            .getString("status"))
                    .isEqualTo("DEGRADED");
        }
    }
}
