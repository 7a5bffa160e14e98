package photos;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.RealServers;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A real MySQL server, which outlives the application. */
public final class MySqlResource implements QuarkusTestResourceLifecycleManager {

    /** The last that was started: the test asks it when the application is gone. */
    private static MySqlServer server;

    static MySqlServer server() {
        return server;
    }

    @Override
    public Map<String, String> start() {
        RealServers.requireMySql();
        try {
            server = MySqlServer.start(Files.createTempDirectory(Path.of("target"), "mysql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of(
                "quarkus.datasource.jdbc.url", server.jdbcUrl("photos"),
                "quarkus.datasource.username", "root",
                "quarkus.datasource.password", "");
    }

    @Override
    public void stop() {
        if (server != null) {
            server.close();
        }
    }
}
