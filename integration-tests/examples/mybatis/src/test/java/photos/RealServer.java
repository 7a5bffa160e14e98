package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A MySQL server with one table. */
public final class RealServer {

    private static final int PROCESSES = 2;

    private final MySqlServer server;

    private final String table;

    public RealServer(String table) throws IOException, SQLException {
        server = MySqlServer.start(Files.createTempDirectory(Path.of("target"), "mysql"));
        this.table = table;
        execute("CREATE TABLE " + table + " (id BIGINT PRIMARY KEY, title VARCHAR(100))");
    }

    public String url() {
        return server.jdbcUrl("photos") + "&rewriteBatchedStatements=true";
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = server.connect("photos");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public long read(String sql) throws SQLException {
        try (Connection connection = server.connect("photos");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    public long rows() throws SQLException {
        return read("SELECT COUNT(*) FROM " + table);
    }

    /** Starts two processes at once, which insert rows in batches of 500, and waits until both have ended. */
    public void insertFromTwoProcesses(Class<?> main, int batchesEach) throws Exception {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                                main.getName(),
                                url(),
                                Integer.toString(batchesEach))
                        .inheritIO()
                        .start());
            }
            for (Process process : processes) {
                assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
                assertThat(process.exitValue()).isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** After an application has stopped. */
    public void assertNothingIsLeft() {
        Await.until("no thread of the library", () -> threads().isEmpty(), RealServer::threads);
        Await.until("no connection", () -> connections() == 1, this::connections);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("distributedid-"))
                .toList();
    }

    /** That which asks is one. */
    private long connections() throws SQLException {
        return read("SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'photos'");
    }
}
