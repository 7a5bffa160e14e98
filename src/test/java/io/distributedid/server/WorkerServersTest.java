package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Ports;
import io.distributedid.testkit.Together;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several servers in front of one store, and what looks like it. */
class WorkerServersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final String STORE = WorkerStore.STORE_RECORD;

    private static final String RECORD = "token=a1 window=60000 before=60000 changes=0";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        H2Servers.drop("workers_a", "workers_b");
    }

    private RunningServer server(String database, Object... more) {
        RunningServer server = WorkerServices.server(database, more);
        open.add(server);
        return server;
    }

    private UnreliableProxy proxy(RunningServer of) {
        UnreliableProxy proxy = new UnreliableProxy(of);
        open.add(proxy);
        return proxy;
    }

    private WorkerStore store(String... urls) {
        WorkerStore store = WorkerServices.store(String.join(", ", urls));
        open.add(store);
        return store;
    }

    private static String nobody() {
        return "http://127.0.0.1:" + Ports.take();
    }

    private static String url(RunningServer server) {
        return server.server().url();
    }

    @Test
    void nodesThatStartTogetherBehindTwoServersHaveDifferentNumbers() throws Exception {
        String a = url(server("workers_a"));
        String b = url(server("workers_a"));
        List<Lease> leases = Together.run(
                12,
                node -> WorkerServices.lease(
                        WorkerServices.store(node % 2 == 0 ? a + ", " + b : b + ", " + a), MINUTE));

        assertThat(leases.stream().map(lease -> lease.current().worker()))
                .hasSize(12)
                .doesNotHaveDuplicates();
        leases.forEach(Lease::abandon);
    }

    @Test
    void aServerThatIsGoneIsReplacedByTheNext() throws Exception {
        String a = url(server("workers_a"));
        WorkerRow row = new WorkerRow(7, "app1", 1_000, "t1");
        WorkerRow next = new WorkerRow(7, "app1", 2_000, "t2");
        store(a).compareAndSetRecord(STORE, null, RECORD);
        store(a).compareAndSet(null, row);

        assertThat(store(nobody(), a).renew(row, next, new StoreCondition(RECORD, 0, Long.MAX_VALUE)))
                .as("a change of which nothing was sent")
                .isPresent();
        assertThat(store(nobody(), a).read(7, 7).rows()).containsExactly(next);
    }

    @Test
    void aServerThatHangsIsReplacedByTheNextForReadings() throws Exception {
        RunningServer real = server("workers_a");
        UnreliableProxy first = proxy(real);
        UnreliableProxy second = proxy(real);
        WorkerStore store = store(first.url(), second.url());
        assertThat(store.highest()).isEqualTo(-1);
        int before = second.requests().size();
        first.fault((request, forwarded) -> first.hang());

        assertThat(store.highest()).isEqualTo(-1);
        assertThat(store.highest()).isEqualTo(-1);

        assertThat(second.requests()).hasSize(before + 2);
        assertThat(first.requests()).as("asked no more").hasSize(2);
    }

    @Test
    void aStoreThatWasUsedNeedsOneServer() throws Exception {
        String a = url(server("workers_a"));
        try (DistributedIds first = WorkerServices.node(a);
                DistributedIds second = WorkerServices.node(nobody() + ", " + a)) {
            assertThat(WorkerServices.worker(first)).isZero();
            assertThat(WorkerServices.worker(second)).isEqualTo(1);
        }
    }

    /** Otherwise one that is down may have another store. */
    @Test
    void aStoreIsFirstUsedWhileAllServersAnswer() {
        String a = url(server("workers_a"));
        String gone = nobody();

        assertThatThrownBy(() -> WorkerServices.lease(WorkerServices.store(a + ", " + gone), MINUTE))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No worker number can be leased: Before a store of worker numbers is used for the first"
                        + " time, all servers must answer, so that they are known to have the same: " + gone
                        + " said: No connection. Check that the server runs, and its host and port in"
                        + " distributedid.snowflake.lease.service");
        Lease lease = WorkerServices.lease(WorkerServices.store(a), MINUTE);
        assertThat(lease.current().worker()).isZero();
        lease.abandon();
    }

    @Test
    void twoNewStoresGiveNoNumber() throws Exception {
        String a = url(server("workers_a"));
        String b = url(server("workers_b"));

        for (String urls : List.of(a + ", " + b, b + ", " + a)) {
            assertThatThrownBy(() -> WorkerServices.lease(WorkerServices.store(urls), MINUTE))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "Servers of worker numbers must have one store, and these have different" + " ones: ")
                    .hasMessageContaining("No number is leased. Check distributedid.snowflake.lease.* at the servers,"
                            + " and distributedid.snowflake.lease.service");
        }

        assertThat(store(a).highest()).isEqualTo(-1);
        assertThat(store(b).highest()).isEqualTo(-1);
        assertThat(store(a).record(STORE).isPresent() && store(b).record(STORE).isPresent())
                .as("both used")
                .isFalse();
    }

    /** Another client could begin with that server's store in the same moment. */
    @Test
    void aNewStoreGivesNoNumberUntilAllServersAreSeenToHaveIt() throws Exception {
        String a = url(server("workers_a"));
        RunningServer other = server("workers_b");
        UnreliableProxy b = proxy(other);
        WorkerStore looking = store(a);
        b.fault((request, forwarded) -> looking.record(STORE).isPresent() ? null : forwarded.get());
        WorkerStore store = store(a, b.url());

        assertThatThrownBy(() -> store.compareAndSetRecord(STORE, null, RECORD))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining("all servers must answer, so that they are known to have the same");
        assertThatThrownBy(() -> store.compareAndSet(null, new WorkerRow(0, "app1", 1_000, "t1")))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining("all servers must answer, so that they are known to have the same");

        b.recover();
        assertThatThrownBy(() -> store.compareAndSet(null, new WorkerRow(0, "app1", 1_000, "t1")))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining("Servers of worker numbers must have one store");
        assertThat(store(a).highest()).isEqualTo(-1);
    }

    @Test
    void twoStoresThatWereUsedGiveNoNumber() throws Exception {
        String a = url(server("workers_a"));
        String b = url(server("workers_b"));
        store(a).compareAndSetRecord(STORE, null, RECORD);
        store(b).compareAndSetRecord(STORE, null, RECORD.replace("a1", "b2"));

        assertThatThrownBy(() -> store(a, b).read(0, 9))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining(a + " token=a1, " + b + " token=b2. No number is leased.");
    }

    /** The first server is known, and down when the second answers for the first time. */
    @ParameterizedTest
    @ValueSource(strings = {"used", "new"})
    void aServerThatWasDownIsComparedBeforeItIsUsed(String state) throws Exception {
        RunningServer first = server("workers_a");
        int port = Ports.take();
        WorkerStore store = store(url(first), "http://127.0.0.1:" + port);
        store(url(first)).compareAndSetRecord(STORE, null, RECORD);
        assertThat(store.read(0, 9).record()).isEqualTo(RECORD);
        String second = url(server("workers_b", "server.port", port));
        if (state.equals("used")) {
            store(second).compareAndSetRecord(STORE, null, RECORD.replace("a1", "b2"));
        }
        first.close();

        assertThatThrownBy(() -> store.read(0, 9))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining(
                        "token=a1, " + second + (state.equals("used") ? " token=b2." : " without a record."));
        assertThatThrownBy(() -> store.compareAndSet(null, new WorkerRow(7, "app1", 1_000, "t1")))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining("The store of worker numbers is another one than the caller has read: ");
        assertThat(store(second).highest()).isEqualTo(-1);
    }

    /** Between the reading and the change, the server gets another store. */
    @Test
    void aServerWithAnotherStoreThanWasReadChangesNothing() throws Exception {
        int port = Ports.take();
        RunningServer first = server("workers_a", "server.port", port);
        WorkerStore store = store(url(first));
        store.compareAndSetRecord(STORE, null, RECORD);
        first.close();
        RunningServer second = server("workers_b", "server.port", port);

        assertThatThrownBy(() -> store.compareAndSet(null, new WorkerRow(7, "app1", 1_000, "t1")))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageContaining("snowflake_worker on jdbc:h2:mem:workers_b without a record, the caller has read"
                        + " token=a1.");
        assertThatThrownBy(() -> store.read(0, 9))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageStartingWith("The store of worker numbers was emptied, or is another one now: worker numbers"
                        + " of " + url(second) + " without a record, it was token=a1.");
        assertThat(store(url(second)).highest()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"used", "new"})
    void aNodeWhoseServerGetsAnotherStoreGetsNoWindowThere(String state) throws Exception {
        int port = Ports.take();
        RunningServer first = server("workers_a", "server.port", port);
        Lease lease = WorkerServices.lease(WorkerServices.store(url(first)), Duration.ofSeconds(2));
        first.close();
        RunningServer second = server("workers_b", "server.port", port);
        if (state.equals("used")) {
            store(url(second)).compareAndSetRecord(STORE, null, RECORD.replace("60000", "2000"));
        }
        Grant last = lease.current();

        Await.until("its window is over", () -> System.currentTimeMillis() > last.until());
        assertThatThrownBy(() -> lease.await(lease.current()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(
                        "The store of worker numbers is another one than before, or was emptied and used anew");
        assertThat(store(url(second)).highest()).isEqualTo(-1);
        lease.abandon();
    }

    /** Otherwise a process that starts would get a number while the window of another lasts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aStoreThatWasEmptiedIsClosedByWhoFindsIt(int servers) throws Exception {
        String urls = IntStream.range(0, servers)
                .mapToObj(each -> url(server("workers_a")))
                .collect(Collectors.joining(", "));
        WorkerStore store = store(urls);
        store.compareAndSetRecord(STORE, null, RECORD + " burnt=3-5");
        store.compareAndSet(null, new WorkerRow(0, "app1", Long.MAX_VALUE / 2, "t1"));
        empty();

        assertThatThrownBy(() -> store.read(0, 0))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageStartingWith("The store of worker numbers was emptied, or is another one now")
                .hasMessageEndingWith(" and start them again");
        assertThatThrownBy(() -> WorkerServices.lease(store(urls), MINUTE))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("Numbers are leased again in ");
        assertThat(store(urls).record(STORE).orElseThrow())
                .doesNotContain("token=a1")
                .contains(" window=60000 before=60000 changes=0 opens=")
                .endsWith(" burnt=3-5");
    }

    /** Servers that are not known to have one store may not begin one. */
    @Test
    void aStoreThatWasEmptiedIsClosedOnceAllServersAnswer() throws Exception {
        RunningServer real = server("workers_a");
        UnreliableProxy second = proxy(real);
        WorkerStore store = store(url(real), second.url());
        store.compareAndSetRecord(STORE, null, RECORD);
        second.fault((request, forwarded) -> null);
        empty();

        assertThatThrownBy(() -> store.read(0, 0)).isInstanceOf(WorkerStoreException.class);
        assertThat(store(url(real)).record(STORE)).isEmpty();
    }

    private static void empty() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:workers_a");
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM snowflake_worker");
            statement.execute("DELETE FROM snowflake_worker_record");
        }
    }

    /** No single-use number is left out in silence, however many there are. */
    @Test
    void moreRowsThanAPageAreRead() throws Exception {
        RunningServer real = server("workers_a");
        WorkerStore store = store(url(real));
        store.highest();
        insert(2_100);

        assertThat(store.read(0, Long.MAX_VALUE).rows().stream().map(WorkerRow::worker))
                .containsExactlyElementsOf(LongStream.range(0, 2_100).boxed().toList());
        assertThat(store.records()).hasSize(2_100);
    }

    private static void insert(int rows) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:workers_a");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO snowflake_worker SELECT x - 1, 'app', x, 't' || x FROM SYSTEM_RANGE(1, " + rows + ")");
            statement.execute("INSERT INTO snowflake_worker_record SELECT 'seq' || x, 'layout' FROM SYSTEM_RANGE(1, "
                    + rows + ")");
        }
    }
}
