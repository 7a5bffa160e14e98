package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache between clients and a server keeps answers against the rules. No id is given twice. */
@Timeout(120)
class KeptAnswersTest {

    private static final String KEPT =
            "The answer is that of another request. Nothing between this process and the" + " service may keep answers";

    private final RunningServer server = RunningServer.with(Map.of(
            "backend", "sequence_table",
            "sequence_table.servers", "jdbc:h2:mem:kept_answers;DB_CLOSE_DELAY=-1",
            "create_tables", "true",
            "server.sequences", "photos",
            "keyed.row.server", "jdbc:h2:mem:kept_answers_keyed;DB_CLOSE_DELAY=-1",
            "server.keyed", "messages"));

    private final Map<String, HttpResponse<byte[]>> kept = new ConcurrentHashMap<>();

    private final HttpClient forward = HttpClient.newHttpClient();

    private HttpServer cache;

    @BeforeEach
    void start() throws IOException {
        assertThat(server.ids("photos", 1)).containsExactly(1L);
        cache = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cache.setExecutor(Executors.newCachedThreadPool());
        cache.createContext("/", this::answer);
        cache.start();
    }

    @AfterEach
    void stop() throws SQLException {
        cache.stop(0);
        server.close();
        H2Servers.drop("kept_answers", "kept_answers_keyed");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<byte[]> answer = kept.computeIfAbsent(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI(), request -> asked(exchange));
            for (String name : new String[] {"Content-Type", ServiceServer.REQUEST_ID}) {
                answer.headers()
                        .firstValue(name)
                        .ifPresent(value -> exchange.getResponseHeaders().set(name, value));
            }
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    private HttpResponse<byte[]> asked(HttpExchange exchange) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.server().url() + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.noBody())
                .header(ServiceServer.REQUEST_ID, exchange.getRequestHeaders().getFirst(ServiceServer.REQUEST_ID))
                .build();
        return forward.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .join();
    }

    /** @param prefix of the settings, as in {@code distributedid.keyed.} */
    private DistributedIds client(String prefix) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "memory");
        settings.put("distributedid.block.timeout", "5s");
        settings.put(prefix + "backend", "remote");
        settings.put("distributedid.timeout", "30s");
        settings.put(
                prefix + "remote.servers",
                "http://127.0.0.1:" + cache.getAddress().getPort());
        return DistributedIds.builder()
                .settings(settings)
                .tokensComparedByCaller()
                .build();
    }

    @Test
    void noProcessTakesIdsThatAnotherGot() {
        try (DistributedIds first = client("distributedid.")) {
            assertThat(first.next("photos")).isGreaterThan(1);
        }
        kept.keySet().removeIf(request -> request.startsWith("GET"));
        try (DistributedIds second = client("distributedid.")) {
            assertThatThrownBy(() -> second.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(KEPT);
        }
    }

    @Test
    void noNumberOfAKeyIsTakenTwice() {
        try (DistributedIds ids = client("distributedid.keyed.")) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(42)).isEqualTo(1);
            assertThatThrownBy(() -> messages.next(42))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(KEPT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/sequences/photos/ids", "/v1/sequences/photos", "/v1/sequences/phots/ids", "/other"})
    void everyAnswerRepeatsTheIdOfItsRequest(String path) {
        assertThat(repeated(path, "3f2a-B7")).containsExactly("3f2a-B7");
        assertThat(server.post(path).headers().allValues(ServiceServer.REQUEST_ID))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "<a>", "a,b", "12345678901234567890123456789012345678901234567890123456789012345"})
    void noOtherTextIsRepeated(String id) {
        assertThat(repeated("/v1/sequences/photos/ids", id)).isEmpty();
    }

    private Iterable<String> repeated(String path, String id) {
        HttpRequest request = server.request(path)
                .header(ServiceServer.REQUEST_ID, id)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return server.send(request).headers().allValues(ServiceServer.REQUEST_ID);
    }
}
