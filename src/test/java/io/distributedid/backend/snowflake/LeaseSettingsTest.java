package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseSettingsTest {

    private static final String URL = "jdbc:h2:mem:lease;DB_CLOSE_DELAY=-1";

    private static final Map<String, String> H2 = Map.of("lease.server", URL, "create_tables", "true");

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("lease");
    }

    @Test
    void sequencesShareANumberUnlessTheirSettingsDiffer() {
        Map<String, String> settings = with(H2, "lease.window", "10s");
        try (DistributedIds ids = open(settings);
                DistributedIds others = open(settings)) {
            assertThat(worker(ids, "photos")).isZero();
            assertThat(worker(ids, "users")).isZero();
            assertThat(worker(others, "photos")).isEqualTo(1);
        }
        Map<String, String> own = settings(H2);
        own.put("distributedid.seq.users.snowflake.lease.table", "user_worker");
        try (DistributedIds ids = DistributedIds.create(own)) {
            assertThat(worker(ids, "photos")).isZero();
            assertThat(worker(ids, "users")).isZero();
        }
    }

    private static long leasedNumbers() throws SQLException {
        return DatabaseRows.number(
                URL, "SELECT COUNT(*) FROM distributedid WHERE name LIKE '@worker/%' AND text LIKE '%owner=%'");
    }

    @Test
    void aNumberThatWasHandedBackIsLeasedAgain() {
        for (int start = 0; start < 3; start++) {
            try (DistributedIds ids = open(H2)) {
                assertThat(worker(ids, "photos")).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"lease.window, 10000, 60000", "lease.max_clock_skew, 1000, 15000"})
    void windowsThatTheStoreDoesNotHaveAreRefusedUntilItGetsThem(String name, String set, String stored) {
        try (DistributedIds ids = open(H2)) {
            ids.next("photos");
        }
        Map<String, String> other = with(with(H2, "lease.window", "1m"), name, set + "ms");
        String message = "A setting has a value that is not allowed: distributedid.snowflake." + name + "=" + set
                + "ms, allowed: " + stored + "ms, as the store has it: distributedid on jdbc:h2:mem:lease. Leave the"
                + " setting out; or, to change the store, stop all processes, and run with the new setting"
                + " (max_clock_skew only together with window): distributedid init photos";
        assertRefused(other, message);
        try (DistributedIds ids = open(other)) {
            assertThat(ids.admin().check("photos"))
                    .filteredOn(result -> result.status() == CheckResult.Status.FAILED)
                    .extracting(CheckResult::detail)
                    .containsExactly(message);
            assertThat(ids.admin().init("photos")).isEmpty();
            assertThat(worker(ids, "photos")).isZero();
        }
        try (DistributedIds ids = open(H2)) {
            assertThat(worker(ids, "photos")).as("of one that sets none").isZero();
        }
    }

    @Test
    void aBurntNumberIsNot() {
        for (int start = 0; start < 3; start++) {
            try (DistributedIds ids = open(with(with(H2, "worker", "single_use"), "layout", "baidu"))) {
                assertThat(worker(ids, "photos")).isEqualTo(start);
            }
        }
    }

    @Test
    void aClockThatIsAYearAheadIsRefusedAndDoesNotPoisonTheTable() {
        InstantSource ahead = () -> InstantSource.system().instant().plus(Duration.ofDays(365));
        try (DistributedIds ids =
                DistributedIds.builder().settings(settings(H2)).clock(ahead).build()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("The local clock must be near the store's: clock=")
                    .hasMessageEndingWith("allowed: skew=15000 ms. Set the clock" + Pages.onCall("clock-skew"));
        }
        try (DistributedIds ids = open(H2)) {
            assertThat(worker(ids, "photos")).isZero();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoWaitsForANumberKeepsNobodyWaitingAndIsToldWhenAllIsClosed() throws Exception {
        Map<String, String> one = with(with(H2, "layout", "time:41, worker:1, sequence:12"), "lease.wait", "1h");
        Map<String, String> settings = settings(one);
        settings.put("distributedid.seq.tickets.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", URL);
        settings.put("distributedid.create_tables", "true");
        DistributedIds third = DistributedIds.create(settings);
        try (DistributedIds first = open(one);
                DistributedIds second = open(one)) {
            first.next("photos");
            second.next("photos");
            FutureTask<Long> waiting = new FutureTask<>(() -> third.next("photos"));
            Thread thread = new Thread(waiting, "waits for a number");
            thread.start();
            Await.until(
                    "the caller waits for a number",
                    () -> thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive(),
                    thread::getState);

            assertThat(third.next("tickets")).isEqualTo(1);
            assertThat(third.decode("photos", 1L << 22).field("worker")).isZero();
            assertThat(waiting.isDone()).isFalse();
            third.close();
            assertThatThrownBy(waiting::get)
                    .cause()
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith(
                            "The source of ids was closed while it waited for a worker number. All worker numbers are"
                                    + " taken: 0 to 1 of distributedid on jdbc:h2:mem:lease. ");
        }
    }

    @Test
    void theServerMustBeSet() {
        assertRefused(
                Map.of(),
                "A setting is missing: distributedid.snowflake.lease.server, allowed: a JDBC URL (jdbc:...), a JNDI"
                        + " name (java:...), a DataSource object in the settings map, or application: the persistence"
                        + " unit's own database. Shards with a table each would lease the same worker numbers, so the"
                        + " place is never guessed. Without a database, set distributedid.snowflake.lease.store to"
                        + " zookeeper");
    }

    @Test
    void withoutHibernateThereIsNoOwnDatabase() {
        assertRefused(
                Map.of("lease.server", "application"),
                "A setting has a value that is not allowed: distributedid.snowflake.lease.server=application, allowed:"
                        + " a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings map, or"
                        + " application: the persistence unit's own database, which does not exist without Hibernate,"
                        + " with a tenant in every connection, or with several DataSource beans of which none is"
                        + " primary");
    }

    @Test
    void aMissingTableIsRefusedWithItsDdl() {
        assertRefused(
                Map.of("lease.server", URL, "lease.table", "PUBLIC.workers"),
                "The ledger beside the ids is missing: table=PUBLIC.workers on jdbc:h2:mem:lease. Create it: "
                        + new LedgerSql(DatabaseProduct.H2, "PUBLIC.workers").ddl() + "; or let Hibernate create it"
                        + " (hibernate.hbm2ddl.auto), or the first client:"
                        + " distributedid.create_tables=true. If a migration creates it after the"
                        + " start, set distributedid.open=lazy");
    }

    @Test
    void severalServersAreRefused() {
        assertRefused(
                Map.of("lease.server", URL + ", jdbc:h2:mem:another"),
                "A setting has a value that is not allowed: distributedid.snowflake.lease.server=2 servers, allowed:"
                        + " one, since"
                        + " several would have to agree on who has a number; use ZooKeeper for that");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    lease.window         | 500ms   | a duration from 1s to 24h, as in 250ms, 10s, 5m, 2h or PT10S
                    lease.max_clock_skew | 16s     | a duration from 1ms to 15s, as in 250ms, 10s, 5m, 2h or PT10S
                    lease.store          | service | jdbc, zookeeper
                    lease.wait           | 2h      | a duration from 0ms to 1h, as in 250ms, 10s, 5m, 2h or PT10S
                    state_file           | /tmp/id | nothing beside a leased worker number: its store remembers the time that is used up
                    worker               | leased  | a number from 0 to 1023
                    """)
    void valuesThatAreNotAllowedAreRefused(String name, String value, String allowed) {
        assertRefused(
                with(H2, name, value),
                "A setting has a value that is not allowed: distributedid.snowflake." + name + "=" + value
                        + ", allowed: " + allowed);
    }

    @Test
    void zooKeeperMustBeSetAndHaveAPath() {
        assertRefused(
                Map.of("lease.store", "zookeeper"),
                "A setting is missing: distributedid.snowflake.lease.zookeeper, allowed: ZooKeeper's servers, host:port"
                        + " separated by commas. They hold the worker numbers");
        assertRefused(
                Map.of("lease.store", "zookeeper", "lease.zookeeper", "zk1:2181", "lease.path", "workers/"),
                "A setting has a value that is not allowed: distributedid.snowflake.lease.path=workers/, allowed: a"
                        + " path as in"
                        + " /distributedid/workers");
    }

    private static void assertRefused(Map<String, String> settings, String message) {
        try (DistributedIds ids = open(settings)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(message);
        }
    }

    private static long worker(DistributedIds ids, String sequence) {
        return ids.decode(sequence, ids.next(sequence)).field("worker");
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
    }

    private static DistributedIds open(Map<String, String> settings) {
        return DistributedIds.create(settings(settings));
    }

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings =
                new HashMap<>(Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "lease"));
        more.forEach((name, value) -> settings.put(
                (name.equals("create_tables") ? "distributedid." : "distributedid.snowflake.") + name, value));
        return settings;
    }
}
