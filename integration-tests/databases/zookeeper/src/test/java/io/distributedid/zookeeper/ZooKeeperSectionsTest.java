package io.distributedid.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.SectionPlace;
import io.distributedid.testkit.SectionsContract;
import io.distributedid.testkit.StartedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(StartedServers.class)
class ZooKeeperSectionsTest extends SectionsContract {

    private static final AtomicInteger PLACES = new AtomicInteger();

    private static final String SECTIONS = "distributedid.keyed.section.sections";

    private static final String TIMEOUT = "distributedid.timeout";

    private static final String CALLER_TIMEOUT = "distributedid.block.timeout";

    @TempDir
    Path data;

    @Override
    protected SectionPlace newPlace() {
        return place();
    }

    private static ZooKeeperSectionPlace place() {
        return new ZooKeeperSectionPlace(
                ZooKeeper.server().getConnectString(), "/test/sections" + PLACES.incrementAndGet());
    }

    @Test
    void aServerThatWasRestoredFromABackupIsNoticed() throws Exception {
        Path live = Files.createDirectory(data.resolve("live"));
        Path backup = data.resolve("backup");
        InstanceSpec spec = new InstanceSpec(live.toFile(), -1, -1, -1, false, -1, 200, -1);
        TestingServer server = StartedServers.add(new TestingServer(spec, true));
        ZooKeeperSectionPlace place = new ZooKeeperSectionPlace(server.getConnectString(), "/sections");
        try (DistributedIds ids = open(place, "a", SECTIONS, "1", TIMEOUT, "500ms")) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(7)).isEqualTo(1);
            server.stop();
            copy(live, backup);
            server.restart();
            messages.next(7, 10_000);
            assertThat(messages.next(7, 10_000)).endsWith(20_001);
            server.stop();
            delete(live);
            copy(backup, live);
            server.restart();

            Await.until("it is noticed", () -> {
                try {
                    return messages.next(7) < 0;
                } catch (IdUnavailableException e) {
                    assertThat(e)
                            .hasMessageContaining(
                                    "The store was set back, and numbers could be given twice:" + " max_number=");
                    return true;
                }
            });
            // As the page of numbers per key says.
            place.set(0, "1000000 0 restored");
            Await.until("it goes on", () -> {
                try {
                    return messages.next(7) > 1_000_000;
                } catch (IdUnavailableException e) {
                    return false;
                }
            });
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(each -> {
                try {
                    Files.delete(each);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    void nodesBelongToTheUserThatMadeThemAndAPasswordIsInNoMessage() {
        ZooKeeperSectionPlace place = place();
        Object[] mine = {"distributedid.keyed.section.user", "app", "distributedid.keyed.section.password", "secret"};
        Object[] wrong = {
            "distributedid.keyed.section.user",
            "app",
            "distributedid.keyed.section.password",
            "hidden",
            CALLER_TIMEOUT,
            "500ms"
        };
        try (DistributedIds ids = open(place, "a", mine);
                DistributedIds stranger = open(place, "b", CALLER_TIMEOUT, "500ms");
                DistributedIds mistaken = open(place, "c", wrong)) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);

            assertThatThrownBy(() -> stranger.keyed("messages").next(7))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(place.path() + " on " + place.servers() + " said: KeeperErrorCode = NoAuth");
            assertThatThrownBy(() -> mistaken.keyed("messages").next(7))
                    .hasStackTraceContaining("NoAuth")
                    .satisfies(error -> assertThat(error.toString()).doesNotContain("hidden"));
        }
    }

    @Test
    void serversMayHaveAChroot() throws Exception {
        String server = ZooKeeper.server().getConnectString();
        ZooKeeperSectionPlace.as(server, curator -> curator.create().forPath("/root"));
        ZooKeeperSectionPlace below = new ZooKeeperSectionPlace(server + "/root", "/sections");
        try (DistributedIds ids = open(below, "a", "distributedid.keyed.section.order", "confirmed")) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
            assertThat(ids.keyed("messages").next(7, 10_000)).endsWith(10_001);
        }
        assertThat(new ZooKeeperSectionPlace(server, "/root/sections").owners()).hasSize(8);
    }

    /** One for each row would be 3,000 and more. */
    @Test
    void aThousandSectionsTakeFewRequests() throws Exception {
        TestingServer server = StartedServers.add(new TestingServer(true));
        ZooKeeperSectionPlace place = new ZooKeeperSectionPlace(server.getConnectString(), "/sections");
        long requests;
        try (DistributedIds ids = open(place, "a", SECTIONS, "1000")) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
            requests = requests(server);
        }
        assertThat(requests).as("to claim them").isLessThan(300);
        assertThat(requests(server) - requests).as("to hand them over").isLessThan(300);
        assertThat(place.owners()).hasSize(1_000).doesNotContainValue("a");
    }

    private static long requests(TestingServer server) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            Matcher received = Pattern.compile("Received: (\\d+)").matcher(answer);
            assertThat(received.find()).as(answer).isTrue();
            return Long.parseLong(received.group(1));
        }
    }

    @Test
    void theFirstRowsOfTheMostSectionsFitATransactionUnlessThePathIsVeryLong() {
        String longest = "m".repeat(50);
        try (DistributedIds ids = open(place(), "a", SECTIONS, "4096")) {
            assertThat(ids.keyed(longest).next(7)).isEqualTo(1);
        }
        ZooKeeperSectionPlace deep =
                new ZooKeeperSectionPlace(ZooKeeper.server().getConnectString(), "/deep".repeat(40));
        try (DistributedIds ids = open(deep, "a", SECTIONS, "4096")) {
            assertThatThrownBy(() -> ids.keyed(longest).next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The first rows of a sequence must fit a transaction of ZooKeeper: seq="
                            + longest + " distributedid.keyed.section.sections=4096 distributedid.keyed.section.path="
                            + deep.path() + " take ")
                    .hasMessageEndingWith(" bytes, allowed: 1000000. Set a shorter path, or fewer sections");
        }
    }

    @Test
    void nodesThatAreNoRowsAreRefused() throws Exception {
        ZooKeeperSectionPlace place = place();
        try (DistributedIds ids = open(place, "a", SECTIONS, "1")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(7);
            place.set(0, "1000000");
            awaitRefusal(
                    messages,
                    "A node holds no row of the library: node=" + place.node(0) + " on " + place.servers()
                            + " content='1000000', allowed: max_number lease_nanos token owner");
            place.set(0, "1000000 0 mended");
            ZooKeeperSectionPlace.as(
                    place.servers(), curator -> curator.create().forPath(place.path() + "/messages/seven"));
            awaitRefusal(
                    messages,
                    "A node is not one of the library: node=" + place.path() + "/messages/seven, allowed: numbers."
                            + " Delete it, or set another distributedid.keyed.section.path");
        }
    }

    private static void awaitRefusal(KeyedSequence messages, String message) {
        Await.until("it is refused", () -> {
            try {
                return messages.next(7) < 0;
            } catch (IdConfigurationException e) {
                return e.getMessage().contains(message);
            }
        });
    }

    @Test
    void deletedRowsOfASequenceAreNoticedAtTheStart() throws Exception {
        ZooKeeperSectionPlace place = place();
        try (DistributedIds ids = open(place, "a")) {
            ids.keyed("messages").next(7);
        }
        ZooKeeperSectionPlace.as(place.servers(), curator -> {
            for (String row : List.copyOf(curator.getChildren().forPath(place.path() + "/messages"))) {
                curator.delete().forPath(place.path() + "/messages/" + row);
            }
            return true;
        });
        try (DistributedIds ids = open(place, "a")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The store of a sequence has lost rows: the record is missing");
        }
    }
}
