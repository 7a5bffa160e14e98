package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications list servers differently, or can't reach all of them: no id is given twice. */
@Needs(Need.MYSQL)
class ServerListTest {

    private static String url(int shard, String schema) {
        return MySqlServers.shard(shard).jdbcUrl(schema);
    }

    private static DistributedIds open(String backend, List<?> servers) {
        return backend.equals("ticket")
                ? GivenIds.client(backend, servers, "ticket.numbering", "client", "ticket.increment", servers.size())
                : GivenIds.client(backend, servers);
    }

    @Test
    void aListThatGrowsIsRefusedThoughTheOldServerCannotBeReached() throws SQLException {
        String backend = "sequence_table";
        String schema = "grows";
        String old = url(0, schema);
        GivenIds given = new GivenIds();
        try (DistributedIds before = open(backend, List.of(old))) {
            given.take(before, 250);
            SwitchingDataSource unreachable = new SwitchingDataSource("");
            List<Object> grown = List.of(unreachable, url(1, schema));
            try (DistributedIds after = open(backend, grown)) {
                RuntimeException refusal = given.takeUntilRefused(after, 500);
                assertThat(refusal)
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageContaining("All servers must answer a client that ")
                        .hasMessageContaining("data source 1");
                given.take(before, 250);
                unreachable.to(old);
                assertThat(given.takeUntilRefused(after, 500))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("Clients must number the servers alike");
            }
            given.take(before, 250);
        }
        given.assertNoneTwice();
        assertThat(claims(url(1, schema))).as("claims of the new server").isZero();
    }

    /** An empty database counts as claimed once it has a row that describes the table. */
    private static long claims(String server) throws SQLException {
        return DatabaseRows.rows(server, "SHOW TABLES LIKE 'distributedid'").isEmpty()
                ? 0
                : DatabaseRows.number(server, "SELECT COUNT(*) FROM distributedid WHERE name <> '@store'");
    }

    @Test
    void anEmptyServerInAnothersPlaceIsRefusedUntilAnOperatorSaysSo() throws SQLException {
        String schema = "replaced";
        GivenIds given = new GivenIds();
        SwitchingDataSource second = new SwitchingDataSource(url(1, schema));
        List<Object> servers = List.of(url(0, schema), second);
        String third = MySqlServers.workers().jdbcUrl(schema);
        try (DistributedIds running = open("ticket", servers)) {
            given.take(running, 500);
            DatabaseRows.execute(url(1, schema), "DROP DATABASE " + schema);
            second.to(third);
            given.tryToTake(running, 500);
            try (DistributedIds started = open("ticket", servers)) {
                given.takeUntilRefused(started, 500);
                given.assertNoneTwice();
                assertThat(claims(third)).as("claims of the empty server").isZero();
                given.add(moveTo(third, started, given, schema));
                given.takeUntilRefused(running, 500);
            }
        }
        given.assertNoneTwice();
    }

    /** Another server is another list, which a repair refuses. The lost one is in the old list, empty. */
    private static long moveTo(String third, DistributedIds started, GivenIds given, String schema) {
        assertThatThrownBy(() -> repair(started))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid move");
        Map<String, Object> old = Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                url(0, schema) + ", " + url(1, schema),
                "distributedid.create_tables",
                true,
                "distributedid.ticket.numbering",
                "client",
                "distributedid.ticket.increment",
                2);
        try (DistributedIds moved = open("ticket", List.of(url(0, schema), third))) {
            moved.admin().move("photos", CounterMove.from(old));
            given.take(moved, 500);
            return moved.next("photos");
        }
    }

    /** The first attempt may find that a connection is broken. */
    private static void repair(DistributedIds ids) {
        try {
            ids.admin().repair("photos", 0);
        } catch (IdUnavailableException e) {
            ids.admin().repair("photos", 0);
        }
    }

    @Test
    void aRaiseWithAServerThatIsDownRaisesNone() throws SQLException {
        String schema = "raise";
        String table = "Tickets64";
        GivenIds given = new GivenIds();
        SwitchingDataSource second = new SwitchingDataSource(url(1, schema));
        try (DistributedIds ids = open("ticket", List.of(url(0, schema), second))) {
            given.take(ids, 100);
            long before = DatabaseRows.number(url(0, schema), "SELECT id FROM " + table);
            second.cut();
            assertThatThrownBy(() -> ids.admin().raise("photos", 1_000_000))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("All servers must answer");
            assertThat(DatabaseRows.number(url(0, schema), "SELECT id FROM " + table))
                    .isLessThan(before + 1_000);

            second.to(url(1, schema));
            ids.admin().raise("photos", 1_000_000);
            assertThat(DatabaseRows.number(url(0, schema), "SELECT id FROM " + table))
                    .isGreaterThanOrEqualTo(999_999);
            assertThat(DatabaseRows.number(url(1, schema), "SELECT id FROM " + table))
                    .isGreaterThanOrEqualTo(999_999);
            for (int i = 0; i < 100; i++) {
                long id = ids.next("photos");
                assertThat(id).isGreaterThan(1_000_000);
                given.add(id);
            }
        }
        given.assertNoneTwice();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsWithAnotherNumberingAreRefusedWhicheverCameFirst(boolean clientNumbersFirst) throws SQLException {
        String schema = "kinds_" + clientNumbersFirst;
        GivenIds given = new GivenIds();
        DistributedIds byClient =
                GivenIds.tickets(List.of(url(0, schema), url(1, schema)), "ticket.numbering", "client");
        DistributedIds byServer = GivenIds.tickets(url(0, schema));
        given.take(clientNumbersFirst ? byClient : byServer, 500);
        RuntimeException refusal = given.takeUntilRefused(clientNumbersFirst ? byServer : byClient, 500);
        given.take(clientNumbersFirst ? byClient : byServer, 500);
        byClient.close();
        byServer.close();

        assertThat(refusal).isInstanceOf(IdConfigurationException.class);
        given.assertNoneTwice();
        assertThat(DatabaseRows.rows(url(0, schema), "SELECT text FROM distributedid WHERE name = 'Tickets64'"))
                .singleElement()
                .asString()
                .contains(clientNumbersFirst ? "increment=10 offset=1 " : "increment=1 offset=1 ");
    }
}
