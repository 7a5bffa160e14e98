package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The status page has all its parts, and what a browser is told about them. A test in a browser shows what it does. */
class StatusPagePartsTest {

    /** What the page or a script of it loads, by its name in the folder of the page. */
    private static final Pattern LOADED =
            Pattern.compile("(?:(?:href|src)=\"status/([^\"]+)\"|^import .* from '\\./([^']+)';$)", Pattern.MULTILINE);

    /** Where a reader finds what happened before. Browsers load it only if the reader follows the link. */
    private static final String DASHBOARD =
            "href=\"https://github.com/distributedid/distributedid/blob/main/src/docs/operations.md#the-dashboard\"";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.ofMemory("page_parts");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> get(String path) {
        HttpResponse<String> answer = server.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer;
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** All files, by their paths: the page, what it loads, and what that loads. */
    private static Map<String, HttpResponse<String>> all() {
        Map<String, HttpResponse<String>> all = new LinkedHashMap<>();
        Set<String> open = new TreeSet<>(Set.of("/"));
        while (!open.isEmpty()) {
            String path = open.iterator().next();
            HttpResponse<String> answer = get(path);
            all.put(path, answer);
            LOADED.matcher(answer.body())
                    .results()
                    .map(found -> "/status/" + (found.group(1) == null ? found.group(2) : found.group(1)))
                    .forEach(open::add);
            open.removeAll(all.keySet());
        }
        return all;
    }

    @Test
    void everyPartThatIsServedIsLoaded() {
        String parts = assertProblem(server.get("/status/none.js"), 404, "unknown-path")
                .getString("detail");
        String allowed = parts.substring(parts.indexOf("allowed: ") + "allowed: ".length());

        assertThat(parts).startsWith("The status page has no such part: file=none.js, allowed: ");
        assertThat(all().keySet().stream()
                        .filter(path -> !path.equals("/"))
                        .map(path -> path.substring("/status/".length())))
                .hasSizeGreaterThan(3)
                .containsExactlyInAnyOrder(allowed.split(", "));
    }

    @Test
    void everyPartHasItsTypeAndTheRulesForTheBrowser() {
        all().forEach((path, answer) -> {
            assertThat(header(answer, "content-type"))
                    .as(path)
                    .isEqualTo(
                            path.endsWith(".js")
                                    ? "text/javascript; charset=utf-8"
                                    : path.endsWith(".css")
                                            ? "text/css; charset=utf-8"
                                            : path.endsWith(".svg") ? "image/svg+xml" : "text/html; charset=utf-8");
            assertThat(header(answer, "content-security-policy").split("; "))
                    .as(path)
                    .contains(
                            "default-src 'none'",
                            "script-src 'self'",
                            "connect-src 'self'",
                            "frame-ancestors 'none'",
                            "require-trusted-types-for 'script'")
                    .noneMatch(rule -> rule.contains("unsafe") || rule.contains("*"));
            assertThat(header(answer, "x-content-type-options")).as(path).isEqualTo("nosniff");
            assertThat(header(answer, "referrer-policy")).as(path).isEqualTo("no-referrer");
            assertThat(header(answer, "cache-control")).as(path).isEqualTo("no-store");
        });
    }

    /** Names of formats look like addresses, but nobody asks for them. */
    @Test
    void noPartNamesAnotherHost() {
        all().forEach((path, answer) -> assertThat(answer.body()
                        .replace("http://www.w3.org/2000/svg", "")
                        .replace(DASHBOARD, "")
                        .replace("// ", ""))
                .as(path)
                .doesNotContain("//", "@import", "url("));
    }

    @Test
    void thePageLinksTheDashboardInPlaceOfPlots() {
        assertThat(get("/").body()).containsOnlyOnce(DASHBOARD);
        assertThat(Path.of("src/docs/operations.md")).content().contains("\n## The dashboard\n");
    }

    /** A proxy may serve the page below a path of its own. */
    @Test
    void noPathOfAPartBeginsAtTheRoot() {
        all().forEach((path, answer) -> assertThat(answer.body()).as(path).doesNotContainPattern("[\"'`]/(?!>)"));
    }

    @Test
    void theParametersOfAPartAreRefused() {
        assertProblem(server.get("/?x=1"), 400, "invalid-parameter");
        assertProblem(server.get("/status/page.js?x=1"), 400, "invalid-parameter");
        assertProblem(server.get("/status/"), 404, "unknown-path");
        assertProblem(server.get("/status/..%2Fopenapi.yaml"), 404, "unknown-path");
    }
}
