package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On a real PostgreSQL, with ids from a table there. */
@ExtendWith(StartedServers.class)
class PostgreSqlTest extends ReactiveContract {

    private EmbeddedPostgres server;

    @BeforeAll
    void start() throws IOException, SQLException {
        server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                .start());
        try (Connection connection = connect()) {
            connection.createStatement().execute("CREATE EXTENSION pg_stat_statements");
        }
    }

    @Override
    Connection connect() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    @Override
    Map<String, String> database() {
        return Map.of(
                "jakarta.persistence.jdbc.url",
                "jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                "jakarta.persistence.jdbc.user",
                "postgres");
    }

    @Override
    long prepared(String beginning) throws SQLException {
        return numbers("SELECT COUNT(*) FROM pg_stat_statements WHERE query LIKE '" + beginning + "%'")
                .get(0);
    }

    @Override
    long connections() throws SQLException {
        return numbers("SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                        + " AND pid <> pg_backend_pid()")
                .get(0);
    }

    /** The ids are the primary key; a row less or a failed process would show one that was given twice. */
    @Test
    void twoProcessesInsertFiveThousandRows() throws Exception {
        close();
        long rows = 2_500;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Uploader.class.getName(),
                            database().get("jakarta.persistence.jdbc.url"),
                            "postgres",
                            Long.toString(rows))
                    .inheritIO()
                    .start());
        }
        for (Process each : processes) {
            assertThat(each.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(each.exitValue()).isZero();
        }
        assertThat(numbers("SELECT COUNT(DISTINCT id) FROM Import WHERE source LIKE 'process %'"))
                .containsExactly(2 * rows);
        assertThat(numbers("SELECT COUNT(*) FROM Import WHERE source LIKE 'process %' GROUP BY source"))
                .containsExactly(rows, rows);
    }
}
