package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.Ports;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store of worker numbers over HTTP. */
class WorkerOperationsTest {

    private static final String URL = "jdbc:h2:mem:served_workers;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

    private static final String ROW_7 = "/v1/workers/rows/7";

    private static final String RECORD = "token=a1 window=60000 before=60000 changes=0";

    private static final String FIRST = row("app1", 1_000, "t1");

    private static final Pattern CONNECTIONS = Pattern.compile("(?m)^distributedid_server_connections (\\d+)\\.0$");

    private RunningServer server;

    @BeforeEach
    void start() {
        server = RunningServer.with(settings());
    }

    @AfterEach
    void stop() throws SQLException {
        server.close();
        H2Servers.drop("served_workers");
    }

    private static Map<String, Object> settings(Object... more) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("server.workers", "true");
        settings.put("snowflake.lease.server", URL);
        settings.put("create_tables", "true");
        settings.put("timeout", "30s");
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    private static String row(String owner, long until, String token) {
        return "{\"owner\":\"" + owner + "\",\"reservedUntil\":\"" + until + "\",\"token\":\"" + token + "\"}";
    }

    private static String change(String store, String expected, String next) {
        return "{\"store\":\"" + store + "\",\"expected\":" + expected + ",\"next\":" + next + "}";
    }

    private static String renewal(String expected, String next, String record, long earliest, long latest) {
        return "{\"expected\":" + expected + ",\"next\":" + next + ",\"record\":\"" + record + "\",\"earliest\":\""
                + earliest + "\",\"latest\":\"" + latest + "\"}";
    }

    private JsonObject get(String path) {
        return good(server.get(path));
    }

    private JsonObject post(String path, String body) {
        return good(server.post(path, body));
    }

    private static JsonObject good(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("cache-control")).hasValue("no-store");
        return new JsonObject(answer.body());
    }

    private boolean isDone(String path, String body) {
        return post(path, body).getBoolean("done");
    }

    private void describeStore() {
        assertThat(isDone("/v1/workers/records/@store", change("", "null", "\"" + RECORD + "\"")))
                .isTrue();
    }

    private static void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @Test
    void aRowIsReplacedOnlyIfItIsAsExpected() {
        String second = row("", 0, "t2");

        assertThat(isDone(ROW_7, change("", "null", FIRST))).isTrue();
        assertThat(isDone(ROW_7, change("", "null", second))).isFalse();
        assertThat(isDone(ROW_7, change("", FIRST, second))).isTrue();
        assertThat(isDone(ROW_7, change("", FIRST, row("x", 1, "t3")))).isFalse();

        JsonObject rows = get("/v1/workers/rows?first=-1&last=9223372036854775807");
        assertThat(rows.getJsonArray("rows")).isEqualTo(new JsonArray().add(new JsonObject(second).put("worker", "7")));
        assertThat(rows.fieldNames()).containsExactlyInAnyOrder("storeTime", "rows");
        assertThat(Long.parseLong(rows.getString("storeTime"))).isPositive();
        assertThat(get("/v1/workers/rows?first=8&last=8").getJsonArray("rows")).isEmpty();
        assertThat(get("/v1/workers/highest")).isEqualTo(new JsonObject().put("highest", "7"));
    }

    @Test
    void theRowOfTheActiveProcessHasANumberToo() {
        assertThat(isDone("/v1/workers/rows/-1", change("", "null", FIRST))).isTrue();

        assertThat(get("/v1/workers/rows?first=-1&last=-1").getJsonArray("rows"))
                .isEqualTo(new JsonArray().add(new JsonObject(FIRST).put("worker", "-1")));
    }

    @Test
    void everyAnswerHoldsTheRecordOfTheStore() {
        describeStore();

        for (String path : List.of("rows?first=0&last=9", "highest", "records", "records/@store", "records/photos")) {
            assertThat(get("/v1/workers/" + path).getString("record")).as(path).isEqualTo(RECORD);
        }
    }

    @Test
    void aRecordIsReplacedOnlyIfItIsAsExpected() {
        describeStore();
        String photos = "/v1/workers/records/photos";
        assertThat(get(photos)).isEqualTo(new JsonObject().put("name", "photos").put("record", RECORD));

        assertThat(isDone(photos, change("token=a1", "null", "\"one\""))).isTrue();
        assertThat(isDone(photos, change("token=a1", "null", "\"two\""))).isFalse();
        assertThat(isDone(photos, change("token=a1", "\"other\"", "\"two\""))).isFalse();
        assertThat(isDone(photos, change("token=a1", "\"one\"", "\"two\""))).isTrue();

        assertThat(get(photos).getString("content")).isEqualTo("two");
        assertThat(get("/v1/workers/records").getJsonArray("records"))
                .isEqualTo(new JsonArray()
                        .add(new JsonObject().put("name", "@store").put("content", RECORD))
                        .add(new JsonObject().put("name", "photos").put("content", "two")));
    }

    @Test
    void anotherStoreThanTheCallerHasReadIsNotChanged() {
        describeStore();

        for (String other : List.of("", "token=b2", "token=a1 window=6")) {
            for (String path : List.of(ROW_7, "/v1/workers/records/photos")) {
                String body = change(other, "null", path.equals(ROW_7) ? FIRST : "\"one\"");
                assertThat(assertProblem(server.post(path, body), 409, "other-store")
                                .getString("detail"))
                        .startsWith("The store of worker numbers is another one than the caller has read: "
                                + "snowflake_worker on jdbc:h2:mem:served_workers token=a1, the caller has read "
                                + (other.isEmpty() ? "without a record" : other) + ". ");
            }
        }
        assertThat(get("/v1/workers/highest").getString("highest")).isEqualTo("-1");
        assertThat(isDone(ROW_7, change("token=a1", "null", FIRST))).isTrue();
    }

    @Test
    void theFirstRecordOfAStoreIsWrittenOnce() {
        describeStore();

        assertThat(isDone("/v1/workers/records/@store", change("", "null", "\"token=b2 window=6\"")))
                .isFalse();
    }

    @Test
    void aRowIsRenewedInOneStepIfTheStoreIsAsExpected() {
        describeStore();
        isDone(ROW_7, change("token=a1", "null", FIRST));
        long now = Long.parseLong(get("/v1/workers/rows?first=7&last=7").getString("storeTime"));
        String next = row("app1", 2_000, "t2");
        String renew = ROW_7 + "/renew";
        long minute = 60_000;

        for (String refused : List.of(
                renewal(FIRST, next, RECORD + "1", now - minute, now + minute),
                renewal(FIRST, next, RECORD, now + minute, now + 2 * minute),
                renewal(FIRST, next, RECORD, 0, now - minute),
                renewal(row("app1", 1_001, "t1"), next, RECORD, now - minute, now + minute))) {
            assertThat(post(renew, refused)).isEqualTo(new JsonObject().put("done", false));
        }
        JsonObject done = post(renew, renewal(FIRST, next, RECORD, now - minute, now + minute));

        assertThat(done.getBoolean("done")).isTrue();
        assertThat(Long.parseLong(done.getString("storeTime"))).isBetween(now, now + minute);
        assertThat(isDone(renew, renewal(FIRST, row("app1", 3_000, "t3"), RECORD, 0, Long.MAX_VALUE)))
                .isFalse();
    }

    @Test
    void manyRowsComeInPages() throws SQLException {
        sql(
                "INSERT INTO snowflake_worker SELECT x + 99, 'app', x, 't' || x FROM SYSTEM_RANGE(1, 1030)",
                "INSERT INTO snowflake_worker VALUES (4194303, 'app', 5, 't5'), (0, 'app', 6, 't6')");

        JsonObject first = get("/v1/workers/rows?first=0&last=9223372036854775807");
        JsonObject second = get("/v1/workers/rows?first=" + first.getString("next") + "&last=9223372036854775807");

        assertThat(workers(first)).hasSize(1_024).startsWith(0L, 100L).endsWith(1_122L);
        assertThat(first.getString("next")).isEqualTo("1123");
        assertThat(workers(second)).containsExactly(1_123L, 1_124L, 1_125L, 1_126L, 1_127L, 1_128L, 1_129L, 4_194_303L);
        assertThat(second.containsKey("next")).isFalse();
        assertThat(workers(get("/v1/workers/rows?first=5000&last=4194302"))).isEmpty();
        assertThat(workers(get("/v1/workers/rows?first=9223372036854775806&last=9223372036854775807")))
                .isEmpty();
    }

    private static List<Long> workers(JsonObject answer) {
        return answer.getJsonArray("rows").stream()
                .map(row -> Long.valueOf(((JsonObject) row).getString("worker")))
                .toList();
    }

    @Test
    void manyRecordsComeInPages() throws SQLException {
        sql("INSERT INTO snowflake_worker_record SELECT 'seq' || LPAD(x, 4, '0'), 'layout' FROM SYSTEM_RANGE(1, 1030)");

        JsonObject first = get("/v1/workers/records");
        JsonObject second = get("/v1/workers/records?after=seq1024");

        assertThat(first.getJsonArray("records")).hasSize(1_024);
        assertThat(first.getJsonArray("records").getJsonObject(1_023).getString("name"))
                .isEqualTo("seq1024");
        assertThat(first.getBoolean("more")).isTrue();
        assertThat(second.getJsonArray("records")).hasSize(6);
        assertThat(second.getBoolean("more")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rows | first=, allowed: a number from -1 to 9223372036854775807",
                "rows?first=0 | last=, allowed: a number from -1 to 9223372036854775807",
                "rows?first=7&last=6 | first=7, allowed: a number up to last=6",
                "rows?first=-2&last=6 | first=-2, allowed: a number from -1 to 9223372036854775807",
                "rows?first=0&last=9223372036854775808 | last=9223372036854775808, allowed: a number from -1 to",
                "rows?first=00&last=6 | first=00, allowed: a number from -1 to 9223372036854775807",
                "highest?x=1 | There is no such parameter: x. This path takes none",
                "records/a%2Fb | name=a/b, allowed: the name of a sequence, @store or @exclusive",
                "records/.. | name=.., allowed: the name of a sequence, @store or @exclusive",
                "records?after=7 | after=7, allowed: the name of a sequence, @store or @exclusive"
            })
    void aParameterThatIsNotAllowedIsRefused(String path, String message) {
        assertThat(assertProblem(server.get("/v1/workers/" + path), 400, "invalid-parameter")
                        .getString("detail"))
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rows/7 | [] | the body is no object, allowed: {\"store\":\"token=7d21\",\"expected\":null,",
                "rows/7 | {\"store\":\"\",\"store\":\"\"} | expected each name once",
                "rows/7 | {\"store\":\"\",\"next\":{}} | members=[next, store], allowed:",
                "rows/7 | {\"store\":7,\"expected\":null,\"next\":OK} | store must be a text",
                "rows/7 | {\"store\":\"\",\"expected\":7,\"next\":OK} | expected is no object",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":null} | next must be an object",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{}} | next has members=[], allowed:",
                "rows/7 | {\"store\":\"\",\"expected\":OK,\"next\":OK} | token=t in both rows, although every change",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":5,\"token\":\"t\"}}"
                        + " | reservedUntil must be a text",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":\"-5\","
                        + "\"token\":\"t\"}} | reservedUntil=-5, which is less than 0",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":\"05\","
                        + "\"token\":\"t\"}} | reservedUntil must be a number in quotes: 05",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\\n\",\"reservedUntil\":\"5\","
                        + "\"token\":\"t\"}} | owner=?, which is not up to 200 printable characters of ASCII",
                "rows/7 | {\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":\"5\","
                        + "\"token\":\"a b\"}} | token=a b, which is not 1 to 36 printable characters of ASCII without a",
                "rows/7/renew | {\"store\":\"\",\"expected\":null,\"next\":OK} | members=[expected, next, store], allowed:"
                        + " {\"expected\":{\"owner\":",
                "rows/7/renew | {\"expected\":null,\"next\":OK,\"record\":\"\",\"earliest\":\"0\",\"latest\":\"1\"} |"
                        + " expected must be an object",
                "records/photos | {\"store\":\"\",\"expected\":null,\"next\":\"\"} | next must have text, and differ",
                "records/photos | {\"store\":\"\",\"expected\":\"a\",\"next\":\"a\"} | next must have text, and differ",
                "records/photos | {\"store\":\"\",\"expected\":[],\"next\":\"a\"} | expected must be a text"
            })
    void aBodyOfAnotherFormIsRefused(String path, String body, String message) {
        String full = body.replace("OK", "{\"owner\":\"\",\"reservedUntil\":\"5\",\"token\":\"t\"}");

        assertThat(assertProblem(server.post("/v1/workers/" + path, full), 400, "invalid-body")
                        .getString("detail"))
                .startsWith("The body of the request is not as described: ")
                .contains(message);
        assertThat(get("/v1/workers/highest").getString("highest")).isEqualTo("-1");
    }

    /** So an owner of 200 characters and a record of 250 fit, and no longer ones. */
    @Test
    void textsAreAsLongAsTheTableAllows() {
        assertThat(isDone(ROW_7, change("", "null", row("o".repeat(200), 1, "t".repeat(36)))))
                .isTrue();
        assertThat(isDone("/v1/workers/records/photos", change("", "null", "\"" + "r".repeat(250) + "\"")))
                .isTrue();

        assertProblem(server.post(ROW_7, change("", "null", row("o".repeat(201), 1, "t"))), 400, "invalid-body");
        assertProblem(server.post(ROW_7, change("", "null", row("o", 1, "t".repeat(37)))), 400, "invalid-body");
        assertProblem(
                server.post("/v1/workers/records/users", change("", "null", "\"" + "r".repeat(251) + "\"")),
                400,
                "invalid-body");
    }

    @Test
    void aTokenNeedsTheRight() {
        try (RunningServer guarded = RunningServer.with(settings(
                "backend", "memory",
                "server.sequences", "workers_guarded",
                "server.token.web.hash", Access.hash("usual"),
                "server.token.web.sequences", "*",
                "server.token.node.hash", Access.hash("right"),
                "server.token.node.sequences", "*",
                "server.token.node.rights", "workers"))) {
            assertProblem(guarded.get("/v1/workers/highest"), 401, "unauthenticated");
            assertThat(assertProblem(with("usual", guarded), 403, "forbidden").getString("detail"))
                    .startsWith("The token does not allow this: token=web right=workers.");
            assertThat(with("right", guarded).statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> with(String token, RunningServer guarded) {
        HttpRequest.Builder request = guarded.request("/v1/workers/highest");
        return guarded.send(request.header("Authorization", "Bearer " + token).build());
    }

    @Test
    void withoutTokensOnlyCallersOfTheSameMachineMayUseIt() {
        try (RunningServer open = RunningServer.insecure(settings("server.host", "0.0.0.0"))) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + open.port() + "/v1/workers/highest"))
                    .build();

            assertThat(assertProblem(open.send(request), 403, "forbidden").getString("detail"))
                    .startsWith("A caller without a token may not do this: right=workers.");
        }
    }

    /** Orchestrators and the status page ask such a server too. */
    @Test
    void withoutASequenceTheServerIsReadyAndItsPageHasFigures() {
        JsonObject ready = get("/health/ready");
        assertThat(ready.getString("status")).isEqualTo("UP");
        assertThat(ready.getJsonObject("sequences")).isEmpty();
        assertThat(get("/health/active")).isEqualTo(ready);

        JsonObject status = get("/v1/status");
        assertThat(status.getString("status")).isEqualTo("UP");
        assertThat(status.getJsonArray("sequences")).isEmpty();
        assertThat(status.getInteger("waiting")).isZero();

        assertThat(get("/v1/sequences")).isEqualTo(new JsonObject().put("sequences", new JsonArray()));
        assertProblem(server.post("/v1/sequences/photos/ids"), 404, "unknown-sequence");
    }

    @Test
    void itIsServedOnlyIfItIsSet() {
        try (RunningServer usual = RunningServer.ofMemory("workers_off")) {
            assertProblem(usual.get("/v1/workers/highest"), 404, "unknown-path");
        }
    }

    @Test
    void aStoreThatCanNotBeUsedAsItIsSetFailsTheStart() {
        assertThatThrownBy(() ->
                        RunningServer.with(settings("snowflake.lease.table", "missing", "create_tables", "false")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> RunningServer.with(Map.of("server.workers", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting is missing: distributedid.snowflake.lease.server");
    }

    @Test
    void aServerStartsWithoutItsStoreAndAnswersOnceThatDoes() throws SQLException {
        int port = Ports.take();
        try (LoggedWarnings warnings = LoggedWarnings.of(WorkerOperations.class);
                RunningServer early = RunningServer.with(settings(
                        "snowflake.lease.server",
                        "jdbc:h2:tcp://localhost:" + port + "/mem:served_workers;DB_CLOSE_DELAY=-1"))) {
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("The server starts although its store of worker numbers does not answer. ");
            HttpResponse<String> answer = early.get("/v1/workers/highest");
            assertProblem(answer, 503, "store-unavailable");

            Server database = Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists")
                    .start();
            try {
                assertThat(early.get("/v1/workers/highest").statusCode()).isEqualTo(200);
            } finally {
                database.stop();
            }
        }
    }

    /** The store hangs, because somebody else has locked a row. */
    @Test
    void aStoreThatHangsKeepsNoOtherRequestWaitingAndDoesNothingForACallerThatHasGone() throws Exception {
        isDone(ROW_7, change("", "null", FIRST));
        try (Connection other = DriverManager.getConnection(URL);
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("SELECT * FROM snowflake_worker WHERE worker = 7 FOR UPDATE");
            CompletableFuture<HttpResponse<String>> waiting = server.client()
                    .sendAsync(
                            server.request(ROW_7)
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            change("", FIRST, row("app1", 2_000, "t2"))))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            Await.until("the store waits", () -> isBlocked(lock));
            String body = change("", "null", FIRST);
            try (RawClient gone = new RawClient(server)) {
                gone.write("POST /v1/workers/rows/8 HTTP/1.1\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                Await.until("both connections are open", () -> connections() == 3);
            }
            Await.until("the caller has gone", () -> connections() == 2);
            other.rollback();
            assertThat(good(waiting.join()).getBoolean("done")).isTrue();
        }

        assertThat(get("/v1/workers/highest").getString("highest")).isEqualTo("7");
    }

    private static boolean isBlocked(Statement statement) throws SQLException {
        try (ResultSet blocked = statement.executeQuery(
                "SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL")) {
            blocked.next();
            return blocked.getLong(1) > 0;
        }
    }

    /** Those of the waiting request, of the one that is sent meanwhile, and of this question. */
    private int connections() {
        Matcher meter = CONNECTIONS.matcher(server.get("/metrics").body());
        assertThat(meter.find()).isTrue();
        return Integer.parseInt(meter.group(1));
    }
}
