package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client of two servers with numbers per key, over rows in one database. */
@Timeout(300)
@Tag("slow")
class KeyedClientTest {

    private static final String URL = "jdbc:h2:mem:keyed_client;DB_CLOSE_DELAY=-1";

    private final List<RunningServer> servers = new ArrayList<>();

    @BeforeEach
    void start() {
        servers.add(server(Ports.take()));
        servers.add(server(Ports.take()));
    }

    @AfterEach
    void stop() throws SQLException {
        servers.forEach(RunningServer::close);
        H2Servers.drop("keyed_client");
    }

    private static RunningServer server(int port) {
        return RunningServer.with(Map.of(
                "server.keyed",
                "messages, photos",
                "server.port",
                port,
                "keyed.row.server",
                URL,
                "create_tables",
                "true",
                "timeout",
                "30s",
                "block.timeout",
                "2m"));
    }

    private DistributedIds client(String... more) {
        return clientOf(
                servers.get(0).server().url() + "," + servers.get(1).server().url(), more);
    }

    /** It asks no second server if a busy machine makes this one slow: the number of the late answer would be a gap. */
    private DistributedIds clientOf(int server) {
        return clientOf(servers.get(server).server().url());
    }

    /** It waits for a busy machine: the number of an answer that comes too late is a gap. */
    private static DistributedIds clientOf(String urls, String... more) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("distributedid.timeout", "1m");
        settings.put("distributedid.block.timeout", "2m");
        settings.put("distributedid.keyed.backend", "remote");
        settings.put("distributedid.keyed.remote.servers", urls);
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    @Test
    void numbersAreThoseOfTheServers() {
        try (DistributedIds ids = clientOf(0);
                DistributedIds other = clientOf(1)) {
            KeyedSequence messages = ids.keyed("messages");

            assertThat(messages.current(42)).isZero();
            assertThat(messages.next(42)).isEqualTo(1);
            assertThat(messages.next("42", 3)).containsExactly(2, 3, 4);
            assertThat(other.keyed("messages").next(42)).isEqualTo(5);
            assertThat(messages.current("42")).isEqualTo(5);
            assertThat(messages.next(42, 10_000)).hasSize(10_000).endsWith(10_005);
            assertThat(ids.keyed("photos").next(42)).isEqualTo(1);
        }
    }

    @Entity(name = "Note")
    static class Note {
        @Id
        Long id;

        Long page;

        @DistributedValue(seq = "messages", per = "page")
        Long number;
    }

    private SessionFactory startEntities(String database, String export) {
        return new Configuration()
                .addAnnotatedClass(Note.class)
                .setProperty("hibernate.connection.url", database)
                .setProperty("hibernate.hbm2ddl.auto", export)
                .setProperty("distributedid.block.timeout", "2m")
                .setProperty("distributedid.keyed.backend", "remote")
                .setProperty(
                        "distributedid.keyed.remote.servers",
                        servers.get(0).server().url() + ","
                                + servers.get(1).server().url())
                .buildSessionFactory();
    }

    @Test
    void rowsWithNumbersThatTheServiceHasNotGivenAreRefusedAtStart() throws SQLException {
        String database = "jdbc:h2:mem:keyed_client_notes;DB_CLOSE_DELAY=-1";
        startEntities(database, "none").close();
        startEntities(database, "update").close();
        DatabaseRows.execute(database, "INSERT INTO Note (id, page, number) VALUES (1, 42, 2)");

        assertThatThrownBy(() -> startEntities(database, "update"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Note.number (seq=messages): Rows have numbers that their sequence has not"
                        + " issued: key=42 has number=2, but none above 0 was issued. They would be issued again. Use"
                        + " the service that gave them, or raise the floor of its rows to the largest number of the"
                        + " rows. Look for the largest number: SELECT MAX(number) FROM Note; or set");

        try (DistributedIds ids = client()) {
            ids.keyed("messages").next(42, 2);
        }
        startEntities(database, "update").close();
        H2Servers.drop("keyed_client_notes");
    }

    /** As after the keys went over from sections, or were deleted. */
    @Test
    void theFloorOfTheServiceCountsForRowsAtStart() throws SQLException {
        String database = "jdbc:h2:mem:keyed_client_floor;DB_CLOSE_DELAY=-1";
        startEntities(database, "update").close();
        try (DistributedIds ids = client()) {
            ids.keyed("messages").next("another key");
        }
        DatabaseRows.execute(
                URL, "UPDATE keyed_sequence SET number = 10 WHERE name = 'messages' AND key_text = ' floor'");
        DatabaseRows.execute(database, "INSERT INTO Note (id, page, number) VALUES (1, 42, 10)");
        startEntities(database, "update").close();

        DatabaseRows.execute(database, "UPDATE Note SET number = 11");
        assertThatThrownBy(() -> startEntities(database, "update"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("key=42 has number=11, but none above 10 was issued.");
        H2Servers.drop("keyed_client_floor");
    }

    @Test
    void everyKeyArrivesAsItIs() {
        List<String> keys =
                List.of("a b", "a+b", "50%", "x&n=5", "\"\\\"", "ä/ö?#", "\uD83D\uDE00", "042", "9223372036854775808");
        try (DistributedIds ids = clientOf(0);
                DistributedIds rows = DistributedIds.create(Map.of("distributedid.keyed.row.server", URL))) {
            assertThat(keys).allSatisfy(key -> {
                assertThat(ids.keyed("messages").next(key)).isEqualTo(1);
                assertThat(rows.keyed("messages").current(key)).isEqualTo(1);
            });
        }
    }

    @Test
    void callsForOneKeyShareRequestsAndStayInOrder() throws Exception {
        try (DistributedIds ids = clientOf(0)) {
            KeyedSequence messages = ids.keyed("messages");
            ExecutorService threads = Executors.newFixedThreadPool(16);
            List<Long> given = new ArrayList<>();
            try {
                List<Future<List<Long>>> all = IntStream.range(0, 16)
                        .mapToObj(thread -> threads.submit(() -> {
                            List<Long> own = new ArrayList<>();
                            for (int i = 0; i < 100; i++) {
                                LongStream.of(messages.next(7, 1 + i % 2)).forEach(own::add);
                            }
                            return own;
                        }))
                        .toList();
                for (Future<List<Long>> each : all) {
                    assertThat(each.get(2, TimeUnit.MINUTES)).isSorted();
                    given.addAll(each.get());
                }
            } finally {
                threads.shutdownNow();
            }

            assertThat(given)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, 2400).boxed().toList());
            assertThat(requests()).as("requests for 1600 calls").isLessThan(1000);
        }
    }

    private long requests() {
        Pattern count =
                Pattern.compile("requests_seconds_count\\{path=\"/v1/keyed/[^\"]*numbers\",status=\"200\"} (\\d+)");
        return servers.stream()
                .flatMap(each -> count.matcher(each.get("/metrics").body()).results())
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .sum();
    }

    @Test
    void numbersInATransactionAreRefused() throws SQLException {
        try (DistributedIds ids = client();
                Connection connection = DriverManager.getConnection(URL)) {
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> ids.keyed("messages").next(1, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(
                            "distributedid.keyed.backend=remote, allowed: row, for numbers in a" + " transaction");
        }
    }

    @Test
    void anUnknownSequenceIsRefusedWithTheNearestName() {
        try (DistributedIds ids = client()) {
            assertThatThrownBy(() -> ids.keyed("mesages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("There is no such sequence: seq=mesages. Did you mean messages? Check the"
                            + " name of the sequence, and distributedid.server.sequences or distributedid.server.keyed"
                            + " at the service (seq=mesages key=1,");
        }
    }

    @Test
    void aKeyAtItsEndIsExhausted() throws SQLException {
        try (DistributedIds ids = clientOf(0);
                Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            long unused = ids.keyed("messages").next("full");
            statement.executeUpdate("UPDATE keyed_sequence SET number = 9223372036854775806 WHERE key_text = 'full'");

            assertThat(ids.keyed("messages").next("full")).isEqualTo(Long.MAX_VALUE);
            assertThatThrownBy(() -> ids.keyed("messages").next("full")).isInstanceOf(IdsExhaustedException.class);
        }
    }

    @Test
    void withoutServersCallsFailInTimeAndGoOnLater() {
        try (DistributedIds ids = client("block.timeout", "300ms")) {
            KeyedSequence messages = ids.keyed("messages");
            awaitNumber(messages);
            servers.forEach(RunningServer::close);

            assertThatThrownBy(() -> messages.next(1))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("No number within 300 ms (distributedid.block.timeout): seq=messages key=1.");
            // The last try of a call may have no time for more than that.
            Await.until("a call fails with the reason", () -> {
                try {
                    return messages.next(1) < 0;
                } catch (IdUnavailableException e) {
                    return e.getMessage()
                            .contains("No connection. Check that the server runs, and its host and port in"
                                    + " distributedid.keyed.remote.servers");
                }
            });

            servers.replaceAll(each -> server(each.port()));
            awaitNumber(messages);
        }
    }

    /** A call may be over before its answer comes, and its number is a gap then. */
    private static void awaitNumber(KeyedSequence messages) {
        Await.until("a number is given", () -> {
            try {
                return messages.next(1) > 0;
            } catch (IdUnavailableException e) {
                return false;
            }
        });
    }

    @Test
    void serversMustBeSet() {
        try (DistributedIds ids = DistributedIds.create(Map.of("distributedid.keyed.backend", "remote"))) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.keyed.remote.servers");
        }
    }
}
