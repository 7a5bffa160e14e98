package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids that exist, as tables of entities have them, beside counters on one server and on two. */
class ExistingIdsTest {

    private static final String ONE = "jdbc:h2:mem:existing_one;DB_CLOSE_DELAY=-1";

    private static final String TWO = "jdbc:h2:mem:existing_two;DB_CLOSE_DELAY=-1";

    private static final String APP = "jdbc:h2:mem:existing_app;DB_CLOSE_DELAY=-1";

    private static final long LARGEST = Long.MAX_VALUE;

    @BeforeEach
    void table() throws SQLException {
        drop();
        execute(APP, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("existing_one", "existing_two", "existing_app");
    }

    /** The first server was replaced by an empty one; both are within the distance that needs no explanation. */
    @Test
    void idsOfAServerThatWasReplacedAreFoundFarBelowTheLargest() throws SQLException {
        execute(APP, "INSERT INTO photo SELECT 2 * x + 1 FROM SYSTEM_RANGE(0, 999)");
        execute(APP, "INSERT INTO photo SELECT 5000000 + 2 * x FROM SYSTEM_RANGE(0, 999)");
        try (DistributedIds ids = open(ONE + ", " + TWO);
                Connection connection = DriverManager.getConnection(APP)) {
            ids.next("photos");
            execute(TWO, "UPDATE sequence SET id = 5001998 WHERE name = 'photos'");

            assertThatThrownBy(() -> ids.admin().requireAbove("photos", connection, "photo", "id"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("jdbc:h2:mem:existing_one")
                    .hasMessageContaining("there is an id 1999 already");
        }
    }

    /** As far as two servers may be apart by their settings, and not further: that would read the whole table. */
    @ParameterizedTest
    @CsvSource({"9999997, true", "10000001, false"})
    void theyAreLookedForAsFarBelowTheLargestAsServersMayBeApart(long below, boolean found) throws SQLException {
        execute(APP, "INSERT INTO photo VALUES (30000000), (" + (30000000 - below) + ")");
        try (DistributedIds ids = open(ONE + ", " + TWO);
                Connection connection = DriverManager.getConnection(APP)) {
            ids.next("photos");
            execute(TWO, "UPDATE sequence SET id = 30000000 WHERE name = 'photos'");
            execute(ONE, "UPDATE sequence SET id = 20000001 WHERE name = 'photos'");

            if (found) {
                assertThatThrownBy(() -> ids.admin().requireAbove("photos", connection, "photo", "id"))
                        .hasMessageContaining("there is an id " + (30000000 - below) + " already");
            } else {
                ids.admin().requireAbove("photos", connection, "photo", "id");
            }
            assertThat(ExistingIds.maxOfEachRemainder(connection, "photo", "id", 2, 10_000_000))
                    .hasSize(found ? 2 : 1);
        }
    }

    /**
     * This process has used a server that now lies further behind than the settings allow. Opening raises that server
     * first.
     */
    @Test
    void aServerThatLagsTooFarIsRaisedAboveThem() throws SQLException {
        execute(APP, "INSERT INTO photo VALUES (30000000), (20000001)");
        try (DistributedIds ids = open(ONE + ", " + TWO);
                Connection connection = DriverManager.getConnection(APP)) {
            ids.next("photos");
            execute(TWO, "UPDATE sequence SET id = 30000000 WHERE name = 'photos'");

            ids.admin().requireAbove("photos", connection, "photo", "id");
            assertThat(ids.next("photos")).isGreaterThan(30_000_000);
            assertThat(ids.next("photos")).isGreaterThan(30_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE, ONE + ", " + TWO})
    void aCounterIsNotRaisedAboveTheLargestId(String servers) {
        try (DistributedIds ids = open(servers)) {
            assertThatThrownBy(() -> ids.admin().raise("photos", LARGEST))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageStartingWith("No ids are left above an existing id: seq=photos existing=" + LARGEST);
            assertThat(ids.next("photos")).isLessThan(10);
        }
    }

    @Test
    void theLogSaysFromWhereToWhereACounterIsRaised() {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("io.distributedid.internal.counter.Alignment");
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord message) {
                if (message.getLevel().equals(Level.INFO)) {
                    logged.add(message.getMessage().replaceFirst(" on \\S+existing_", " on "));
                }
            }
        };
        logger.addHandler(handler);
        try (DistributedIds ids = open(ONE + ", " + TWO)) {
            ids.sequence("photos");
            ids.sequence("users");
            ids.admin().raise("photos", 500);
            ids.admin().prepareRaiseAbove(Map.of("photos", List.of(600L), "users", List.of(700L)));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged)
                .containsExactlyInAnyOrder(
                        "table=sequence name=photos on one was raised from id=1 to above id=500",
                        "table=sequence name=photos on two was raised from id=0 to above id=500",
                        "table=sequence name=photos on one was raised from id=500 to above id=600",
                        "table=sequence name=photos on two was raised from id=500 to above id=600",
                        "table=sequence name=users on one was raised from id=1 to above id=700",
                        "table=sequence name=users on two was raised from id=0 to above id=700");
    }

    @Test
    void allServersNeedAnIdAboveIt() {
        try (DistributedIds ids = open(ONE + ", " + TWO)) {
            assertThatThrownBy(() -> ids.admin().raise("photos", LARGEST - 1))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessage("No ids are left above an existing id: seq=photos existing=" + (LARGEST - 1)
                            + ", allowed: up to " + (LARGEST - 2) + ". If that id is not real (a test row, a"
                            + " placeholder), delete its row; else take ids of a wider type"
                            + Pages.onCall("counter-no-room"));
            ids.admin().raise("photos", LARGEST - 2);
            assertThat(ids.next("photos")).isGreaterThan(LARGEST - 2);
        }
    }

    @Test
    void aCounterOfNarrowIdsIsNotRaisedAboveTheLargestOfThem() {
        try (DistributedIds ids = open(ONE)) {
            ids.sequence("photos", Integer.MAX_VALUE, "test");
            assertThatThrownBy(() -> ids.admin().raise("photos", Integer.MAX_VALUE))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining("existing=2147483647, allowed: up to 2147483646.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE, ONE + ", " + TWO})
    void aTableThatHoldsTheLargestIdIsRefused(String servers) throws SQLException {
        execute(APP, "INSERT INTO photo VALUES (" + LARGEST + ")");
        try (DistributedIds ids = open(servers);
                Connection connection = DriverManager.getConnection(APP)) {
            assertThatThrownBy(() -> ids.admin().requireAbove("photos", connection, "photo", "id"))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining("delete its row");
        }
    }

    private static DistributedIds open(String servers) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                servers,
                "distributedid.create_tables",
                "true",
                "distributedid.block.max",
                "1"));
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
