package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is almost the path of an operation reaches neither that operation nor another one. */
class ExactPathsTest {

    private static final String SEQUENCE = "exact_paths";

    private static RunningServer server;

    private static List<Pattern> served;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of("backend", "memory", "server.sequences", SEQUENCE));
        served = server.server().routes().stream()
                .map(route -> Pattern.compile(route.path().replaceAll("\\{\\w+}", "[^/]+")))
                .toList();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String example(Route route) {
        return route.path()
                .replace("{seq}", SEQUENCE)
                .replace("{key}", SEQUENCE)
                .replace("{file}", "page.js")
                .replace("{id}", "1");
    }

    /** Without those that are the path of another operation. */
    private static List<String> almost(String path) {
        List<String> all = new ArrayList<>(List.of(path + "/", path + "/x", path + "/x/y", path + "%2F", path + ";x"));
        int slash = path.indexOf('/');
        while (slash >= 0) {
            all.add(path.substring(0, slash) + "/" + path.substring(slash));
            int end = path.indexOf('/', slash + 1);
            if (end > slash + 1) {
                all.add(path.substring(0, end) + "%2F" + path.substring(end + 1));
                all.add(path.substring(0, end) + "/." + path.substring(end));
                all.add(path.substring(0, slash)
                        + path.substring(slash, end).toUpperCase(Locale.ROOT)
                        + path.substring(end));
                all.add(path.substring(0, slash + 1) + encoded(path.charAt(slash + 1)) + path.substring(slash + 2));
                all.add(path.substring(0, slash) + path.substring(end));
            }
            slash = end;
        }
        all.removeIf(each -> each.isEmpty()
                || served.stream().anyMatch(other -> other.matcher(each).matches()));
        return all;
    }

    private static String encoded(char character) {
        return String.format("%%%02X", (int) character);
    }

    @Test
    void whatIsAlmostAPathIsUnknown() {
        long before = issued();
        for (Route route : server.server().routes()) {
            for (String path : almost(example(route))) {
                HttpResponse<String> answer = server.send(server.request(path)
                        .method(route.method().name(), HttpRequest.BodyPublishers.noBody())
                        .build());

                assertThat(assertProblem(answer, 404, "unknown-path").getString("detail"))
                        .as("%s %s", route.method(), path)
                        .startsWith("There is no such path: " + path + ". All paths: ");
            }
        }
        assertThat(issued()).isEqualTo(before);
    }

    private static long issued() {
        return new JsonObject(server.get("/v1/status").body())
                .getJsonArray("sequences")
                .getJsonObject(0)
                .getLong("issued");
    }

    /** Otherwise the test above would find nothing. */
    @Test
    void thePathsOfTheTestAreServed() {
        for (Route route : server.server().routes()) {
            HttpResponse<String> answer = server.send(server.request(example(route))
                    .method(route.method().name(), HttpRequest.BodyPublishers.noBody())
                    .build());

            assertThat(answer.body()).as(route.toString()).doesNotContain("unknown-path");
            assertThat(almost(example(route))).as(route.toString()).hasSizeGreaterThan(3);
        }
    }
}
