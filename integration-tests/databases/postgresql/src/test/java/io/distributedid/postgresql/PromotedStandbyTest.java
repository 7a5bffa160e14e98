package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.StartedServers;
import io.distributedid.testkit.SwitchingDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server fails over to its standby by streaming replication, which lacks the last blocks: no client gets one of them
 * again.
 */
@ExtendWith(StartedServers.class)
class PromotedStandbyTest {

    private static final int MANY = 500;

    private static final long RAISED = 10_000_000;

    /** The data of a new server, which each test copies. */
    @TempDir
    static Path template;

    @TempDir
    Path folder;

    private EmbeddedPostgres primary;

    private EmbeddedPostgres standby;

    @BeforeAll
    static void initialise() throws IOException {
        open(template).close();
    }

    @BeforeEach
    void start() throws IOException {
        Path data = folder.resolve("primary");
        copyTree(template, data);
        primary = open(data);
        Path copy = folder.resolve("standby");
        copyTree(template, copy);
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=localhost port=" + primary.getPort() + " user=postgres'\n",
                StandardOpenOption.APPEND);
        standby = open(copy);
    }

    private static EmbeddedPostgres open(Path data) throws IOException {
        return StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .start());
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (!path.endsWith("postmaster.pid") && !path.endsWith("epg-lock")) {
                    Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static String url(EmbeddedPostgres server) {
        return server.getJdbcUrl("postgres", "postgres");
    }

    @ParameterizedTest
    @CsvSource({"raise, true", "raise, false", "refuse, true", "refuse, false", "lossless, true"})
    void aStandbyThatLagsIsNoticed(String failover, boolean isRunning) throws Exception {
        boolean lags = !failover.equals("lossless");
        GivenIds given = new GivenIds();
        SwitchingDataSource address = new SwitchingDataSource(url(primary));
        Object[] settings = failover.equals("raise") ? new Object[0] : new Object[] {"failover", failover};
        DistributedIds client = GivenIds.sequenceTable(List.of(address), settings);
        given.take(client, MANY);
        if (lags) {
            catchUp();
            DatabaseRows.execute(url(standby), "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
            await("SELECT COUNT(*) FROM pg_stat_wal_receiver", 0);
            given.take(client, MANY);
        }
        if (!isRunning) {
            client.close();
        }
        try (Connection old = DriverManager.getConnection(url(primary))) {
            endFetches(old);
            catchUpUnless(lags);
            DatabaseRows.execute(url(standby), "SELECT pg_promote()");
            address.to(url(standby));
        }
        long last = DatabaseRows.number(url(standby), "SELECT id FROM sequence");
        if (lags) {
            assertThat(last).as("the standby lags").isLessThan(given.highest());
        }

        if (!isRunning) {
            client = GivenIds.sequenceTable(List.of(address), settings);
        }
        if (failover.equals("refuse")) {
            assertThat(given.takeUntilRefused(client, MANY)).hasMessageContaining("A server was replaced");
            assertThat(DatabaseRows.number(url(standby), "SELECT id FROM sequence"))
                    .isEqualTo(last);
            client.admin().repair("photos", given.highest());
        }
        given.take(client, MANY);
        client.close();

        given.assertNoneTwice();
        assertThat(given.highest() > RAISED).isEqualTo(lags);
        assertThat(DatabaseRows.rows(url(standby), "SELECT text FROM distributedid WHERE name = 'sequence/photos'"))
                .singleElement()
                .asString()
                .matches(".*system%20\\d+%20timeline%2000000002%20database%20\\d+%20schema%20\\d+.*");
    }

    /**
     * The client may be about to fetch a block in the background, which the standby would then lack: from now on it
     * gets none.
     */
    private static void endFetches(Connection old) throws SQLException {
        old.setAutoCommit(false);
        try (Statement statement = old.createStatement()) {
            statement.execute("LOCK TABLE sequence IN EXCLUSIVE MODE");
        }
    }

    private void catchUpUnless(boolean lags) throws Exception {
        if (!lags) {
            catchUp();
        }
    }

    private void catchUp() throws Exception {
        String written = DatabaseRows.rows(url(primary), "SELECT pg_current_wal_flush_lsn()")
                .get(0);
        await("SELECT CASE WHEN pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn THEN 0 ELSE 1 END", 0);
    }

    private void await(String query, long wanted) throws Exception {
        Await.until(
                query + " is " + wanted,
                () -> DatabaseRows.number(url(standby), query) == wanted,
                () -> DatabaseRows.number(url(standby), query));
    }
}
