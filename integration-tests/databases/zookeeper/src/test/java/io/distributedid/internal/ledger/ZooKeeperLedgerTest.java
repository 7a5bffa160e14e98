package io.distributedid.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.CuttingProxy.Way;
import io.distributedid.testkit.LedgerContract;
import io.distributedid.testkit.StartedServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(StartedServers.class)
class ZooKeeperLedgerTest extends LedgerContract {

    private static final String STORE = "/distributedid/workers";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static TestingServer server;

    private static CuratorFramework curator;

    private final List<ZooKeeperLedger> open = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = StartedServers.add(new TestingServer(true));
        curator = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryNTimes(20, 500));
        curator.start();
        try (ZooKeeperLedger ledger = source(server.getConnectString(), STORE).connect(PATIENCE)) {
            assertThat(ledger.open().create()).isTrue();
        }
    }

    @AfterAll
    static void stop() {
        curator.close();
    }

    @AfterEach
    void closeSessions() {
        open.forEach(ZooKeeperLedger::close);
    }

    private static ZooKeeperLedger.Source source(String servers, String path) {
        return new ZooKeeperLedger.Source(new ZooKeeperPlace(servers, path, Optional.empty()), false);
    }

    private ZooKeeperLedger ledger(ZooKeeperLedger.Source source) throws SQLException {
        ZooKeeperLedger ledger = source.connect(PATIENCE);
        synchronized (open) {
            open.add(ledger);
        }
        return ledger.open();
    }

    private ZooKeeperLedger ledger(String servers) throws SQLException {
        return ledger(source(servers, STORE));
    }

    @Override
    protected ZooKeeperLedger client() throws SQLException {
        return ledger(server.getConnectString());
    }

    private static String node(String name) {
        return STORE + "/" + name.replace("/", "%2F");
    }

    @Override
    protected void delete(String name) throws SQLException {
        try {
            curator.delete().forPath(node(name));
        } catch (Exception e) {
            throw new SQLException(e);
        }
    }

    private static void set(String node, String content) throws Exception {
        curator.setData().forPath(node, content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aNodeShowsItsRow() throws Exception {
        Fields text = Fields.NONE.with("owner", "app1 pid 17");
        assertThat(client().write(List.of(Change.create("@worker/ä 7", "7f3a", 12, Row.State.OPEN, text))))
                .hasSize(1);

        assertThat(curator.getData().forPath(STORE + "/@worker%2F%C3%A4+7"))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("1-7f3a 12 OPEN owner=app1%20pid%2017");
    }

    @Test
    void theStoreIsCreatedOnceAndMissingUntilThen() throws Exception {
        ZooKeeperLedger ledger = ledger(source(server.getConnectString(), "/a/new/store"));
        String missing = "The ledger is missing: node=/a/new/store on " + server.getConnectString()
                + ". Restore it if it was there before; if not, create it";
        assertThatThrownBy(() -> ledger.read(List.of()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(missing);
        assertThatThrownBy(() -> ledger.write(List.of(created(name(), 1)))).hasMessage(missing);

        assertThat(ledger.create()).isTrue();
        assertThat(ledger.create()).isFalse();
        assertThat(ledger.read(List.of()).rows()).isEmpty();
    }

    /** As after a backup was restored, and another process has written as many times since. */
    @Test
    void anotherRowWhoseNodeHasTheSameVersionIsNotReplaced() throws Exception {
        ZooKeeperLedger ledger = client();
        Row first = row(ledger, name(), 1);
        Change change = changed(first, 2);
        assertThat(ledger.write(List.of(change))).hasSize(1);
        int version = curator.checkExists().forPath(node(first.name())).getVersion();
        delete(first.name());
        Row restored = row(ledger, first.name(), 1);
        Change other = changed(restored, 3);
        assertThat(ledger.write(List.of(other))).hasSize(1);
        assertThat(curator.checkExists().forPath(node(first.name())).getVersion())
                .isEqualTo(version);

        assertThat(ledger.write(List.of(changed(change.next(), 4)))).isEmpty();

        assertThat(read(ledger, first.name())).isEqualTo(other.next());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1-a 5 OPEN", "1-a five OPEN -", "1-a 5 PAUSED -", "1 5 OPEN -"})
    void aNodeThatHoldsNoRowIsRefused(String content) throws Exception {
        ZooKeeperLedger ledger = client();
        Row row = row(ledger, name(), 1);
        set(node(row.name()), content);

        assertThatThrownBy(() -> ledger.read(List.of(row.name())))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A row of the ledger has an unknown ")
                .hasMessageContaining("row=" + row.name());
    }

    /** A server may know less than another one has answered. */
    @Test
    void aReadShowsWhatAnotherServerOfTheClusterHasAnswered() throws Exception {
        try (TestingCluster cluster = new TestingCluster(3)) {
            cluster.start();
            List<ZooKeeperLedger> clients = new ArrayList<>();
            for (InstanceSpec each : cluster.getInstances()) {
                // Of several servers one is enough.
                clients.add(ledger("127.0.0.1:1,127.0.0.1:" + each.getPort()));
            }
            assertThat(clients.get(0).create()).isTrue();
            Row row = row(clients.get(0), name(), 0);
            for (int i = 1; i <= 60; i++) {
                Change change = changed(read(clients.get(i % 3), row.name()), i);

                assertThat(clients.get(i % 3).write(List.of(change))).hasSize(1);
                row = change.next();
                assertThat(read(clients.get((i + 1) % 3), row.name())).isEqualTo(row);
                assertThat(clients.get((i + 2) % 3).write(List.of(change)))
                        .as("sent again")
                        .hasSize(1);
            }
        }
    }

    /** Each trip takes 200 ms: one for each row would take more than three minutes. */
    @Test
    void aThousandRowsTakeFewTrips() throws Exception {
        List<Change> created =
                IntStream.range(0, 1_000).mapToObj(i -> created(name(), i)).toList();
        List<String> names = created.stream().map(Change::name).toList();
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            ZooKeeperLedger ledger = ledger("127.0.0.1:" + proxy.port());
            proxy.delay(Duration.ofMillis(100));
            long begin = System.nanoTime();

            assertThat(ledger.write(created)).hasSize(1_000);
            assertThat(ledger.write(created.stream()
                            .map(each -> changed(each.next(), 0))
                            .toList()))
                    .hasSize(1_000);
            assertThat(ledger.read(names).rows()).hasSize(1_000);

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void aChangeWhoseAnswerWasLostIsDoneWhenItIsSentAgain() throws Exception {
        Row row = row(client(), name(), 1);
        Change change = changed(row, 2);
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            ZooKeeperLedger cut = ledger("127.0.0.1:" + proxy.port());
            Future<Boolean> done =
                    proxy.cutAtAnswerTo(change.next().version().random().toUpperCase(Locale.ROOT));
            assertThatThrownBy(() -> cut.write(List.of(change)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageStartingWith(STORE + " on 127.0.0.1:" + proxy.port() + " said: KeeperErrorCode = ");
            assertThat(done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        Ledger again = client();
        assertThat(read(again, row.name())).isEqualTo(change.next());
        assertThat(again.write(List.of(change, created(name(), 1)))).hasSize(2);
        assertThat(read(again, row.name())).isEqualTo(change.next());
    }

    /** As leases use it. */
    @Test
    void afterAFailureTheNextCallHasANewSession() throws Exception {
        Row row = row(client(), name(), 1);
        try (CuttingProxy proxy = new CuttingProxy(server.getPort());
                DedicatedConnection<Ledger> connection = connection("127.0.0.1:" + proxy.port(), PATIENCE)) {
            assertThat(rows(connection, row.name())).containsOnlyKeys(row.name());
            Future<Boolean> cut = proxy.cutAtAnswerTo(
                    row.name().substring("sequence/".length()).toUpperCase(Locale.ROOT));
            assertThatThrownBy(() -> rows(connection, row.name())).isInstanceOf(SQLException.class);
            assertThat(cut.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(rows(connection, row.name())).containsOnlyKeys(row.name());
        }
    }

    private static DedicatedConnection<Ledger> connection(String servers, Duration timeout) {
        return new DedicatedConnection<>(source(servers, STORE), timeout, Platform.JVM);
    }

    private static Map<String, Row> rows(DedicatedConnection<Ledger> connection, String name)
            throws SQLException, InterruptedException {
        Page page = connection.call(ledger -> ledger.read(List.of(name)));
        return page.rows();
    }

    @Test
    void aServerThatIsNotThereFailsTheCall() {
        try (DedicatedConnection<Ledger> connection = connection("127.0.0.1:1", Duration.ofMillis(200))) {
            assertThatThrownBy(() -> rows(connection, "@store"))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("No answer within 200 ms: " + STORE + " on 127.0.0.1:1");
        }
    }

    @Test
    void aServerThatFallsSilentIsWaitedForUpToTheTimeout() throws Exception {
        Row row = row(client(), name(), 1);
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            ZooKeeperLedger ledger = ledger("127.0.0.1:" + proxy.port());
            assertThat(ledger.isValid(PATIENCE)).isTrue();
            proxy.hold(Set.of(Way.TO_CLIENT));
            ledger.limit(Duration.ofMillis(300));

            assertThatThrownBy(() -> ledger.read(List.of(row.name())))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("No answer within 300 ms: " + STORE + " on 127.0.0.1:" + proxy.port());
            ledger.close();
            assertThat(ledger.isValid(PATIENCE)).isFalse();
        }
    }

    @Test
    void callsEndWhenTheConnectionIsCut() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.getPort());
                DedicatedConnection<Ledger> connection =
                        connection("127.0.0.1:" + proxy.port(), Duration.ofMinutes(5))) {
            assertThat(rows(connection, name())).isEmpty();
            proxy.hold(Set.of(Way.TO_CLIENT));
            CompletableFuture<Map<String, Row>> rows = CompletableFuture.supplyAsync(() -> {
                try {
                    return rows(connection, name());
                } catch (SQLException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Await.until("the call waits", connection::isBusy);
            connection.cut();

            assertThatThrownBy(() -> rows.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasStackTraceContaining(" said: KeeperErrorCode = ");
            assertThatThrownBy(() -> rows(connection, name()))
                    .hasMessage("Closed: " + STORE + " on 127.0.0.1:" + proxy.port());
        }
    }

    /** It accepts connections, and says nothing. */
    @Test
    void aCallEndsThatWaitsForASession() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                DedicatedConnection<Ledger> connection =
                        connection("127.0.0.1:" + silent.getLocalPort(), Duration.ofMillis(300))) {
            assertThatThrownBy(() -> rows(connection, name()))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("No answer within 300 ms: " + STORE + " on 127.0.0.1:" + silent.getLocalPort());
        }
    }

    @Test
    void nodesBelongToTheUserThatMadeThemAndAPasswordIsInNoMessage() throws Exception {
        String path = "/mine/workers";
        Row row;
        try (ZooKeeperLedger mine = as("app:secret", path)) {
            assertThat(mine.open().create()).isTrue();
            row = row(mine, name(), 1);
            assertThat(mine.write(List.of(changed(row, 2)))).hasSize(1);
        }
        for (ZooKeeperLedger.Source other :
                List.of(source(server.getConnectString(), path), place("app:hidden", path))) {
            ZooKeeperLedger stranger = ledger(other);
            assertThatThrownBy(() -> stranger.read(List.of(row.name())))
                    .isInstanceOf(SQLException.class)
                    .hasMessageStartingWith(
                            path + " on " + server.getConnectString() + " said: KeeperErrorCode = NoAuth")
                    .satisfies(error -> assertThat(error.toString()).doesNotContain("hidden"));
        }
    }

    private static ZooKeeperLedger.Source place(String credentials, String path) {
        return new ZooKeeperLedger.Source(
                new ZooKeeperPlace(server.getConnectString(), path, Optional.of(credentials)), false);
    }

    private static ZooKeeperLedger as(String credentials, String path) throws SQLException {
        return place(credentials, path).connect(PATIENCE);
    }
}
