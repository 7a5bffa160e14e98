package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random names, numbers, bodies and headers on every path: each is answered with success or a clear 4xx, never with a
 * 500 or a stack trace, and the server goes on. {@code -Dfuzz.seed=...} repeats a run, whose seed is printed.
 */
@Tag("slow")
class FuzzTest {

    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 4_000);

    private static final List<String> WORDS = List.of(
            "fuzz",
            "fuz",
            "FUZZ",
            "1",
            "0",
            "-1",
            "007",
            "9223372036854775807",
            "9223372036854775808",
            "1e3",
            "0x10",
            "NaN",
            "null",
            "true",
            "..",
            ".",
            "%2e%2e",
            "%00",
            "%",
            "%zz",
            "%C3%28",
            "%F0%9F%98%80",
            "ä",
            "a b",
            "+",
            ";",
            "'",
            "\"",
            "<script>",
            "{seq}",
            "${x}",
            "#",
            "\\",
            "photos'; DROP TABLE sequence; --",
            "a".repeat(300),
            "");

    private static final List<String> NAMES = List.of(
            "n",
            "as",
            "count",
            "N",
            "key",
            "redirects",
            "token",
            "bizType",
            "batchSize",
            "x",
            "",
            "%6E",
            "n%00",
            "existing",
            "first",
            "last",
            "after");

    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "[]",
            "null",
            "{\"existing\":[\"1\"]}",
            "{\"existing\":[\"-1\"],\"raise\":false}",
            "{\"existing\":[1e400]}",
            "{\"existing\":[\"1\"],\"existing\":{}}",
            "{\"existing\":[[[[\"1\"]]]]}",
            "{\"existing\":[\"\\u0000\"]}",
            "{\"raise\":true}",
            "{\"existing\":",
            "[".repeat(5_000),
            "{\"a\":".repeat(3_000),
            "{\"store\":\"\",\"expected\":null,\"next\":\"x\"}",
            "{\"store\":\"x\",\"expected\":[],\"next\":{}}",
            "{\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":\"5\",\"token\":\"t\"}}",
            "{\"store\":\"\",\"expected\":null,\"next\":{\"owner\":\"\",\"reservedUntil\":\"-1\",\"token\":\"\"}}",
            "{\"expected\":{\"owner\":\"\",\"reservedUntil\":\"5\",\"token\":\"t\"},\"next\":{\"owner\":\"\","
                    + "\"reservedUntil\":\"6\",\"token\":\"u\"},\"record\":\"\\u0000\",\"earliest\":\"0\",\"latest\":\"9\"}",
            "bizType=fuzz&batchSize=2",
            "bizType=%&batchSize=%00",
            "\u0000\u00ff\u00fe");

    private static final List<String> HEADERS = List.of(
            "Accept: */*",
            "Accept: text/html",
            "Content-Type: application/json",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: multipart/form-data; boundary=",
            "Content-Type: \u00ff",
            "Content-Encoding: gzip",
            "Authorization: Bearer x",
            "Authorization: Basic eDp5",
            "Authorization:",
            "Host: [::1",
            "Host: a b",
            "Expect: 100-continue",
            "Expect: nothing",
            "Connection: upgrade",
            "Upgrade: websocket",
            "HTTP2-Settings: x",
            "Range: bytes=0-",
            "Cookie: a=b",
            "X-Forwarded-For: 127.0.0.1",
            "Transfer-Encoding: identity",
            "TE: trailers");

    private static final List<String> METHODS = List.of(
            "GET", "POST", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "M-SEARCH");

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "backend", "memory",
                "server.sequences", "fuzz",
                "server.keyed", "fuzz",
                "keyed.row.server", "jdbc:h2:mem:fuzz;DB_CLOSE_DELAY=-1",
                "create_tables", "true",
                "server.max_ids", 5,
                "server.request_timeout", "100ms"));
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        H2Servers.drop("fuzz");
    }

    @Test
    void everyRequestIsAnsweredClearly() throws IOException {
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        System.out.println("Fuzz test: -Dfuzz.seed=" + seed);
        Random random = new Random(seed);
        List<String> paths =
                server.server().routes().stream().map(Route::path).distinct().toList();
        for (int i = 0; i < REQUESTS; i++) {
            String method = pick(random, METHODS);
            String request = request(random, method, pick(random, paths));
            try (RawClient client = new RawClient(server)) {
                RawClient.Answer answer = method.equals("HEAD")
                        ? client.write(request).readHead()
                        : client.write(request).read();
                check("seed=" + seed + " request=" + i + ":\n" + request, method, answer);
            } catch (IOException e) {
                throw new AssertionError("seed=" + seed + " request=" + i + ":\n" + request, e);
            }
        }
        assertThat(server.ids("fuzz", 1)).hasSize(1);
    }

    private static void check(String what, String method, RawClient.Answer answer) {
        boolean isLeafs = what.contains("/api/") && answer.status() == 500;
        if (!isLeafs) {
            assertThat(answer.status()).as(what + "\n" + answer).isBetween(200, 499);
        }
        assertThat(answer.body())
                .as(what)
                .doesNotContain("Exception:", "\tat ", "java.", "io.vertx", "io.netty", "at io.");
        if (answer.status() >= 400 && !isLeafs && !method.equals("HEAD")) {
            assertThat(answer.head()).as(what).contains("content-type: application/problem+json");
            JsonObject problem = new JsonObject(answer.body());
            assertThat(problem.getString("detail")).as(what).isNotBlank();
            assertThat(problem.getInteger("status")).as(what).isEqualTo(answer.status());
        }
    }

    private static String request(Random random, String method, String path) {
        StringBuilder text = new StringBuilder(method).append(' ');
        for (String part : path.substring(1).split("/")) {
            boolean isOther = part.startsWith("{") ? random.nextInt(3) > 0 : random.nextInt(20) == 0;
            text.append('/').append(isOther ? word(random) : part.startsWith("{") ? "fuzz" : part);
        }
        String separator = "?";
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(separator).append(pick(random, NAMES));
            if (random.nextInt(10) > 0) {
                text.append('=').append(word(random));
            }
            separator = pick(random, List.of("&", "&", "&", ";", "&&"));
        }
        text.append(" HTTP/1.1\r\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(pick(random, HEADERS)).append("\r\n");
        }
        String body = random.nextInt(3) == 0 ? pick(random, BODIES) : "";
        if (!body.isEmpty() || random.nextBoolean()) {
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        return text.append("Connection: close\r\n\r\n").append(body).toString();
    }

    /** Without the spaces that would end the address. */
    private static String word(Random random) {
        return pick(random, WORDS).replace(" ", "%20");
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
