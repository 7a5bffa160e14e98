package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page of another site may do through the browser of its reader: nothing. */
@Timeout(300)
class OtherSitesTest {

    private static final String DATABASE = "jdbc:h2:mem:other_sites;DB_CLOSE_DELAY=-1";

    private static final String ABOVE = "{\"existing\":[\"5\"]}";

    private static final String RAISE = "{\"existing\":[\"5\"],\"raise\":true}";

    /** A method, a path, and a body if it takes one. */
    private static final List<List<String>> CHANGES = List.of(
            List.of("POST", "/v1/sequences/sites/ids", ""),
            List.of("POST", "/v1/sequences/sites/blocks", ""),
            List.of("POST", "/v1/sequences/sites/above", RAISE),
            List.of("POST", "/v1/sequences/sites/above", ABOVE),
            List.of("POST", "/v1/keyed/site_keys/numbers?key=1", ""),
            List.of("GET", "/api/segment/get/sites", ""),
            List.of("POST", "/tinyid/id/nextIdSimple?bizType=sites", ""));

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(settings(Map.of()));
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        H2Servers.drop("other_sites");
    }

    private static Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "backend",
                "memory",
                "keyed.row.server",
                DATABASE,
                "create_tables",
                "true",
                "server.sequences",
                "sites",
                "server.keyed",
                "site_keys"));
        settings.putAll(more);
        return settings;
    }

    private static RawClient.Answer send(RunningServer to, String method, String path, String head, String body)
            throws IOException {
        try (RawClient client = new RawClient(to)) {
            return client.write(method + " " + path + " HTTP/1.1\r\n" + head + "Content-Length: " + body.length()
                            + "\r\n\r\n" + body)
                    .read();
        }
    }

    /** The paths of Leaf and TinyID have their own form of errors. */
    private static boolean isRefused(String path, RawClient.Answer answer) {
        if (path.startsWith("/api/")) {
            return answer.status() == 500
                    && (answer.body().contains("of another") || answer.body().contains("own names"));
        }
        return path.startsWith("/tinyid/") ? answer.head().contains("/forbidden") : answer.status() == 403;
    }

    private static String local() {
        return "Host: 127.0.0.1:" + server.port() + "\r\n";
    }

    /** As browsers send it to an http address that is not this machine's: without Sec-Fetch-Site. */
    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "http://evil.example:8080", "http://localhost:1", "null", "a b"})
    void noPageOfAnotherOriginChangesAnything(String origin) throws IOException {
        for (List<String> each : CHANGES) {
            RawClient.Answer answer =
                    send(server, each.get(0), each.get(1), local() + "Origin: " + origin + "\r\n", each.get(2));

            assertThat(isRefused(each.get(1), answer)).as(each + " " + answer).isTrue();
        }
    }

    @Test
    void theServersOwnPageAndProgramsMayDoThat() throws IOException {
        String own = "Origin: http://127.0.0.1:" + server.port() + "\r\n";
        for (String head : List.of(local(), local() + own, local() + "Sec-Fetch-Site: same-origin\r\nOrigin: x\r\n")) {
            for (List<String> each : CHANGES) {
                RawClient.Answer answer = send(server, each.get(0), each.get(1), head, each.get(2));

                assertThat(answer.status())
                        .as(head + each + answer)
                        .isNotEqualTo(403)
                        .isLessThan(500);
                assertThat(answer.head()).as(head + each).doesNotContain("forbidden");
            }
        }
    }

    /** A name of the page's site that was made to lead to this machine: the browser takes all for one site. */
    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1", "[::2]:80", "[::1"})
    void aServerOfThisMachineHasNoOtherName(String host) throws IOException {
        for (List<String> each : CHANGES) {
            RawClient.Answer answer = send(server, each.get(0), each.get(1), "Host: " + host + "\r\n", each.get(2));

            assertThat(isRefused(each.get(1), answer)).as(each + " " + answer).isTrue();
        }
        for (String path : List.of("/v1/status", "/v1/sequences", "/metrics")) {
            assertThat(send(server, "GET", path, "Host: " + host + "\r\n", "").status())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(send(server, "GET", "/health/ready", "Host: " + host + "\r\n", "")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theRefusalOfAHostSaysWhatToDo() throws IOException {
        RawClient.Answer answer = send(server, "POST", "/v1/sequences/sites/ids", "Host: ids.example\r\n", "");

        assertThat(new JsonObject(answer.body()).getString("detail"))
                .isEqualTo("Without tokens, the server answers only requests to this machine's own names:"
                        + " Host=ids.example, allowed: localhost, 127.0.0.1, [::1]. Configure tokens"
                        + " (distributedid.server.token.NAME.hash), or have the proxy in front send Host: localhost");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.1.2.3:80", "[::1]:8080", "[0:0:0:0:0:0:0:1]"})
    void itsOwnNamesAreAllowed(String host) throws IOException {
        assertThat(send(server, "POST", "/v1/sequences/sites/ids", "Host: " + host + "\r\n", "")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aProgramThatNamesNoHostMayAsk() throws IOException {
        try (RawClient client = new RawClient(server)) {
            client.write("POST /v1/sequences/sites/ids HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
        }
    }

    @Test
    void withTokensAndElsewhereAnyHostIsAllowed() throws IOException {
        Map<String, Object> tokens =
                Map.of("server.token.web.hash", Access.hash("web"), "server.token.web.sequences", "*");
        try (RunningServer other = RunningServer.with(settings(tokens))) {
            String head = "Host: ids.example\r\nAuthorization: Bearer web\r\n";
            assertThat(send(other, "POST", "/v1/sequences/sites/ids", head, "").status())
                    .isEqualTo(200);
        }
        try (RunningServer other = RunningServer.insecure(settings(Map.of("server.host", "0.0.0.0")))) {
            assertThat(send(other, "POST", "/v1/sequences/sites/ids", "Host: ids1:8080\r\n", "")
                            .status())
                    .isEqualTo(200);
            String origin = "Host: ids1:8080\r\nOrigin: http://ids2:8080\r\n";
            assertThat(send(other, "POST", "/v1/sequences/sites/ids", origin, "")
                            .status())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://ids1, ids1:80, 403",
        "http://ids1, ids1, 200",
        "https://ids1, ids1, 200",
        "https://IDS1, ids1, 200",
        "https://ids1, ids1:80, 403",
        "http://ids1:8080, ids1, 403",
        "http://[::1]:8080, [::1]:8080, 200"
    })
    void anOriginIsTheServersOwnIfItHasItsHostAndPort(String origin, String host, int status) throws IOException {
        try (RunningServer other = RunningServer.insecure(settings(Map.of("server.host", "0.0.0.0")))) {
            String head = "Host: " + host + "\r\nOrigin: " + origin + "\r\n";
            assertThat(send(other, "POST", "/v1/sequences/sites/ids", head, "").status())
                    .isEqualTo(status);
        }
    }

    /** HTTP/2 has another field for the host. */
    @Test
    void overHttp2TheSameHolds() {
        try (RunningServer other = RunningServer.ofHttp2(settings(Map.of("server.threads", 1)))) {
            other.get("/health/live");
            HttpRequest.Builder request = other.request("/v1/sequences/sites/ids");
            HttpResponse<String> own = other.send(
                    request.copy().POST(HttpRequest.BodyPublishers.noBody()).build());
            assertThat(own.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(own.statusCode()).as(own.body()).isEqualTo(200);
            assertProblem(
                    other.send(request.header("Origin", "http://evil.example")
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build()),
                    403,
                    "forbidden");
        }
    }
}
