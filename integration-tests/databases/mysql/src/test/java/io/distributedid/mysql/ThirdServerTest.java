package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** From two ticket servers to three, step by step as the page for operators says. */
@Needs(Need.MYSQL)
class ThirdServerTest {

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    private final MySqlServer third = MySqlServers.shard(0);

    private final GivenIds given = new GivenIds();

    private String table;

    @BeforeEach
    void name(TestInfo test) {
        table = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void setBack() throws SQLException {
        number(odd, 2, 1);
        number(even, 2, 2);
        number(third, 1, 1);
    }

    @Test
    void withRoomInTheIncrementItJoinsWhileClientsRun() throws Exception {
        List<MySqlServer> three = List.of(odd, even, third);
        numberAll(10);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (DistributedIds running = open(List.of(odd, even))) {
            given.take(running, 1_000);
            Future<RuntimeException> refusal = threads.submit(() -> given.takeUntilRefused(running, Integer.MAX_VALUE));
            assertThat(takeUntilRefused(three))
                    .as("a client that is early")
                    .hasMessageContaining("The counters belong to another list of servers");
            int before = given.count();
            Await.until("ids are given meanwhile", () -> given.count() > before + 1_000, given::count);
            try (DistributedIds ids = open(three)) {
                ids.admin().move("photos", CounterMove.from(settings(List.of(odd, even))));
                given.take(ids, 1_000);
            }
            assertThat(refusal.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("The servers must belong to one id space");
        } finally {
            threads.shutdownNow();
        }
        take(three, 1_000);
        given.assertNoneTwice();
        for (MySqlServer server : three) {
            assertThat(DatabaseRows.number(server.jdbcUrl(TicketPair.SCHEMA), "SELECT id FROM " + table))
                    .as("raised above the others, and used")
                    .isGreaterThan(1_000);
        }
    }

    @Test
    void withoutRoomItIsRefusedUntilTheOldNumberingHasStopped() throws SQLException {
        List<MySqlServer> three = List.of(odd, even, third);
        numberAll(2);
        take(List.of(odd, even), 1_000);
        assertThat(takeUntilRefused(three))
                .as("a third offset in steps of two")
                .hasMessageContaining("A ticket server ignores an offset above its increment");

        numberAll(3);
        assertThat(takeUntilRefused(three))
                .as("the ledgers have the old numbering")
                .hasMessageContaining("Clients must number the servers alike");
        Map<String, Object> old = settings(List.of(odd, even));
        try (DistributedIds ids = open(three)) {
            assertThatThrownBy(() -> ids.admin().move("photos", CounterMove.from(old)))
                    .as("the servers do not say the old numbering any more")
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(
                            "is used with increment=2 offset=1, but this client has increment=3 offset=1");
            old.put("distributedid.ticket.numbering", "client");
            old.put("distributedid.ticket.increment", 2);
            ids.admin().move("photos", CounterMove.from(old));
        }
        take(three, 1_000);
        given.assertNoneTwice();
        assertThat(given.count()).isEqualTo(2_000);
    }

    private void numberAll(int increment) throws SQLException {
        number(odd, increment, 1);
        number(even, increment, 2);
        number(third, increment, 3);
    }

    private void take(List<MySqlServer> servers, int count) {
        try (DistributedIds ids = open(servers)) {
            given.take(ids, count);
        }
    }

    private RuntimeException takeUntilRefused(List<MySqlServer> servers) {
        try (DistributedIds ids = open(servers)) {
            return given.takeUntilRefused(ids, 1_000);
        }
    }

    private DistributedIds open(List<MySqlServer> servers) {
        return DistributedIds.create(settings(servers));
    }

    private Map<String, Object> settings(List<MySqlServer> servers) {
        return new HashMap<>(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers",
                        servers.stream()
                                .map(server -> server.jdbcUrl(TicketPair.SCHEMA))
                                .collect(Collectors.joining(", ")),
                "distributedid.ticket.table", table,
                "distributedid.create_tables", "true",
                "distributedid.block.max", "100"));
    }
}
