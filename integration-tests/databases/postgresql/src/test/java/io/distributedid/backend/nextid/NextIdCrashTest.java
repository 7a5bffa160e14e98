package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that dies in the middle of it. Its clock stands still, so that nothing but the sequence keeps ids apart. */
@ExtendWith(StartedServers.class)
class NextIdCrashTest {

    private static final int CRASHES = 4;

    private static final int ROUNDS = 50;

    private static final int ROWS = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void noRowThatIsThereAfterwardsHasAnIdThatComesAgain(String synchronousCommit) throws Exception {
        EmbeddedPostgres server = StartedServers.add(EmbeddedPostgres.start());
        String url = server.getJdbcUrl("postgres", "postgres");
        try (Connection connection = DriverManager.getConnection(url)) {
            Shards.createWithClock(connection, "crash", NextIdForm.HARDENED, Shards.LAYOUT);
            Shards.execute(connection, "CREATE TABLE crash.photo (id bigint NOT NULL DEFAULT crash.next_id(), n int)");
            Shards.execute(connection, "CHECKPOINT");
        }
        for (int i = 0; i < CRASHES; i++) {
            insertAndCrash(url, synchronousCommit);
        }
        try (Connection connection = await(url)) {
            List<Long> ids = new ArrayList<>(Shards.numbers(connection, "SELECT id FROM crash.photo"));
            assertThat(ids.size()).isGreaterThan(CRASHES * ROWS * ROUNDS / 2);
            ids.addAll(Shards.ids(connection, "crash", 5_000));

            assertThat(ids).doesNotHaveDuplicates();
        }
    }

    /** A process of the server that is killed takes all others with it, and the server recovers from its log. */
    private static void insertAndCrash(String url, String synchronousCommit) throws Exception {
        try (Connection open = await(url);
                Connection connection = DriverManager.getConnection(url)) {
            open.setAutoCommit(false);
            for (int i = 0; i < ROUNDS; i++) {
                Shards.ids(open, "crash", 7);
                // The last rows of those before a crash may be lost, those in the middle are not.
                Shards.execute(connection, "SET synchronous_commit = " + (i == ROUNDS / 2 ? "on" : synchronousCommit));
                Shards.execute(connection, "INSERT INTO crash.photo (n) SELECT generate_series(1, " + ROWS + ")");
            }
            long victim = Shards.number(open, "SELECT pg_backend_pid()");
            ProcessHandle.of(victim).orElseThrow().destroyForcibly();
            awaitEnd(connection);
        }
    }

    private static void awaitEnd(Connection connection) throws InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        try {
            while (Instant.now().isBefore(deadline)) {
                Shards.number(connection, "SELECT 1");
                Thread.sleep(10);
            }
        } catch (SQLException e) {
            return;
        }
        throw new AssertionError("The server did not crash");
    }

    private static Connection await(String url) throws SQLException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (true) {
            try {
                return DriverManager.getConnection(url);
            } catch (SQLException e) {
                if (Instant.now().isAfter(deadline)) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }
}
