package io.distributedid.server;

import static io.distributedid.server.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers of a sequence in strict order: one is active, the other stands by. */
class StrictServersTest {

    private static final String STORE = "jdbc:h2:mem:strict_servers;DB_CLOSE_DELAY=-1";

    private static final String IDS = "/v1/sequences/orders/ids";

    private RunningServer active;

    private RunningServer standby;

    @BeforeEach
    void start() {
        active = server("http://ids1:8080");
        standby = server("http://ids2:8080");
    }

    private static RunningServer server(String owner) {
        return RunningServer.with(Map.of(
                "backend", "snowflake",
                "snowflake.worker", "exclusive",
                "snowflake.layout", "strict",
                "snowflake.lease.server", STORE,
                "create_tables", "true",
                "snowflake.lease.owner", owner,
                "server.sequences", "orders",
                "server.max_ids", 50));
    }

    @AfterEach
    void stop() throws SQLException {
        active.close();
        standby.close();
        H2Servers.drop("strict_servers");
    }

    @Test
    void theStandbySaysWhichServerIsActive() {
        HttpResponse<String> answer = standby.post(IDS);

        assertThat(assertProblem(answer, 503, "standby").getString("active")).isEqualTo("http://ids1:8080");
        assertThat(active.ids("orders", 3)).hasSize(3).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void anAnswerWithIdsHasTheTokenOfTheirSpace() {
        JsonObject orders = new JsonObject(active.get("/v1/sequences/orders").body());

        assertThat(new JsonObject(active.post(IDS).body()).getString("token")).isEqualTo(orders.getString("token"));
    }

    @Test
    void bothServersDescribeTheSequenceAlike() {
        JsonObject orders = new JsonObject(active.get("/v1/sequences/orders").body());

        assertThat(orders.getString("kind")).isEqualTo("strict");
        assertThat(orders.getString("layout")).isEqualTo("time(ms):41, sequence:22");
        assertThat(orders.getInteger("maxIds")).isEqualTo(50);
        assertThat(orders.fieldNames()).doesNotContain("maxBlock", "counters");
        assertThat(new JsonObject(standby.get("/v1/sequences/orders").body())).isEqualTo(orders);
    }

    @Test
    void blocksAreRefused() {
        for (RunningServer each : List.of(active, standby)) {
            assertThat(assertProblem(each.post("/v1/sequences/orders/blocks"), 409, "no-blocks")
                            .getString("detail"))
                    .isEqualTo("Ids in strict order can't be taken as a block: seq=orders. Take each id when it is"
                            + " needed, with POST /v1/sequences/orders/ids");
        }
    }

    @Test
    void bothAreReadyAndOneIsActive() {
        assertThat(active.get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(standby.get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(active.get("/health/active").statusCode()).isEqualTo(200);
        assertThat(assertProblem(standby.get("/health/active"), 503, "standby").getString("active"))
                .isEqualTo("http://ids1:8080");
    }

    @Test
    @Timeout(300)
    void idsFarAheadOfTheStoresClockAreAnErrorOfTheServerAndOfItsClients() throws SQLException {
        assertThat(active.ids("orders", 1)).hasSize(1);
        standby.close();
        active.close();
        DatabaseRows.execute(STORE, "UPDATE distributedid SET number = number + 600000 WHERE name = '@strict'");
        active = server("http://ids1:8080");
        String text = " ms too far ahead of the store's clock, so ids continue at ";

        assertThat(assertProblem(active.post(IDS), 503, "unavailable").getString("detail"))
                .startsWith("The next id would be ")
                .contains(text);
        assertThat(active.get("/health/ready").statusCode()).isEqualTo(503);
        try (DistributedIds client = DistributedIds.create(Map.of(
                "distributedid.backend", "remote",
                "distributedid.remote.servers", active.server().url(),
                "distributedid.timeout", "1m",
                "distributedid.block.timeout", "1s"))) {
            Await.until("the client is told why", () -> {
                try {
                    return client.next("orders") < 0;
                } catch (IdUnavailableException e) {
                    return e.getMessage().contains(text);
                }
            });
        }
    }
}
