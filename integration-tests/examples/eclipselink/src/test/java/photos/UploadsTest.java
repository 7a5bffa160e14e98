package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two applications upload at once to one MySQL server. */
@Needs(Need.MYSQL)
class UploadsTest {

    private static final String USER = "root";

    private static final int PROCESSES = 2;

    private static final int EACH = 2_500;

    @Test
    void twoProcessesUploadFiveThousandPhotos() throws IOException, InterruptedException, SQLException {
        MySqlServer server = MySqlServer.start(Files.createTempDirectory(Path.of("target"), "db1"));
        String url = server.jdbcUrl("photos") + "&rewriteBatchedStatements=true";
        create(url);
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start(url, Path.of("target", "uploads" + i + ".log")));
        }
        for (Process process : processes) {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as("see target/uploads*.log").isZero();
        }
        try (Connection connection = server.connect("photos")) {
            assertThat(query(connection, "SELECT COUNT(*) FROM PHOTO")).isEqualTo(PROCESSES * EACH);
            assertThat(query(connection, "SELECT COUNT(DISTINCT id) FROM PHOTO"))
                    .isEqualTo(PROCESSES * EACH);
            assertThat(query(connection, "SELECT COUNT(DISTINCT id) FROM ALBUM"))
                    .isEqualTo(PROCESSES * EACH / 500);
        }
    }

    /** The tables, before both processes look for them. */
    private static void create(String url) {
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                "photos", Map.of("jakarta.persistence.jdbc.url", url, "jakarta.persistence.jdbc.user", USER))) {
            assertThat(factory.isOpen()).isTrue();
        }
    }

    private static Process start(String url, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Uploads.class.getName(),
                        url,
                        USER,
                        String.valueOf(EACH))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static long query(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
