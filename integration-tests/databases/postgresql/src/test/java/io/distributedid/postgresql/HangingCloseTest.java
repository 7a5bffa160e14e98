package io.distributedid.postgresql;

import io.distributedid.DistributedIds;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.HangingCloseContract;
import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The end of a process while two PostgreSQL servers of this test hang. */
@ExtendWith(StartedServers.class)
class HangingCloseTest extends HangingCloseContract {

    private static final List<EmbeddedPostgres> SERVERS = new ArrayList<>();

    private static final List<Path> DATA = new ArrayList<>();

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        for (int i = 0; i < 2; i++) {
            Path data = folder.resolve("server" + i);
            DATA.add(data);
            SERVERS.add(StartedServers.add(EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setDataDirectory(data)
                    .start()));
        }
    }

    @Test
    void withAServerThatHangsWhileItsFunctionIsLookedAt() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        ConnectionAccess own = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                Connection connection = DriverManager.getConnection(urls().get(0));
                hang(0);
                hung.countDown();
                return connection;
            }

            @Override
            public String label() {
                return "own";
            }
        };
        DistributedIds ids = DistributedIds.builder()
                .settings(Map.of("distributedid.backend", "next_id", "distributedid.next_id.shard", "7"))
                .applicationDatabase(own)
                .build();
        call(ids, "photos");
        hung.await();

        closeAndLookForRemains(ids);
    }

    @Override
    protected List<String> urls() {
        return SERVERS.stream()
                .map(server -> server.getJdbcUrl("postgres", "postgres"))
                .toList();
    }

    @Override
    protected List<Integer> ports() {
        return SERVERS.stream().map(EmbeddedPostgres::getPort).toList();
    }

    @Override
    protected void hang(int server) {
        signal("STOP", server);
    }

    @Override
    protected void goOn() {
        signal("CONT", 0);
        signal("CONT", 1);
    }

    /** The server has a process for each connection. */
    private static void signal(String name, int server) {
        try {
            long pid = Long.parseLong(Files.readAllLines(DATA.get(server).resolve("postmaster.pid"))
                    .get(0)
                    .strip());
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            Stream.concat(Stream.of(process), process.descendants())
                    .forEach(each -> command.add(Long.toString(each.pid())));
            new ProcessBuilder(command).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
