package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import io.distributedid.testkit.ServerProcess;
import io.quarkus.test.junit.main.LaunchResult;
import io.quarkus.test.junit.main.QuarkusMainLauncher;
import io.quarkus.test.junit.main.QuarkusMainTest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application is started and stopped twice on one database. */
@QuarkusMainTest
@Needs(Need.MYSQL)
class MainTest {

    private static final Pattern ID = Pattern.compile("(?m)(?:photo=|Refused: |comment=)(\\d+)");

    private static final String URL = "quarkus.datasource.jdbc.url";

    private static final String PREFIX = "quarkus.hibernate-orm.unsupported-properties.";

    private static MySqlServer server;

    @BeforeAll
    static void startServer(@TempDir Path folder) {
        server = MySqlServer.start(folder.resolve("mysql"));
        System.setProperty(URL, server.jdbcUrl("photos"));
        System.setProperty("quarkus.datasource.username", "root");
    }

    @Test
    void persistsRollsBackAndStopsCleanly(QuarkusMainLauncher launcher) throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (int run = 1; run <= 2; run++) {
            LaunchResult result = launcher.launch();

            assertThat(result.exitCode()).isZero();
            assertThat(result.getOutput())
                    .as("leased, handed back, and leased again")
                    .contains("worker=0,");
            List<Long> issued = ids(result.getOutput());
            assertThat(issued).hasSize(4);
            ids.addAll(issued);
            assertThat(numbers("photos", "SELECT id FROM Photo"))
                    .hasSize(2 * run)
                    .doesNotContain(issued.get(1));
            assertThat(numbers("photos", "SELECT id FROM Comment")).hasSize(run).contains(issued.get(3));
            assertThat(numbers(
                            "photos",
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'photos' AND id <>"
                                    + " CONNECTION_ID()"))
                    .as("connections left")
                    .containsExactly(0L);
            assertThat(numbers(
                            "photos",
                            "SELECT number <= UNIX_TIMESTAMP(NOW(3)) * 1000 FROM distributedid WHERE name ="
                                    + " '@worker/0'"))
                    .as("handed back")
                    .containsExactly(1L);
        }
        assertThat(new HashSet<>(ids))
                .as("none twice, those rolled back included")
                .hasSize(8);
    }

    /** In a process of its own, which has no database here. */
    @Test
    void takesIdsFromAnIssuingService(QuarkusMainLauncher launcher) throws SQLException {
        ServerProcess service = ServerProcess.packed(Map.of("distributedid.sequence_table.start", 5_000));
        List<Long> issued = launch(
                launcher,
                "others",
                Map.of(
                        "distributedid.backend",
                        "remote",
                        "distributedid.remote.servers",
                        service.url().toString()));

        // Ids that are old when the start ends are not used.
        assertThat(issued.subList(0, 3)).isSorted().allMatch(id -> id >= 5_000 && id < 10_000);
        assertThat(numbers("others", "SELECT id FROM Photo")).containsExactly(issued.get(0), issued.get(2));
    }

    @Test
    @Needs(Need.REDIS)
    void countsInRedis(QuarkusMainLauncher launcher, @TempDir Path folder) throws SQLException {
        RedisServer redis = RedisServer.start(folder.resolve("redis"));
        Map<String, String> settings = Map.of(
                "distributedid.backend", "redis",
                "distributedid.redis.servers", redis.url(),
                "distributedid.timeout", "30s",
                "distributedid.redis.start", "5000");
        List<Long> first = launch(launcher, "counted", settings);
        List<Long> second = launch(launcher, "counted", settings);

        assertThat(first.subList(0, 3)).isSorted().allMatch(id -> id >= 5_000 && id < 10_000);
        assertThat(second.subList(0, 3)).isSorted().allMatch(id -> id > first.get(2) && id < 10_000);
        assertThat(numbers("counted", "SELECT id FROM Photo"))
                .containsExactlyInAnyOrder(first.get(0), first.get(2), second.get(0), second.get(2));
        assertThat(redis.command("CLIENT", "LIST").lines())
                .as("connections left, beside this one")
                .hasSize(1);

        redis.command("FLUSHALL");
        assertThat(started(launcher, "counted", settings).exitCode())
                .as("another id space than that of the entities")
                .isNotZero();
    }

    /** Starts the application on another schema with further settings, and returns its ids. */
    private static List<Long> launch(QuarkusMainLauncher launcher, String schema, Map<String, String> settings) {
        LaunchResult result = started(launcher, schema, settings);
        assertThat(result.exitCode()).isZero();
        return ids(result.getOutput());
    }

    private static LaunchResult started(QuarkusMainLauncher launcher, String schema, Map<String, String> settings) {
        settings.forEach((name, value) -> System.setProperty(PREFIX + '"' + name + '"', value));
        String url = System.setProperty(URL, server.jdbcUrl(schema));
        try {
            return launcher.launch();
        } finally {
            System.setProperty(URL, url);
            settings.keySet().forEach(name -> System.clearProperty(PREFIX + '"' + name + '"'));
        }
    }

    private static List<Long> ids(String output) {
        Matcher matcher = ID.matcher(output);
        return matcher.results().map(result -> Long.valueOf(result.group(1))).toList();
    }

    private static List<Long> numbers(String schema, String query) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = server.connect(schema);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
