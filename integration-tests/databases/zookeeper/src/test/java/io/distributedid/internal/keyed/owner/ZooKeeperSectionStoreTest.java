package io.distributedid.internal.keyed.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.keyed.owner.SectionStore.Write;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.testkit.StartedServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StartedServers.class)
class ZooKeeperSectionStoreTest {

    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private static TestingServer server;

    private static CuratorFramework curator;

    private static int tests;

    private String path = "";

    private ZooKeeperSectionStore store;

    @BeforeAll
    static void start() throws Exception {
        server = StartedServers.add(new TestingServer(true));
        curator = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryNTimes(20, 500));
        curator.start();
    }

    @AfterAll
    static void stop() throws Exception {
        curator.close();
    }

    @BeforeEach
    void open() throws Exception {
        path = "/store" + ++tests;
        store = store(server.getConnectString(), PATIENCE);
        store.create("messages", SectionRecord.firstRows(3, "first"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private ZooKeeperSectionStore store(String servers, Duration timeout) {
        return new ZooKeeperSectionStore(new ZooKeeperPlace(servers, path, Optional.empty()), timeout, false);
    }

    private static TenureRow row(int section, String token) {
        return new TenureRow("http://a:8080", 10_000 + section, 5_000_000_000L, token);
    }

    private static final TenureRow FREE = new TenureRow("", 0, 0, "first");

    private static Write write(int place, TenureRow expected, TenureRow next) {
        return new Write(place, new TenureRequest(expected, next, 0, 0));
    }

    @Test
    void anUnusedSequenceHasNoRows() throws Exception {
        assertThat(store.read("others")).isEmpty();
    }

    @Test
    void theFirstRowsAreWrittenOnce() throws Exception {
        store.create("messages", SectionRecord.firstRows(4, "second"));

        assertThat(store.read("messages"))
                .isEqualTo(Map.of(
                        0,
                        FREE,
                        1,
                        FREE,
                        2,
                        FREE,
                        SectionStore.RECORD,
                        new TenureRow("sections of keys, format 1", 3, 0, "first")));
    }

    @Test
    void rowsAreReplacedAndInsertedEachIfItIsAsExpected() throws Exception {
        TenureRow member = new TenureRow("http://a:8080", 0, 5_000_000_000L, "m");
        List<Write> writes = List.of(
                write(0, FREE, row(0, "x")),
                write(1, new TenureRow("", 0, 0, "other token"), row(1, "x")),
                write(2, FREE, row(2, "x")),
                write(SectionStore.FIRST_MEMBER, null, member));

        assertThat(store.write("messages", writes)).containsExactly(true, false, true, true);
        assertThat(store.read("messages"))
                .containsEntry(0, row(0, "x"))
                .containsEntry(1, FREE)
                .containsEntry(2, row(2, "x"))
                .containsEntry(SectionStore.FIRST_MEMBER, member);
        assertThat(store.write("messages", writes)).as("sent again").containsExactly(false, false, false, false);
        assertThat(store.write("messages", List.of(write(3, FREE, row(3, "x")))))
                .as("no such row")
                .containsExactly(false);
        assertThat(store.write("messages", List.of())).isEmpty();
    }

    /** As after a backup was restored, and another process has written as many times since. */
    @Test
    void anotherRowWithTheSameVersionIsNotReplaced() throws Exception {
        String node = path + "/messages/0";
        assertThat(store.write("messages", List.of(write(0, FREE, row(0, "x")))))
                .containsExactly(true);
        int version = curator.checkExists().forPath(node).getVersion();
        curator.delete().forPath(node);
        curator.create().forPath(node, "0 0 first".getBytes(StandardCharsets.UTF_8));
        curator.setData().forPath(node, "10000 5000000000 y b".getBytes(StandardCharsets.UTF_8));
        assertThat(curator.checkExists().forPath(node).getVersion()).isEqualTo(version);

        assertThat(store.write("messages", List.of(write(0, row(0, "x"), row(0, "z")))))
                .containsExactly(false);
        assertThat(store.read("messages")).containsEntry(0, new TenureRow("b", 10_000, 5_000_000_000L, "y"));
    }

    @Test
    void aServerThatDoesNotAnswerIsWaitedForUpToTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ZooKeeperSectionStore waiting = store("127.0.0.1:" + silent.getLocalPort(), Duration.ofMillis(300))) {
            assertThatThrownBy(() -> waiting.read("messages"))
                    .isInstanceOf(TenureStoreException.class)
                    .hasMessage(waiting.label() + " said: no answer within 300 ms");
        }
    }

    @Test
    void callsEndWhenTheStoreIsCut() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ZooKeeperSectionStore waiting = store("127.0.0.1:" + silent.getLocalPort(), Duration.ofMinutes(2))) {
            CompletableFuture<Map<Integer, TenureRow>> rows = CompletableFuture.supplyAsync(() -> {
                try {
                    return waiting.read("messages");
                } catch (TenureStoreException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            // The client has connected, and waits.
            silent.accept();
            waiting.cut();

            assertThatThrownBy(() -> rows.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("Closed");
            assertThatThrownBy(() -> waiting.read("messages"))
                    .isInstanceOf(TenureStoreException.class)
                    .hasMessage(waiting.label() + " said: Closed");
        }
    }
}
