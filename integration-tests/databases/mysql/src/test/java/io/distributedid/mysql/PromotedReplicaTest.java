package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * A server fails over to its replica, which lacks the last blocks: no client gets one of them again. Many counters fail
 * over at once, each in a schema of its own.
 */
@Needs(Need.MYSQL)
class PromotedReplicaTest {

    private static final List<String> BACKENDS = List.of("ticket", "sequence_table");

    private static final int MANY = 200;

    private static final long RAISED = 10_000_000;

    private final MySqlServer even = MySqlServers.even();

    private ReplicatedServer replicated;

    @BeforeEach
    void start() throws Exception {
        replicated = ReplicatedServer.empty();
    }

    /** A client of the replicated server, and perhaps of another. */
    private final class Counting {

        final String backend;

        final String schema;

        final SwitchingDataSource address;

        final GivenIds given = new GivenIds();

        private final List<Object> servers;

        private final Object[] settings;

        DistributedIds client;

        Counting(String backend, int count, String test, Object... settings) throws Exception {
            this.backend = backend;
            this.settings = settings;
            schema = "promoted_" + test + "_" + backend + count;
            address = new SwitchingDataSource(replicated.source().jdbcUrl(schema));
            servers = count == 1 ? List.of(address) : List.of(address, even.jdbcUrl(schema));
            open();
            given.take(client, MANY);
        }

        void open() {
            client = GivenIds.client(backend, servers, settings);
        }

        void failOver() throws SQLException {
            address.to(replicated.replica().jdbcUrl(schema));
        }

        long last() throws SQLException {
            return DatabaseRows.number(
                    replicated.replica().jdbcUrl(schema),
                    "SELECT MAX(id) FROM " + (backend.equals("ticket") ? "Tickets64" : "sequence"));
        }

        void assertLags() throws SQLException {
            assertThat(last()).as("the replica lags: " + schema).isLessThan(given.highest());
        }

        void takeUntilRaised() throws SQLException {
            takeUntil(RAISED);
            given.take(client, MANY);
        }

        void takeUntil(long id) throws SQLException {
            Await.until(
                    "the replica is used, beyond id " + id,
                    () -> {
                        given.take(client, 100);
                        return last() > id;
                    },
                    this::last);
        }

        void end() throws SQLException {
            client.close();
            given.assertNoneTwice();
            String url = replicated.replica().jdbcUrl(schema);
            assertThat(identities(url))
                    .singleElement()
                    .asString()
                    .contains(DatabaseRows.rows(url, "SELECT @@server_uuid").get(0));
        }

        private List<String> identities(String url) throws SQLException {
            return DatabaseRows.rows(
                    url,
                    "SELECT text FROM distributedid WHERE name = '"
                            + (backend.equals("ticket") ? "Tickets64/'" : "sequence/photos'"));
        }

        DynamicTest test(Executable work) {
            return DynamicTest.dynamicTest(schema, () -> {
                try {
                    work.execute();
                } finally {
                    client.close();
                }
            });
        }
    }

    @TestFactory
    Stream<DynamicTest> aReplicaThatLagsIsRaisedAboveWhatItLacksOrRefusedUntilItIsRepaired() throws Exception {
        List<Counting> running = new ArrayList<>();
        List<Counting> stopped = new ArrayList<>();
        List<Counting> refusing = new ArrayList<>();
        for (String backend : BACKENDS) {
            for (int count = 1; count <= 2; count++) {
                running.add(new Counting(backend, count, "running"));
                stopped.add(new Counting(backend, count, "stopped"));
                refusing.add(new Counting(backend, count, "refusing", "failover", "refuse"));
            }
        }
        List<Counting> all =
                Stream.of(running, stopped, refusing).flatMap(List::stream).toList();
        replicated.lag();
        for (Counting each : all) {
            each.given.take(each.client, MANY);
        }
        stopped.forEach(each -> each.client.close());
        replicated.promote();
        for (Counting each : all) {
            each.assertLags();
            each.failOver();
        }
        stopped.forEach(Counting::open);
        return Stream.of(
                        running.stream().map(each -> each.test(() -> requireRaised(each))),
                        stopped.stream().map(each -> each.test(() -> requireRaised(each))),
                        refusing.stream().map(each -> each.test(() -> requireRefused(each))))
                .flatMap(tests -> tests);
    }

    private void requireRaised(Counting counting) throws SQLException {
        counting.takeUntilRaised();
        counting.end();
    }

    private void requireRefused(Counting counting) throws SQLException {
        long before = counting.last();
        RuntimeException refusal = counting.given.tryToTake(counting.client, 2 * MANY);
        if (counting.servers.size() == 1) {
            assertThat(refusal)
                    .hasMessageContaining("A server was replaced, and may lack the last ids")
                    .hasMessageContaining("distributedid repair");
        } else {
            assertThat(refusal).as("the other server is enough").isNull();
        }
        counting.given.assertNoneTwice();
        assertThat(counting.last()).as("nothing was drawn there").isEqualTo(before);
        assertThat(counting.client.admin().check("photos"))
                .filteredOn(finding -> finding.toString().contains("was replaced"))
                .isNotEmpty();

        counting.client.admin().repair("photos", counting.given.highest());
        counting.takeUntil(counting.given.highest());
        counting.end();
    }

    @TestFactory
    Stream<DynamicTest> aReplicaThatLacksNothingGoesOnIfTheReplicationIsSaidToLoseNothing() throws Exception {
        List<Counting> all = new ArrayList<>();
        for (String backend : BACKENDS) {
            for (int count = 1; count <= 2; count++) {
                all.add(new Counting(
                        backend, count, "lossless", "failover", "lossless", "block.min", 5, "block.max", 5));
            }
        }
        try (Connection source = replicated.source().connect("mysql")) {
            endFetches(source);
            replicated.catchUp();
            replicated.promote();
        }
        return afterTheFailover(all, each -> {
            each.takeUntil(each.last() + MANY / 2);
            assertThat(each.given.highest()).as("no gap").isLessThan(RAISED);
            each.end();
        });
    }

    private static Stream<DynamicTest> afterTheFailover(List<Counting> all, ThrowingConsumer<Counting> work)
            throws SQLException {
        for (Counting each : all) {
            each.failOver();
        }
        return all.stream().map(each -> each.test(() -> work.accept(each)));
    }

    /**
     * A client may be about to fetch a block in the background, which the replica would then lack: from now on it gets
     * none.
     */
    private static void endFetches(Connection source) throws SQLException {
        try (Statement statement = source.createStatement()) {
            statement.execute("FLUSH TABLES WITH READ LOCK");
        }
    }

    /**
     * Only its identity tells that the replica is another server: the other server is down while the replica lags, so
     * that it does not hear of the ids that the replica lacks, and no client is left that does.
     */
    @Test
    void aReplicaIsRaisedAboveWhatNobodyKnowsOfAnyMore() throws Exception {
        List<Counting> all = new ArrayList<>();
        for (String backend : BACKENDS) {
            all.add(new Counting(backend, 2, "unseen"));
        }
        even.kill9();
        try {
            replicated.lag();
            for (Counting each : all) {
                each.given.take(each.client, MANY);
            }
            replicated.promote();
            for (Counting each : all) {
                each.client.close();
                each.assertLags();
            }
        } finally {
            even.restart();
        }
        for (Counting each : all) {
            each.failOver();
            each.open();
            each.takeUntilRaised();
            each.end();
        }
    }
}
