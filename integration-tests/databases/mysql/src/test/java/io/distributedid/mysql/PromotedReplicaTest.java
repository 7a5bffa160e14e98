package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server fails over to its replica, which lacks the last blocks: no client gets one of them again. */
@Needs(Need.MYSQL)
class PromotedReplicaTest {

    private static final int MANY = 500;

    private static final long RAISED = 10_000_000;

    private static final String RECORD =
            "SELECT server_identity FROM distributedid_record WHERE server = 0" + " AND counter LIKE '%/%'";

    private ReplicatedServer replicated;

    private SwitchingDataSource address;

    private final GivenIds given = new GivenIds();

    @BeforeEach
    void start() throws Exception {
        replicated = ReplicatedServer.start(31, "--auto-increment-increment=2", "--auto-increment-offset=1");
        address = new SwitchingDataSource(replicated.source().jdbcUrl("promoted"));
    }

    private List<Object> servers(String backend, int count, boolean isRunning, String more) {
        String schema = "promoted" + Math.abs((backend + count + isRunning + more).hashCode());
        return count == 1
                ? List.of(address)
                : List.of(address, MySqlServers.even().jdbcUrl(schema));
    }

    @ParameterizedTest
    @CsvSource({
        "ticket, 1, true", "ticket, 1, false", "ticket, 2, true", "ticket, 2, false",
        "sequence_table, 1, true", "sequence_table, 1, false", "sequence_table, 2, true", "sequence_table, 2, false"
    })
    void aReplicaThatLagsIsRaisedAboveWhatItLacks(String backend, int count, boolean isRunning) throws Exception {
        List<Object> servers = servers(backend, count, isRunning, "raise");
        DistributedIds client = GivenIds.client(backend, servers);
        given.take(client, MANY);
        replicated.lag();
        given.take(client, MANY);
        if (!isRunning) {
            client.close();
        }
        failOver();
        assertThat(last(backend)).as("the replica lags").isLessThan(given.highest());

        if (!isRunning) {
            client = GivenIds.client(backend, servers);
        }
        takeUntilRaised(client, backend);
        client.close();
        given.assertNoneTwice();
        assertIdentityOfTheReplica();
    }

    @ParameterizedTest
    @CsvSource({"ticket, 1", "ticket, 2", "sequence_table, 1", "sequence_table, 2"})
    void aReplicaIsRefusedUntilItIsRepaired(String backend, int count) throws Exception {
        List<Object> servers = servers(backend, count, true, "refuse");
        try (DistributedIds client = GivenIds.client(backend, servers, "failover", "refuse")) {
            given.take(client, MANY);
            replicated.lag();
            given.take(client, MANY);
            failOver();
            long before = last(backend);

            RuntimeException refusal = given.tryToTake(client, 2 * MANY);
            if (count == 1) {
                assertThat(refusal)
                        .hasMessageContaining("A server was replaced, and may lack the ids that were given last")
                        .hasMessageContaining("distributedid repair");
            } else {
                assertThat(refusal).as("the other server is enough").isNull();
            }
            given.assertNoneTwice();
            assertThat(last(backend)).as("nothing was drawn there").isEqualTo(before);
            assertThat(client.check("photos"))
                    .filteredOn(finding -> finding.toString().contains("was replaced"))
                    .isNotEmpty();

            client.repair("photos", given.highest());
            takeUntil(client, backend, given.highest());
        }
        given.assertNoneTwice();
        assertIdentityOfTheReplica();
    }

    @ParameterizedTest
    @CsvSource({"ticket, 1", "ticket, 2", "sequence_table, 1", "sequence_table, 2"})
    void aReplicaThatLacksNothingGoesOnIfTheReplicationIsSaidToLoseNothing(String backend, int count) throws Exception {
        List<Object> servers = servers(backend, count, true, "lossless");
        try (DistributedIds client =
                GivenIds.client(backend, servers, "failover", "lossless", "block.min", 5, "block.max", 5)) {
            given.take(client, MANY);
            try (Connection source = replicated.source().connect("promoted")) {
                endFetches(source);
                replicated.catchUp();
                failOver();
            }
            takeUntil(client, backend, last(backend) + MANY / 2);
        }
        given.assertNoneTwice();
        assertThat(given.highest()).as("no gap").isLessThan(RAISED);
        assertIdentityOfTheReplica();
    }

    /**
     * The client may be about to fetch a block in the background, which the replica would then lack: from now on it
     * gets none.
     */
    private static void endFetches(Connection source) throws SQLException {
        try (Statement statement = source.createStatement()) {
            statement.execute("FLUSH TABLES WITH READ LOCK");
        }
    }

    private void failOver() throws Exception {
        replicated.promote();
        address.to(replicated.replica().jdbcUrl("promoted"));
    }

    private static String table(String backend) {
        return backend.equals("ticket") ? "Tickets64" : "sequence";
    }

    private long last(String backend) throws Exception {
        return DatabaseRows.number(replicated.replica().jdbcUrl("promoted"), "SELECT MAX(id) FROM " + table(backend));
    }

    private void takeUntilRaised(DistributedIds client, String backend) throws Exception {
        takeUntil(client, backend, RAISED);
        given.take(client, MANY);
    }

    private void takeUntil(DistributedIds client, String backend, long id) throws Exception {
        Await.until(
                "the replica is used, beyond id " + id,
                () -> {
                    given.take(client, 100);
                    return last(backend) > id;
                },
                () -> last(backend));
    }

    private void assertIdentityOfTheReplica() throws Exception {
        String url = replicated.replica().jdbcUrl("promoted");
        assertThat(DatabaseRows.rows(url, RECORD))
                .containsExactly("server_uuid "
                        + DatabaseRows.rows(url, "SELECT @@server_uuid").get(0) + " schema promoted");
    }
}
