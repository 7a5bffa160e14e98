package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A real database that answers nobody: all its other connections wait. The server has one event loop, so that whoever
 * waits there stops everything.
 */
@Timeout(300)
class HangingStoreTest {

    private static final String URL = "jdbc:h2:mem:hanging_store;DB_CLOSE_DELAY=-1";

    /** More than are reserved. */
    private static final String ALL_IDS = "n=1000";

    private RunningServer server;

    private Connection database;

    @BeforeEach
    void start() throws SQLException {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("backend", "sequence_table");
        settings.put("sequence_table.servers", URL);
        settings.put("create_tables", true);
        settings.put("block.max", 16);
        settings.put("block.max_age", "off");
        settings.put("block.timeout", "2m");
        settings.put("seq.hang_other.backend", "memory");
        settings.put("timeout", "1m");
        settings.put("server.sequences", "hang_stuck, hang_other");
        settings.put("server.threads", 1);
        settings.put("server.request_timeout", "2m");
        // One connection, so that what comes after a request that hangs is read by the same event loop.
        server = RunningServer.ofHttp2(settings);
        server.ids("hang_stuck", 1);
        database = DriverManager.getConnection(URL);
    }

    @AfterEach
    void stop() throws SQLException {
        hang(false);
        database.close();
        server.close();
        H2Servers.drop("hanging_store");
    }

    private void hang(boolean hangs) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute("SET EXCLUSIVE " + (hangs ? 1 : 0));
        }
    }

    private CompletableFuture<HttpResponse<String>> send(String method, String path, String body) {
        HttpRequest request = server.request(path)
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        return server.client().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST | /v1/sequences/hang_stuck/ids?" + ALL_IDS + " |",
                "GET  | /v1/sequences/hang_stuck |",
                "POST | /v1/sequences/hang_stuck/above        | {'existing':['100000']}",
                "POST | /v1/sequences/hang_stuck/above        | {'existing':['100000'],'raise':true}",
                "GET  | /tinyid/id/nextId?bizType=hang_stuck&batchSize=1000 |",
                "POST | /tinyid/id/nextIdSimple?bizType=hang_stuck&batchSize=1000 |",
            })
    void aRequestThatWaitsForTheStoreHoldsUpNoOther(String method, String path, String body) throws Exception {
        hang(true);
        CompletableFuture<HttpResponse<String>> waiting = send(method, path, body);

        for (int i = 0; i < 3; i++) {
            assertOthersAreAnswered();
        }

        assertThat(waiting).as("it still waits").isNotDone();
        hang(false);
        assertThat(waiting.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode())
                .isLessThan(500);
    }

    private void assertOthersAreAnswered() {
        assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
        assertThat(server.ids("hang_other", 5)).hasSize(5);
        assertThat(server.get("/health/ready").body()).contains("hang_stuck");
        assertThat(server.get("/v1/status").body()).contains("hang_stuck");
        assertThat(server.get("/v1/sequences").statusCode()).isEqualTo(200);
        assertThat(server.post("/v1/sequences/hang_other/blocks").statusCode()).isEqualTo(200);
    }

    /** More of them than there are threads for descriptions. */
    @Test
    @Tag("slow")
    void theMetersAreReadWhileDescriptionsHang() throws Exception {
        hang(true);
        List<CompletableFuture<HttpResponse<String>>> waiting = Stream.generate(
                        () -> send("GET", "/v1/sequences/hang_stuck", null))
                .limit(10)
                .toList();

        assertThat(send("GET", "/metrics", null)
                        .get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .statusCode())
                .isEqualTo(200);

        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    /** Blocks and single ids, which wait when the reserve is used up. */
    @ParameterizedTest
    @CsvSource({
        "POST, /v1/sequences/hang_stuck/ids",
        "POST, /v1/sequences/hang_stuck/blocks",
        "GET, /api/segment/get/hang_stuck",
        "GET, /tinyid/id/nextSegmentIdSimple?bizType=hang_stuck"
    })
    void afterTheReserveRequestsWaitAndHoldUpNoOther(String method, String path) throws Exception {
        hang(true);
        CompletableFuture<HttpResponse<String>> first = send("POST", "/v1/sequences/hang_stuck/ids?" + ALL_IDS, null);
        Await.until("it has taken the reserve", () -> reserve() == 0);
        CompletableFuture<HttpResponse<String>> waiting = send(method, path, null);

        assertOthersAreAnswered();

        assertThat(List.of(first, waiting)).noneMatch(CompletableFuture::isDone);
        hang(false);
        for (CompletableFuture<HttpResponse<String>> each : List.of(first, waiting)) {
            assertThat(each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
        }
    }

    private long reserve() {
        return new JsonObject(server.get("/v1/status").body())
                .getJsonArray("sequences")
                .getJsonObject(0)
                .getJsonObject("blocks")
                .getLong("reserve");
    }
}
