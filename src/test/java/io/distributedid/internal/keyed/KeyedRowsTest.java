package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SentStatements;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers see of numbers per key, on H2: what they share, how they wait, and what is refused. */
class KeyedRowsTest {

    private static final String URL = "jdbc:h2:mem:keyed_rows;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100000";

    private static final String HOLD =
            "UPDATE keyed_sequence SET number = number WHERE name = 'messages' AND key_text = '1'";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("keyed_rows");
    }

    private static DistributedIds open(DataSource server, String timeout) {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.row.server",
                server,
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "1m",
                "distributedid.block.timeout",
                timeout));
    }

    private static <T> FutureTask<T> started(List<Thread> threads, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        threads.add(thread);
        thread.start();
        return task;
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void awaitWaiting(List<Thread> threads) {
        Await.until(
                "all wait", () -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    private static long draws(SentStatements server) {
        return server.sent().stream().filter(sql -> sql.contains("number + ")).count();
    }

    @Test
    void callsThatWaitForOneKeyShareAStatementInTheOrderOfTheirArrival() throws Exception {
        SentStatements server = SentStatements.to(URL);
        try (DistributedIds ids = open(server, "2m")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(1);
            long before = draws(server);
            List<Thread> threads = new ArrayList<>();
            List<FutureTask<long[]>> calls = new ArrayList<>();
            try (Connection holder = holder()) {
                calls.add(started(threads, () -> messages.next(1, 1)));
                Await.until("the first is sent", () -> draws(server) == before + 1);
                for (int count = 2; count <= 10; count++) {
                    int each = count;
                    calls.add(started(threads, () -> messages.next(1, each)));
                    awaitWaiting(threads);
                }
                holder.rollback();
            }
            long next = 2;
            for (int count = 1; count <= 10; count++) {
                assertThat(result(calls.get(count - 1)))
                        .containsExactly(LongStream.range(next, next + count).toArray());
                next += count;
            }
            assertThat(draws(server)).isEqualTo(before + 2);
            assertThat(messages.current(1)).isEqualTo(next - 1);
        }
    }

    /** Holds the row of the key 1. */
    private static Connection holder() throws SQLException {
        Connection holder = DriverManager.getConnection(URL);
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            assertThat(statement.executeUpdate(HOLD)).isEqualTo(1);
        }
        return holder;
    }

    @Test
    void aCallWaitsAtMostForItsTimeout() throws Exception {
        try (DistributedIds ids = open(SentStatements.to(URL), "2m");
                DistributedIds impatient = open(SentStatements.to(URL), "100ms")) {
            ids.keyed("messages").next(1);
            Await.until("the server answers in time", () -> isGiven(impatient));
            try (Connection holder = holder()) {
                assertThatThrownBy(() -> impatient.keyed("messages").next(1))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessage("No number within 100 ms (distributedid.block.timeout): seq=messages key=1. The"
                                + " server has not answered yet" + Pages.onCall("keyed-late"));
                holder.rollback();
            }
        }
    }

    private static boolean isGiven(DistributedIds ids) {
        try {
            return ids.keyed("messages").next(1) > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    @Test
    void anOutageEndsWithoutARestartAndIsReportedAtOnceIfItLasts() throws Exception {
        H2Servers first = H2Servers.start();
        SwitchingDataSource server = new SwitchingDataSource(first.url("keyed_rows"));
        try (H2Servers second = H2Servers.start();
                DistributedIds ids = open(server, "500ms")) {
            Await.until("the server answers in time", () -> isGiven(ids));
            long last = ids.keyed("messages").next(1);
            server.cut();
            first.close();
            Await.until("callers are refused", () -> !isGiven(ids));
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("seq=messages key=1. data source 1 said: ");
            server.to(second.url("keyed_rows"));
            Await.until("numbers are given again", () -> isGiven(ids));
            assertThat(ids.keyed("messages").next(1)).isGreaterThan(last + 1);
        }
    }

    @Test
    void aSuspendedProcessGivesNoNumbersAndItsConnectionsAreDropped() throws Exception {
        SentStatements server = SentStatements.to(URL);
        try (DistributedIds ids = open(server, "2m")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(1);
            int connections = server.connections();
            ids.suspend();
            assertThat(DatabaseRows.number(URL, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"))
                    .isEqualTo(1);
            List<Thread> threads = new ArrayList<>();
            FutureTask<Long> waits = started(threads, () -> messages.next(1));
            awaitWaiting(threads);
            ids.resume();
            assertThat(result(waits)).isEqualTo(2);
            assertThat(server.connections()).isEqualTo(connections + 1);
        }
    }

    @Test
    void aServerThatLosesItsRowsDuringASuspendIsRefused() throws Exception {
        try (DistributedIds ids = open(SentStatements.to(URL), "2m")) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(1, 3)).endsWith(3);
            ids.suspend();
            ids.resume();
            ids.suspend();
            DatabaseRows.execute(URL, "TRUNCATE TABLE keyed_sequence");
            ids.resume();

            assertThatThrownBy(() -> messages.current(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence has no record any more: seq=messages");
            assertThatThrownBy(() -> messages.next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence has no record any more: seq=messages");
        }
    }

    /** As by a proxy. Both servers have a row of the key. */
    @Test
    void aServerThatIsExchangedBehindAConnectionGivesNoNumber() throws Exception {
        SentStatements server = SentStatements.to(URL);
        try (DistributedIds ids = open(server, "2m")) {
            KeyedSequence messages = ids.keyed("messages");
            Await.until("the connections are open, and a number is one statement", () -> {
                int before = server.sent().size();
                IntStream.range(0, 10).forEach(each -> messages.next(1));
                return server.sent().size() == before + 10;
            });
            DatabaseRows.execute(
                    URL,
                    "UPDATE keyed_sequence SET number = number + 10000000 WHERE key_text = ' @record'",
                    "UPDATE keyed_sequence SET number = 2 WHERE key_text = '1'");

            assertThatThrownBy(() -> messages.next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("lost its rows");
            assertThat(DatabaseRows.number(URL, "SELECT number FROM keyed_sequence WHERE key_text = '1'"))
                    .isEqualTo(2);
        }
    }

    @Test
    void inTransactionsATableThatLosesItsRowsDuringASuspendIsRefused() throws SQLException {
        DatabaseRows.execute(
                URL,
                IdAdmin.ddl(Map.of("distributedid.keyed.backend", "row"), "h2").toArray(String[]::new));
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = DriverManager.getConnection(URL)) {
            connection.setAutoCommit(false);
            KeyedSequence invoices = ids.keyed("invoices");
            for (int number = 1; number <= 3; number++) {
                assertThat(invoices.next(7, connection)).isEqualTo(number);
                connection.commit();
            }
            ids.suspend();
            ids.resume();
            ids.suspend();
            DatabaseRows.execute(URL, "TRUNCATE TABLE keyed_sequence");
            ids.resume();

            assertThatThrownBy(() -> invoices.next(7, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence has no record any more: seq=invoices")
                    .hasMessageContaining("The table has lost its rows");
            connection.rollback();
        }
    }

    @Test
    void aNumberUnderWayDuringASuspendIsTakenAnew() throws Exception {
        SentStatements server = SentStatements.to(URL);
        try (DistributedIds ids = open(server, "2m")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(1);
            long before = draws(server);
            FutureTask<Long> call;
            try (Connection holder = holder()) {
                call = started(new ArrayList<>(), () -> messages.next(1));
                Await.until("the statement is sent", () -> draws(server) == before + 1);
                ids.suspend();
                holder.rollback();
            }
            ids.resume();
            assertThat(result(call)).isGreaterThan(1);
            assertThat(draws(server)).isEqualTo(before + 2);
        }
    }

    @Test
    void aClosedSequenceRefusesAndLeavesNoThreadAndNoConnection() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        KeyedSequence messages;
        KeyedSequence invoices;
        try (DistributedIds ids = open(SentStatements.to(URL), "2m")) {
            messages = ids.keyed("messages");
            invoices = ids.keyed("invoices");
            for (int key = 0; key < 20; key++) {
                messages.next(key);
            }
        }
        assertThatThrownBy(() -> messages.next(1))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("closed");
        try (Connection connection = DriverManager.getConnection(URL)) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> invoices.next(1, connection))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(DatabaseRows.number(URL, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"))
                .isEqualTo(1);
        Set<Thread> ours = new HashSet<>(Thread.getAllStackTraces().keySet());
        ours.removeAll(before);
        ours.removeIf(thread -> !thread.getName().startsWith("distributedid-"));
        for (Thread thread : ours) {
            thread.join(Await.PATIENCE.toMillis());
            assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        }
    }

    @Test
    void withoutAServerAndADatabaseOfTheApplicationNumbersAreRefused() {
        try (DistributedIds ids = DistributedIds.create(Map.of())) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A setting is missing: distributedid.keyed.row.server, allowed: ")
                    .hasMessageContaining("a tenant in every connection");
            assertThatThrownBy(() -> ids.keyed("no name"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=no name");
        }
    }

    @Test
    void severalServersAreRefusedWithWhatToDoInstead() {
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.keyed.row.server", "jdbc:h2:mem:numbers1, jdbc:h2:mem:numbers2"))) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.keyed.row.server=2 servers,"
                            + " allowed: one, since all rows of a sequence are in one database. Give each sequence its"
                            + " own by distributedid.seq.<name>.keyed.row.server; or take numbers from an"
                            + " issuing service, by distributedid.keyed.backend=remote");
        }
    }

    @Test
    void anotherBackendIsRefused() {
        try (DistributedIds ids = DistributedIds.create(Map.of("distributedid.seq.messages.keyed.backend", "served"))) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.seq.messages.keyed.backend="
                            + "served, allowed: row, section, remote");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mysql; VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
                        + " VARCHAR(150) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; ENGINE=InnoDB",
                "postgresql; VARCHAR(50) COLLATE \"C\"; VARCHAR(150) COLLATE \"C\"; ''",
                "h2; VARCHAR_CASESENSITIVE(50); VARCHAR_CASESENSITIVE(150); ''"
            })
    void theDdlIsListedIfNumbersPerKeyAreConfigured(String database, String name, String key, String end) {
        String expected = "CREATE TABLE IF NOT EXISTS numbers (name " + name + " NOT NULL, key_text " + key
                + " NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, key_text))" + (end.isEmpty() ? "" : " " + end);

        assertThat(IdAdmin.ddl(Map.of("distributedid.keyed.row.table", "numbers"), database))
                .containsExactly(expected);
        assertThat(IdAdmin.ddl(
                        Map.of(
                                "distributedid.backend",
                                "sequence_table",
                                "distributedid.seq.messages.keyed.row.table",
                                "numbers"),
                        database))
                .hasSize(3)
                .contains(expected);
        assertThat(IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), database))
                .hasSize(2);
    }
}
