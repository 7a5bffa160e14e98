package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers per key over HTTP, from rows in one database behind the server. */
class KeyedOperationsTest {

    private static final String URL = "jdbc:h2:mem:server_keyed;DB_CLOSE_DELAY=-1";

    private static final Map<String, Object> SETTINGS = Map.of("keyed.row.server", URL, "create_tables", "true");

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(settings(Map.of("server.keyed", "messages, photos, floors, later")));
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        H2Servers.drop("server_keyed");
    }

    private static Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(SETTINGS);
        all.putAll(more);
        return all;
    }

    private static String take(String query) {
        HttpResponse<String> answer = server.post("/v1/keyed/messages/numbers?" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void numbersOfAKeyFollowEachOther() {
        assertThat(take("key=42"))
                .isEqualTo("{\"sequence\":\"messages\",\"key\":\"42\",\"first\":\"1\",\"last\":\"1\"}");
        assertThat(take("key=42&n=10000")).contains("\"first\":\"2\",\"last\":\"10001\"");
        assertThat(take("key=42&as=number")).contains("\"first\":10002,\"last\":10002");
        assertThat(take("key=43")).contains("\"first\":\"1\"");
    }

    @Test
    void aKeyIsAnyText() {
        assertThat(take("key=%22a%5Cb%22+%C3%A4")).contains("\"key\":\"\\\"a\\\\b\\\" ä\",\"first\":\"1\"");
        assertThat(new JsonObject(take("key=%22a%5Cb%22+%C3%A4")).getString("key"))
                .isEqualTo("\"a\\b\" ä");
    }

    @Test
    void theLastNumberIsRead() {
        String path = "/v1/keyed/photos/numbers?key=album";

        assertThat(server.get(path).body()).isEqualTo("{\"sequence\":\"photos\",\"key\":\"album\",\"current\":\"0\"}");
        assertThat(server.post(path + "&n=3").statusCode()).isEqualTo(200);
        assertThat(server.get(path).body()).contains("\"current\":\"3\"");
        assertThat(server.get(path + "&as=number").body()).contains("\"current\":3}");
    }

    @Test
    void theBoundOfAKeyIsTheFloorIfThatIsLarger() throws SQLException {
        String path = "/v1/keyed/floors/numbers?key=";
        assertThat(server.get(path + "new&bound=true").body()).contains("\"current\":\"0\"");
        assertThat(server.post(path + "counted&n=12").statusCode()).isEqualTo(200);
        DatabaseRows.execute(
                URL, "UPDATE keyed_sequence SET number = 10 WHERE name = 'floors' AND key_text = ' floor'");

        assertThat(server.get(path + "new&bound=true").body())
                .isEqualTo("{\"sequence\":\"floors\",\"key\":\"new\",\"current\":\"10\"}");
        assertThat(server.get(path + "new").body()).contains("\"current\":\"0\"");
        assertThat(server.get(path + "counted&bound=true&as=number").body()).contains("\"current\":12}");
        JsonObject problem = assertProblem(server.get(path + "new&bound=yes"), 400, "invalid-parameter");
        assertThat(problem.getString("detail")).contains("bound=yes, allowed: false, true");
    }

    @Test
    void rowsAreTheSameForAllServers() {
        assertThat(server.get("/v1/keyed/messages/table").body())
                .isEqualTo("{\"sequence\":\"messages\",\"partitioned\":false}");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'A parameter is missing: key. Send it in the query string: ?key=42'",
        "n=1, 'A parameter is missing: key.'",
        "key=, 'A parameter has no value: key. Give it one'",
        "key=1&key=2, 'A parameter is repeated: key'",
        "key=-1, 'A key that is a number must not be negative: seq=messages key=-1, allowed: 0 to'",
        "key=a%CC%88, 'form NFC'",
        "key=+a, 'must not begin or end with white space'",
        "key=a%00b, 'must not contain a control character: seq=messages character=U+0000 index=1'",
        "key=%C3%28, 'A parameter is not well-formed'",
        "key=1&n=0, 'n=0, allowed: a number from 1 to 10000'",
        "key=1&n=10001, 'n=10001, allowed: a number from 1 to 10000'",
        "key=1&count=5, 'There is no such parameter: count. Allowed: key, n, as, redirects'",
        "key=1&redirects=4, 'redirects=4, allowed: a number from 1 to 3'"
    })
    void badParametersAreRefused(String query, String message) {
        JsonObject problem =
                assertProblem(server.post("/v1/keyed/messages/numbers?" + query), 400, "invalid-parameter");

        assertThat(problem.getString("detail")).contains(message);
    }

    @Test
    void aLongKeyIsRefused() {
        String path = "/v1/keyed/messages/numbers?key=";
        JsonObject problem = assertProblem(server.post(path + "x".repeat(151)), 400, "invalid-parameter");

        assertThat(problem.getString("detail"))
                .startsWith("A key must have 1 to 150 characters: seq=messages length=151");
        assertThat(server.post(path + "x".repeat(150)).statusCode()).isEqualTo(200);
    }

    @Test
    void anUnknownSequenceHasTheNearestName() {
        JsonObject problem = assertProblem(server.post("/v1/keyed/mesages/numbers?key=1"), 404, "unknown-sequence");

        assertThat(problem.getString("detail"))
                .isEqualTo("There is no such sequence: seq=mesages. Did you mean" + " messages?");
        assertThat(assertProblem(server.get("/v1/keyed/x/table"), 404, "unknown-sequence")
                        .getString("detail"))
                .endsWith("The server issues numbers per key of the sequences in distributedid.server.keyed");
        assertProblem(server.post("/v1/sequences/messages/ids"), 404, "unknown-sequence");
    }

    @Test
    void numbersWithoutGapsAreNeverGiven() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = DriverManager.getConnection(URL)) {
            connection.setAutoCommit(false);
            assertThat(ids.keyed("later").next(1, connection)).isEqualTo(1);
            connection.commit();
        }

        JsonObject problem = assertProblem(server.post("/v1/keyed/later/numbers?key=1"), 409, "no-numbers");

        assertThat(problem.getString("detail")).contains("seq=later is gapless", "next(key, connection)");
        assertThatThrownBy(() -> RunningServer.with(settings(Map.of("server.keyed", "later"))))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("seq=later is gapless");
    }

    @Test
    void withoutItsDatabaseTheServerIsNotReadyAndCallersAskAgainLater() {
        String away = "jdbc:h2:tcp://localhost:" + Ports.take() + "/mem:away";
        try (RunningServer other = RunningServer.with(
                Map.of("server.keyed", "messages", "keyed.row.server", away, "block.timeout", "200ms"))) {
            assertProblem(other.post("/v1/keyed/messages/numbers?key=1"), 503, "unavailable");
            assertProblem(other.get("/v1/keyed/messages/numbers?key=1"), 503, "unavailable");

            JsonObject ready = assertProblem(other.get("/health/ready"), 503, "not-ready");
            JsonObject messages = ready.getJsonObject("keyed").getJsonObject("messages");
            assertThat(messages.getString("status")).isEqualTo("DOWN");
            assertThat(messages.getString("reason")).isNotBlank().isNotEqualTo(Served.NOT_OPEN);
            JsonObject figures = new JsonObject(other.get("/v1/status").body());
            assertThat(figures.getString("status")).isEqualTo("DOWN");
        }
    }

    @Test
    void figuresCountNumbers() {
        try (RunningServer other = RunningServer.with(settings(Map.of("server.keyed", "photos")))) {
            assertThat(other.post("/v1/keyed/photos/numbers?key=figures&n=7").statusCode())
                    .isEqualTo(200);

            assertThat(other.get("/metrics").body())
                    .contains("distributedid_server_numbers_total{sequence=\"photos\"} 7.0");
            assertThat(other.get("/v1/status").body())
                    .contains("\"keyed\":[{\"sequence\":\"photos\",\"status\":\"UP\",\"issued\":7,");
            assertThat(other.get("/health/ready").body()).contains("\"keyed\":{\"photos\":{\"status\":\"UP\"}}");
        }
    }

    @Test
    void aTokenAllowsSequencesAndAQuota() {
        Map<String, Object> tokens = settings(Map.of(
                "server.keyed", "messages, photos",
                "server.token.web.hash", Access.hash("web"),
                "server.token.web.sequences", "photos",
                "server.token.web.rights", "ids",
                "server.token.web.quota", "1"));
        try (RunningServer other = RunningServer.with(tokens)) {
            assertProblem(other.post("/v1/keyed/photos/numbers?key=t"), 401, "unauthenticated");
            assertProblem(send(other, "POST", "/v1/keyed/messages/numbers?key=t"), 403, "forbidden");
            assertProblem(send(other, "GET", "/v1/keyed/photos/numbers?key=t"), 403, "forbidden");
            // The client finds the server of each key by it.
            assertThat(send(other, "GET", "/v1/keyed/photos/table").statusCode())
                    .isEqualTo(200);
            assertThat(send(other, "POST", "/v1/keyed/photos/numbers?key=t&n=50")
                            .statusCode())
                    .isEqualTo(200);
            assertProblem(send(other, "POST", "/v1/keyed/photos/numbers?key=t"), 429, "quota");
        }
    }

    private static HttpResponse<String> send(RunningServer of, String method, String path) {
        return of.send(of.request(path)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Authorization", "Bearer web")
                .build());
    }
}
