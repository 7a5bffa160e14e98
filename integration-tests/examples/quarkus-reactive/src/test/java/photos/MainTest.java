package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.StartedServers;
import io.quarkus.test.junit.main.LaunchResult;
import io.quarkus.test.junit.main.QuarkusMainLauncher;
import io.quarkus.test.junit.main.QuarkusMainTest;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The application is started and stopped twice on one database. */
@QuarkusMainTest
@ExtendWith(StartedServers.class)
class MainTest {

    private static final Pattern ID = Pattern.compile("(?m)(?:photo=|Refused: )(\\d+)");

    private static final String CONNECTIONS = "SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type ="
            + " 'client backend' AND pid <> pg_backend_pid()";

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws IOException {
        server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .start());
        System.setProperty(
                "quarkus.datasource.reactive.url", "postgresql://localhost:" + server.getPort() + "/postgres");
        System.setProperty("quarkus.datasource.username", "postgres");
        System.setProperty("quarkus.datasource.password", "postgres");
        System.setProperty(
                "quarkus.hibernate-orm.unsupported-properties.\"distributedid.sequence_table.servers\"",
                "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres");
    }

    @Test
    void persistsRollsBackAndStopsCleanly(QuarkusMainLauncher launcher) throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (int run = 1; run <= 2; run++) {
            LaunchResult result = launcher.launch();

            assertThat(result.exitCode()).isZero();
            List<Long> issued = ID.matcher(result.getOutput())
                    .results()
                    .map(found -> Long.valueOf(found.group(1)))
                    .toList();
            assertThat(issued).hasSize(3);
            ids.addAll(issued);
            assertThat(numbers("SELECT id FROM Photo")).hasSize(2 * run).doesNotContain(issued.get(1));
            Await.until("no connection is left", () -> numbers(CONNECTIONS).get(0) == 0, () -> numbers(CONNECTIONS));
        }
        assertThat(new HashSet<>(ids))
                .as("none twice, those rolled back included")
                .hasSize(6);
    }

    private static List<Long> numbers(String query) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }
}
