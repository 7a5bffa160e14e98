package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what. */
class TokensTest {

    private static final String WEB = "token-of-web";

    private static final String OLD = "former-token-of-web";

    private static final String ADMIN = "token-of-admin";

    private static RunningServer server;

    @BeforeAll
    static void start() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("server.sequences", "tokens_a, tokens_b");
        settings.put("server.token.web.hash", Access.hash(WEB) + ", " + Access.hash(OLD));
        settings.put("server.token.web.sequences", "tokens_a");
        settings.put("server.token.admin.hash", Access.hash(ADMIN));
        settings.put("server.token.admin.sequences", "*");
        settings.put("server.token.admin.rights", "read, raise, metrics");
        server = RunningServer.with(settings);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> get(String path, String authorization) {
        HttpRequest.Builder request = server.request(path);
        return server.send(
                (authorization.isEmpty() ? request : request.header("Authorization", authorization)).build());
    }

    private static HttpResponse<String> post(String path, String token, String body) {
        return server.send(server.request(path)
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void aTokenAllowsItsSequences() {
        assertThat(post("/v1/sequences/tokens_a/ids", WEB, "").statusCode()).isEqualTo(200);
        assertThat(post("/v1/sequences/tokens_a/blocks", OLD, "").statusCode()).isEqualTo(200);
        assertThat(new JsonObject(get("/v1/sequences", "bearer  " + WEB).body()))
                .isEqualTo(new JsonObject().put("sequences", new JsonArray().add("tokens_a")));

        assertThat(assertProblem(post("/v1/sequences/tokens_b/ids", WEB, ""), 403, "forbidden")
                        .getString("detail"))
                .isEqualTo("The token does not allow this: token=web seq=tokens_b. Use another token, or change the"
                        + " settings of this one");
        // Nor does it learn which others there are.
        assertProblem(post("/v1/sequences/tokens_c/ids", WEB, ""), 403, "forbidden");
        assertProblem(post("/v1/keyed/tokens_c/numbers?key=1", WEB, ""), 403, "forbidden");
    }

    @Test
    void aTokenAllowsItsRights() {
        assertThat(get("/metrics", "Bearer " + ADMIN).statusCode()).isEqualTo(200);
        assertThat(post("/v1/sequences/tokens_b/above", ADMIN, "{\"existing\":[\"5\"],\"raise\":true}")
                        .statusCode())
                .isEqualTo(204);

        assertThat(assertProblem(post("/v1/sequences/tokens_b/ids", ADMIN, ""), 403, "forbidden")
                        .getString("detail"))
                .startsWith("The token does not allow this: token=admin right=ids.");
        assertProblem(get("/metrics", "Bearer " + WEB), 403, "forbidden");
        assertThat(assertProblem(
                                post("/v1/sequences/tokens_a/above", WEB, "{\"existing\":[\"5\"],\"raise\":true}"),
                                403,
                                "forbidden")
                        .getString("detail"))
                .startsWith("The token does not allow this: token=web right=raise.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer wrong", "Basic dG9rZW4tb2Ytd2ViOg==", "token-of-web"})
    void withoutAKnownTokenNothingIsAllowed(String authorization) {
        HttpResponse<String> answer = get("/v1/sequences", authorization);

        assertProblem(answer, 401, "unauthenticated");
        assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
        assertThat(answer.body()).doesNotContain("wrong");
    }

    @Test
    void healthTheDescriptionAndTheEmptyPageNeedNoToken() {
        for (String path : new String[] {"/health/live", "/health/ready", "/openapi.yaml", "/", "/status/page.js"}) {
            assertThat(get(path, "").statusCode()).as(path).isEqualTo(200);
        }
    }

    /** Names of sequences, addresses of databases and last ids are figures. */
    @Test
    void healthTellsItsReasonsToReadersAndTheStatusToEveryone() {
        for (String path : new String[] {"/health/ready", "/health/active"}) {
            for (String authorization : new String[] {"", "Bearer wrong"}) {
                assertThat(get(path, authorization).body()).isEqualTo("{\"status\":\"UP\"}");
            }
            assertThat(get(path, "Bearer " + WEB).body()).contains("tokens_a").doesNotContain("tokens_b");
            assertThat(get(path, "Bearer " + ADMIN).body()).contains("tokens_a", "tokens_b");
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", ScriptedBackendProvider.NAME);
        settings.put("server.sequences", "tokens_down");
        settings.put("server.token.web.hash", Access.hash(WEB));
        settings.put("server.token.web.sequences", "*");
        settings.put("server.token.web.rights", "ids");
        ScriptedBackendProvider.script("tokens_down").refusal = new IdUnavailableException("Store jdbc:x is away");
        try (RunningServer down = RunningServer.with(settings)) {
            HttpResponse<String> answer = down.send(down.request("/health/ready")
                    .header("Authorization", "Bearer " + WEB)
                    .build());

            assertThat(assertProblem(answer, 503, "not-ready").fieldNames())
                    .containsExactlyInAnyOrder("type", "title", "status", "detail");
            assertThat(answer.body()).doesNotContain("tokens_down", "jdbc");
        }
    }

    @Test
    void clientsOfLeafAndTinyIdSendTheirTokenToo() {
        assertThat(get("/api/segment/get/tokens_a", "Bearer " + WEB).statusCode())
                .isEqualTo(200);
        assertThat(new JsonObject(get("/api/segment/get/tokens_a", "").body()).getString("message"))
                .isEqualTo("Result{id=-3, status=EXCEPTION}");

        String tiny = "/tinyid/id/nextId?bizType=tokens_a";
        assertThat(new JsonObject(get(tiny + "&token=" + WEB, "").body()).getInteger("code"))
                .isEqualTo(200);
        for (String wrong : new String[] {"", "&token=", "&token=wrong"}) {
            assertThat(get(tiny + wrong, "").body())
                    .isEqualTo("{\"data\":null,\"code\":5,\"message\":\"token is error\"}");
        }
        assertThat(get("/tinyid/id/nextId?bizType=tokens_b&token=" + WEB, "").body())
                .contains("\"code\":5");
        assertThat(get("/tinyid/id/nextIdSimple?bizType=tokens_a&token=wrong", "")
                        .body())
                .isEmpty();
    }

    @Test
    void aQuotaHoldsForIdsAndBlocksTogether() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("server.sequences", "tokens_quota");
        settings.put("server.token.poor.hash", Access.hash(WEB));
        settings.put("server.token.poor.sequences", "*");
        settings.put("server.token.poor.quota", 1);
        try (RunningServer limited = RunningServer.with(settings)) {
            HttpRequest ids = limited.request("/v1/sequences/tokens_quota/ids?n=1000")
                    .header("Authorization", "Bearer " + WEB)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            // The first request is allowed although it costs more than was saved.
            long began = System.nanoTime();
            assertThat(limited.send(ids).statusCode()).isEqualTo(200);

            HttpResponse<String> refused = limited.send(ids);

            assertThat(assertProblem(refused, 429, "quota").getString("detail"))
                    .isEqualTo("The quota of the token is used up: token=poor, allowed: 1 ids a second. Retry later");
            // One second was saved, and the rest of the debt is rounded up.
            long most = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
            assertThat(Long.parseLong(
                            refused.headers().firstValue("retry-after").orElseThrow()))
                    .isBetween(1000L - most, 999L);
            HttpResponse<String> block = limited.send(limited.request("/v1/sequences/tokens_quota/blocks")
                    .header("Authorization", "Bearer " + WEB)
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build());
            assertProblem(block, 429, "quota");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "web.hash=secret-token | distributedid.server.token.web.hash=***, allowed: SHA-256 of the token",
                "web.hash= | A setting is missing: distributedid.server.token.web.hash",
                "web.hsh=x | There is no such setting: distributedid.server.token.web.hsh. Did you mean"
                        + " distributedid.server.token.web.hash?",
                "web.sequences=tokens_c | distributedid.server.token.web.sequences=tokens_c, allowed: names of served"
                        + " sequences separated by commas, or *. Did you mean tokens_a?",
                "web.sequences= | A setting is missing: distributedid.server.token.web.sequences",
                "web.rights=ids, write | distributedid.server.token.web.rights=ids, write, allowed: some of ids,"
                        + " blocks, read, raise, metrics, separated by commas",
                "web.quota=0 | distributedid.server.token.web.quota=0, allowed: a number from 1 to 1000000000",
                "1a.hash=x | There is no such setting: distributedid.server.token.1a.hash"
            })
    void aSettingThatIsNotAllowedFailsTheStart(String setting, String message) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "memory");
        settings.put("server.sequences", "tokens_a");
        settings.put("server.token.web.hash", Access.hash(WEB));
        settings.put("server.token.web.sequences", "*");
        settings.put(
                "server.token." + setting.substring(0, setting.indexOf('=')),
                setting.substring(setting.indexOf('=') + 1));

        assertThatThrownBy(() -> RunningServer.with(settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret-token");
    }

    @Test
    void twoTokensWithOneHashFailTheStart() {
        Map<String, Object> settings = Map.of(
                "backend", "memory",
                "server.sequences", "tokens_a",
                "server.token.one.hash", Access.hash(WEB),
                "server.token.one.sequences", "*",
                "server.token.two.hash", Access.hash(WEB),
                "server.token.two.sequences", "*");

        assertThatThrownBy(() -> RunningServer.with(settings))
                .hasMessage("Two tokens have the same hash: distributedid.server.token.two.hash. Make a new one with"
                        + " --new-token two");
    }

    @Test
    void newTokensDiffer() {
        assertThat(Access.newToken()).hasSize(43).isNotEqualTo(Access.newToken());
        assertThat(Access.hash("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
