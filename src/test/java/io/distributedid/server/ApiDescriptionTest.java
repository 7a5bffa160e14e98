package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The description has exactly the paths that are served. Each answer that it names is produced here, and has the
 * described form.
 */
class ApiDescriptionTest {

    private static final String EXISTING = "{\"existing\":[\"5\"]}";

    private static final String FAR = "{\"existing\":[\"7000001\"]}";

    private static final String RAISE_TO_THE_END = "{\"existing\":[\"9223372036854775807\"],\"raise\":true}";

    private static Map<String, Object> document;

    /** The store of sequence down does not answer, and gone has no ids left. */
    private static RunningServer server;

    /** Another server gives the ids of its sequence. */
    private static RunningServer standby;

    private static RunningServer healthy;

    /** Has tokens. */
    private static RunningServer guarded;

    /** An answer that was produced, from any client. */
    private record Answer(int status, Map<String, String> headers, String body) {

        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        String type() {
            return header("content-type");
        }

        static Answer of(HttpResponse<String> answer) {
            Map<String, String> headers = new LinkedHashMap<>();
            answer.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            return new Answer(answer.statusCode(), headers, answer.body());
        }

        static Answer of(RawClient.Answer answer) {
            Map<String, String> headers = new LinkedHashMap<>();
            answer.head().lines().skip(1).forEach(line -> {
                String[] field = line.split(":", 2);
                headers.put(field[0].toLowerCase(Locale.ROOT), field[1].strip());
            });
            return new Answer(answer.status(), headers, answer.body());
        }
    }

    private final Set<String> produced = new TreeSet<>();

    private final List<String> faults = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        document = new Yaml()
                .load(new String(
                        PackedFiles.class.getResourceAsStream("openapi.yaml").readAllBytes()));
        ScriptedBackendProvider.script("api_down").refusal = new IdUnavailableException("The store does not answer");
        ScriptedBackendProvider.Script gone = ScriptedBackendProvider.script("api_gone");
        gone.failure = new IdsExhaustedException("No ids are left");
        gone.permits.release(100);
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "sequence_table");
        settings.put("sequence_table.servers", "jdbc:h2:mem:server_api;DB_CLOSE_DELAY=-1");
        settings.put("create_tables", "true");
        settings.put("seq.photos.backend", "snowflake");
        settings.put("seq.photos.snowflake.worker", "9");
        settings.put("seq.api_down.backend", ScriptedBackendProvider.NAME);
        settings.put("seq.api_gone.backend", ScriptedBackendProvider.NAME);
        settings.put("seq.orders.backend", "snowflake");
        settings.put("seq.orders.snowflake.worker", "exclusive");
        settings.put("seq.orders.snowflake.layout", "strict");
        settings.put("seq.orders.snowflake.lease.server", "jdbc:h2:mem:server_api;DB_CLOSE_DELAY=-1");
        settings.put("seq.orders.create_tables", "true");
        settings.put("server.sequences", "users, photos, orders, api_down, api_gone");
        settings.put("server.keyed", "messages, gapless, rows_down");
        settings.put("keyed.row.server", "jdbc:h2:mem:server_api;DB_CLOSE_DELAY=-1");
        settings.put("create_tables", "true");
        settings.put("seq.rows_down.keyed.row.server", "jdbc:h2:tcp://localhost:" + Ports.take() + "/mem:away");
        settings.put("seq.rows_down.block.timeout", "100ms");
        settings.put("server.request_timeout", "200ms");
        server = RunningServer.with(settings);
        Map<String, Object> others = new LinkedHashMap<>(settings);
        others.keySet().removeIf(name -> !name.startsWith("seq.orders"));
        others.put("server.sequences", "orders");
        standby = RunningServer.with(others);
        prepareKeys();
        healthy = RunningServer.with(Map.of(
                "backend", "memory",
                "server.sequences", "api_up",
                "server.request_timeout", "200ms"));
        Map<String, Object> tokens = new LinkedHashMap<>();
        tokens.put("backend", "memory");
        tokens.put("server.sequences", "api_guarded, api_other");
        tokens.put("server.keyed", "api_guarded");
        tokens.put("keyed.row.server", "jdbc:h2:mem:server_api;DB_CLOSE_DELAY=-1");
        tokens.put("server.token.none.hash", Access.hash("none"));
        tokens.put("server.token.none.sequences", "api_other");
        tokens.put("server.token.none.rights", ",");
        tokens.put("server.token.poor.hash", Access.hash("poor"));
        tokens.put("server.token.poor.sequences", "*");
        tokens.put("server.token.poor.quota", 1);
        guarded = RunningServer.with(tokens);
    }

    /** Records the sequence gapless as such, and uses up the numbers of a key. */
    private static void prepareKeys() {
        server.post("/v1/keyed/messages/numbers?key=full");
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:server_api");
                Statement statement = connection.createStatement();
                DistributedIds ids = DistributedIds.create(Map.of())) {
            connection.setAutoCommit(false);
            ids.keyed("gapless").next(1, connection);
            statement.executeUpdate("UPDATE keyed_sequence SET number = 9223372036854775807 WHERE key_text = 'full'");
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        standby.close();
        server.close();
        healthy.close();
        guarded.close();
        H2Servers.drop("server_api");
    }

    @Test
    void itHasThePathsThatAreServed() {
        Set<String> described = new TreeSet<>();
        map(document.get("paths"))
                .forEach((path, methods) -> map(methods)
                        .keySet()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));

        assertThat(healthy.server().routes().stream().map(route -> route.method() + " " + route.path()))
                .containsExactlyInAnyOrderElementsOf(described);
    }

    @Test
    void itIsServed() throws IOException {
        HttpResponse<String> answer = server.get("/openapi.yaml");

        assertThat(answer.headers().firstValue("content-type")).hasValue("application/yaml");
        assertThat(new Yaml().<Object>load(answer.body())).isEqualTo(document);
    }

    @Test
    void everyAnswerIsProducedAndFitsItsSchema() throws IOException {
        get(server, "/v1/sequences", "/v1/sequences");
        get(server, "/v1/sequences", "/v1/sequences?x=1");

        String about = "/v1/sequences/{seq}";
        for (String path : List.of("users", "photos", "orders", "users?x=1", "usres", "api_down")) {
            get(server, about, "/v1/sequences/" + path);
        }
        String ids = "/v1/sequences/{seq}/ids";
        for (String path : List.of(
                "users/ids",
                "orders/ids",
                "users/ids?n=3&as=number",
                "users/ids?n=0",
                "x/ids",
                "api_down/ids",
                "api_gone/ids")) {
            post(server, ids, "/v1/sequences/" + path, "");
        }
        post(standby, ids, "/v1/sequences/orders/ids", "");
        lateBody(server, ids, "/v1/sequences/users/ids");
        String blocks = "/v1/sequences/{seq}/blocks";
        for (String path : List.of(
                "users/blocks",
                "photos/blocks",
                "orders/blocks",
                "users/blocks?n=1",
                "x/blocks",
                "api_down/blocks",
                "api_gone/blocks")) {
            post(server, blocks, "/v1/sequences/" + path, "");
        }
        lateBody(server, blocks, "/v1/sequences/users/blocks");
        String decode = "/v1/sequences/{seq}/ids/{id}";
        for (String path : List.of("users/ids/7", "photos/ids/7", "users/ids/x", "x/ids/7", "api_down/ids/7")) {
            get(server, decode, "/v1/sequences/" + path);
        }
        above();
        keyed();
        get(server, "/health/live", "/health/live");
        get(server, "/health/live", "/health/live?x=1");
        get(server, "/health/ready", "/health/ready");
        get(healthy, "/health/ready", "/health/ready");
        get(server, "/health/ready", "/health/ready?x=1");
        get(healthy, "/health/active", "/health/active");
        get(standby, "/health/active", "/health/active");
        get(server, "/health/active", "/health/active?x=1");
        statusPage();
        get(server, "/metrics", "/metrics");
        get(server, "/metrics", "/metrics?x=1");
        get(server, "/openapi.yaml", "/openapi.yaml");
        get(server, "/openapi.yaml", "/openapi.yaml?x=1");
        leaf();
        tinyId();
        tokens();

        assertThat(faults).isEmpty();
        assertThat(produced).as("the answers that are described").containsExactlyElementsOf(described());
    }

    private void statusPage() {
        get(server, "/v1/status", "/v1/status");
        get(server, "/v1/status", "/v1/status?x=1");
        get(server, "/", "/");
        get(server, "/", "/?x=1");
        for (String file : List.of("page.css", "page.js", "icon.svg", "page.css?x=1", "none.js")) {
            get(server, "/status/{file}", "/status/" + file);
        }
    }

    private void above() throws IOException {
        String above = "/v1/sequences/{seq}/above";
        String users = "/v1/sequences/users/above";
        server.ids("users", 5);
        post(server, above, users, EXISTING);
        post(server, above, users, "{}");
        post(server, above, users, FAR);
        post(server, above, users, RAISE_TO_THE_END);
        post(server, above, "/v1/sequences/x/above", EXISTING);
        post(server, above, "/v1/sequences/api_down/above", EXISTING);
        badBodies(server, above, users);
    }

    private void keyed() throws IOException {
        String numbers = "/v1/keyed/{seq}/numbers";
        for (String path : List.of(
                "messages/numbers?key=1",
                "messages/numbers?key=1&as=number",
                "messages/numbers?key=",
                "gapless/numbers?key=1",
                "x/numbers?key=1",
                "rows_down/numbers?key=1")) {
            post(server, numbers, "/v1/keyed/" + path, "");
            get(server, numbers, "/v1/keyed/" + path);
            get(server, numbers, "/v1/keyed/" + path + (path.contains("?") ? "&" : "?") + "bound=true");
        }
        post(server, numbers, "/v1/keyed/messages/numbers?key=full", "");
        lateBody(server, numbers, "/v1/keyed/messages/numbers?key=1");
        try (KeyOwners owners = new KeyOwners("server_api_keys")) {
            String concrete = "/v1/keyed/messages/numbers?key=" + owners.keyOfOthers(0);
            post(owners.at(0), numbers, concrete, "");
            get(owners.at(0), numbers, concrete);
            get(owners.at(0), "/v1/keyed/{seq}/table", "/v1/keyed/messages/table");
        }
        for (String path : List.of("messages", "x")) {
            get(server, "/v1/keyed/{seq}/table", "/v1/keyed/" + path + "/table");
        }
        get(server, "/v1/keyed/{seq}/table", "/v1/keyed/messages/table?x=1");
    }

    /** Without a token, with one that allows nothing, and with one whose quota is used up. */
    private void tokens() {
        String guard = "/v1/sequences/api_guarded";
        for (String token : List.of("", "none")) {
            with(token, "get", "/v1/sequences", "/v1/sequences");
            with(token, "get", "/v1/sequences/{seq}", guard);
            with(token, "get", "/v1/sequences/{seq}/ids/{id}", guard + "/ids/7");
            with(token, "get", "/v1/status", "/v1/status");
            with(token, "get", "/metrics", "/metrics");
            with(token, "get", "/v1/keyed/{seq}/numbers", "/v1/keyed/api_guarded/numbers?key=1");
            with(token, "get", "/v1/keyed/{seq}/table", "/v1/keyed/api_guarded/table");
            with(token, "post", "/v1/sequences/{seq}/above", guard + "/above");
            with(token, "get", "/api/segment/get/{key}", "/api/segment/get/api_guarded");
            with(token, "get", "/tinyid/id/nextId", "/tinyid/id/nextId?bizType=api_guarded&token=" + token);
        }
        for (String token : List.of("", "none", "poor", "poor")) {
            with(token, "post", "/v1/sequences/{seq}/ids", guard + "/ids?n=1000");
            with(token, "post", "/v1/sequences/{seq}/blocks", guard + "/blocks");
            with(token, "post", "/v1/keyed/{seq}/numbers", "/v1/keyed/api_guarded/numbers?key=1");
        }
    }

    private void with(String token, String method, String path, String concrete) {
        HttpRequest.Builder request =
                guarded.request(concrete).method(method.toUpperCase(Locale.ROOT), HttpRequest.BodyPublishers.noBody());
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        check(method, path, Answer.of(guarded.send(request.build())));
    }

    private void leaf() {
        for (String path : List.of("/api/segment/get/", "/api/snowflake/get/")) {
            for (String key : List.of("users", "photos", "x", "api_down", "api_gone")) {
                get(server, path + "{key}", path + key);
            }
        }
    }

    private void tinyId() throws IOException {
        for (String path : List.of("nextId", "nextIdSimple", "nextSegmentIdSimple")) {
            String full = "/tinyid/id/" + path;
            for (String query : List.of("?bizType=users&token=x", "?bizType=x", "", "?bizType=api_gone")) {
                get(server, full, full + query);
                post(server, full, full + query, "");
            }
            badBodies(server, full, full);
        }
        for (String path : List.of("nextId", "nextIdSimple")) {
            get(server, "/tinyid/id/" + path, "/tinyid/id/" + path + "?bizType=users&batchSize=3");
        }
    }

    private void get(RunningServer of, String path, String concrete) {
        check("get", path, Answer.of(of.get(concrete)));
    }

    private void post(RunningServer of, String path, String concrete, String body) {
        check("post", path, Answer.of(of.post(concrete, body)));
    }

    /** One that is too large, and one that does not come. */
    private void badBodies(RunningServer of, String path, String concrete) throws IOException {
        for (int length : new int[] {10, 100_000}) {
            try (RawClient client = new RawClient(of)) {
                client.write("POST " + concrete + " HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\n");
                check("post", path, Answer.of(client.read()));
            }
        }
    }

    /** Where there may be none: only a body without a length may turn out to be empty. */
    private void lateBody(RunningServer of, String path, String concrete) throws IOException {
        try (RawClient client = new RawClient(of)) {
            client.write("POST " + concrete + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
            check("post", path, Answer.of(client.read()));
        }
    }

    private void check(String method, String path, Answer answer) {
        String name = method + " " + path + " " + answer.status();
        produced.add(name);
        Map<String, Object> operation =
                map(map(map(document.get("paths")).get(path)).get(method));
        Object described = map(operation.get("responses")).get(Integer.toString(answer.status()));
        if (described == null) {
            faults.add(name + " is not described: " + answer);
            return;
        }
        Map<String, Object> response = Schema.resolved(document, described);
        if (response.containsKey("headers")) {
            map(response.get("headers")).keySet().stream()
                    .filter(field -> answer.header(field).isEmpty())
                    .forEach(field -> faults.add(name + " has no " + field));
        }
        if (!response.containsKey("content")) {
            if (!answer.body().isEmpty()) {
                faults.add(name + " has a body: " + answer.body());
            }
            return;
        }
        Map<String, Object> contents = map(response.get("content"));
        Object content = contents.get(answer.type().replaceAll(";.*", ""));
        if (content == null) {
            faults.add(name + " has another type than " + contents.keySet() + ": " + answer);
            return;
        }
        Object value = answer.type().contains("json") ? new JsonObject(answer.body()) : answer.body();
        Schema.faults(document, map(content).get("schema"), value)
                .forEach(fault -> faults.add(name + " " + fault + " in " + answer.body()));
    }

    private static Set<String> described() {
        Set<String> all = new TreeSet<>();
        map(document.get("paths"))
                .forEach((path, methods) -> map(methods).forEach((method, operation) -> {
                    Set<String> statuses = map(map(operation).get("responses")).keySet();
                    statuses.forEach(status -> all.add(method + " " + path + " " + status));
                }));
        return all;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        return (Map<String, Object>) node;
    }
}
