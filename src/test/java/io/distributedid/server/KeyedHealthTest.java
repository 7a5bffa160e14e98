package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database of numbers per key goes away and comes back: the health says both. */
@Timeout(600)
class KeyedHealthTest {

    private static final String PATH = "/v1/keyed/messages/numbers?key=";

    private static final String AWAY = "keyed_health";

    private H2Servers database;

    private CuttingProxy proxy;

    private int port;

    @BeforeEach
    void start() throws Exception {
        database = H2Servers.start();
        port = URI.create(database.url(AWAY).replace("jdbc:h2:", "")).getPort();
        proxy = new CuttingProxy(port);
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        database.close();
        H2Servers.drop(AWAY);
    }

    private String url() {
        return database.url(AWAY).replace(":" + port + "/", ":" + proxy.port() + "/");
    }

    private static RunningServer server(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of("server.keyed", "messages", "block.timeout", "1s"));
        settings.putAll(more);
        return RunningServer.with(settings);
    }

    private void cut() {
        proxy.switchTo(Ports.take());
        proxy.breakAll();
    }

    private static String status(RunningServer server) {
        JsonObject figures = new JsonObject(server.get("/v1/status").body());
        JsonObject ready = new JsonObject(server.get("/health/ready").body());
        assertThat(ready.getString("status")).isEqualTo(figures.getString("status"));
        return figures.getString("status");
    }

    private static void awaitAnswer(RunningServer server, String key, int status) {
        Await.until(
                "a request gets " + status,
                () -> server.post(PATH + key).statusCode() == status,
                () -> server.post(PATH + key).body());
    }

    private RunningServer fromMemory() {
        int own = Ports.take();
        return server(Map.of(
                "server.port",
                own,
                "keyed.backend",
                "section",
                "keyed.section.store",
                url(),
                "create_tables",
                "true",
                "keyed.section.sections",
                1,
                "keyed.section.lease",
                "1s",
                "timeout",
                "500ms",
                "keyed.section.address",
                "http://127.0.0.1:" + own));
    }

    @Test
    void numbersFromMemoryShowThatAnOutageIsOver() {
        try (RunningServer server = fromMemory()) {
            awaitAnswer(server, "1", 200);
            cut();
            awaitAnswer(server, "1", 503);
            assertThat(status(server)).isEqualTo("DEGRADED");

            proxy.switchTo(port);
            Set<String> rows = new HashSet<>();
            Await.until("its lease is renewed several times", () -> rows.add(row()) && rows.size() > 4);
            awaitAnswer(server, "1", 200);

            assertThat(status(server)).isEqualTo("UP");
        }
    }

    /** It is found too large only when the answer is written. */
    @Test
    void aNumberThatIsTooLargeForTheFormIsRefusedAlsoIfItComesFromMemory() throws SQLException {
        try (RunningServer server = fromMemory()) {
            awaitAnswer(server, "1", 200);
            DatabaseRows.execute(
                    "jdbc:h2:mem:" + AWAY,
                    "UPDATE distributedid SET number = 9007199254740992, version = '1000000-raised', text = '-'"
                            + " WHERE name = '@keyed/messages/0'");
            Await.until(
                    "its section is raised",
                    () -> server.post(PATH + "1").body().contains("90071992547409"));

            assertThat(server.post(PATH + "1&as=number").statusCode()).isEqualTo(400);
        }
    }

    private static String row() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + AWAY);
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT version FROM distributedid WHERE name = '@keyed/messages/0'")) {
            return row.next() ? row.getString(1) : "";
        }
    }

    @Test
    void aDatabaseThatHasLostItsRowsIsNotWellUntilTheyAreBack() throws SQLException {
        try (RunningServer server = server(Map.of("keyed.row.server", database.url(AWAY), "create_tables", "true"))) {
            awaitAnswer(server, "0", 200);
            DatabaseRows.execute(
                    "jdbc:h2:mem:" + AWAY,
                    "CREATE TABLE backup AS SELECT * FROM keyed_sequence",
                    "TRUNCATE TABLE keyed_sequence");
            awaitAnswer(server, "0", 409);
            assertThat(status(server)).isEqualTo("DEGRADED");
            assertThat(server.get("/v1/status").body()).contains("has lost its rows");

            DatabaseRows.execute("jdbc:h2:mem:" + AWAY, "INSERT INTO keyed_sequence SELECT * FROM backup");
            Await.until("it is well", () -> server.get("/health/ready").body().contains("{\"status\":\"UP\""));
        }
    }
}
