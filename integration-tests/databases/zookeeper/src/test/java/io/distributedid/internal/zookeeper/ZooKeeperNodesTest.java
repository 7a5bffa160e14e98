package io.distributedid.internal.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.zookeeper.ZooKeeperNodes.Change;
import io.distributedid.internal.zookeeper.ZooKeeperNodes.Node;
import io.distributedid.testkit.StartedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StartedServers.class)
class ZooKeeperNodesTest {

    private static final String ABOVE = "/above/all";

    private static TestingServer server;

    private static ZooKeeperNodes<IllegalStateException> nodes;

    @BeforeAll
    static void start() throws Exception {
        server = StartedServers.add(new TestingServer(true));
        nodes = new ZooKeeperNodes<>(
                new ZooKeeperPlace(server.getConnectString(), ABOVE, Optional.empty()),
                Duration.ofSeconds(25),
                IllegalStateException::new);
    }

    @AfterAll
    static void stop() throws Exception {
        nodes.close();
    }

    private static List<Change> created(String node) {
        return List.of(
                new Change(node, "", null), new Change(node + "/1", "one", null), new Change(node + "/2", "two", null));
    }

    private static List<Boolean> change(Change... changes) throws Exception {
        return nodes.change(List.of(), found -> List.of(changes));
    }

    @Test
    void nodesAreCreatedTogetherAndReadTogetherAndMissingOnesHaveNoEntry() throws Exception {
        String node = ABOVE + "/read";
        assertThat(nodes.children(node, false)).isEmpty();
        assertThat(nodes.children(node, true)).isEmpty();
        assertThat(nodes.create(ABOVE, created(node))).isTrue();
        assertThat(nodes.create(ABOVE, created(node))).isFalse();

        assertThat(nodes.children(node, false)).containsExactlyInAnyOrder("1", "2");
        assertThat(nodes.children(node, true)).containsExactlyInAnyOrder("1", "2");
        assertThat(nodes.read(List.of(node + "/1", node + "/3", node + "/2")))
                .isEqualTo(Map.of(node + "/1", new Node("one", 0), node + "/2", new Node("two", 0)));
        assertThat(nodes.read(List.of())).isEmpty();
    }

    @Test
    void ifOneNodeHasAnotherVersionNoneOfTheTransactionIsChanged() throws Exception {
        String node = ABOVE + "/change";
        nodes.create(ABOVE, created(node));

        assertThat(change(new Change(node + "/1", "uno", 0), new Change(node + "/2", "due", 1)))
                .containsExactly(false, false);
        assertThat(change(new Change(node + "/1", "uno", 0), new Change(node + "/2", "due", null)))
                .containsExactly(false, false);
        assertThat(nodes.read(List.of(node + "/1", node + "/2")))
                .isEqualTo(Map.of(node + "/1", new Node("one", 0), node + "/2", new Node("two", 0)));
        assertThat(change(new Change(node + "/1", "uno", 0), new Change(node + "/3", "tre", null)))
                .containsExactly(true, true);
        assertThat(nodes.read(List.of(node + "/1", node + "/3")))
                .isEqualTo(Map.of(node + "/1", new Node("uno", 1), node + "/3", new Node("tre", 0)));
    }

    /** ZooKeeper would replace the node whatever its version is. */
    @Test
    void theVersionThatStandsForAnyIsRefused() {
        assertThatThrownBy(() -> change(new Change(ABOVE, "", -1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(ABOVE + " on " + server.getConnectString()
                        + " said: the version of a node is -1, which stands for any version: node=" + ABOVE
                        + ". Write its content once more, as it is");
    }
}
