package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Incidents.Group;
import io.distributedid.testkit.JavaProcess;
import io.distributedid.testkit.Ports;
import io.distributedid.testkit.ProgramServer;
import io.distributedid.testkit.ProgramServer.Greeting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Snowflake ids whose worker numbers are leased from an ensemble of three ZooKeeper servers. There are few numbers, so
 * that they often go from one process to another, and few bits of sequence, so that two processes with one number would
 * give the same id before long.
 */
final class LeasedSnowflake implements Topology {

    private static final int SERVERS = 3;

    private static final Duration WINDOW = Duration.ofSeconds(2);

    /** The clock of an application may be off by that much before its number is refused. */
    private static final Duration SKEW = WINDOW.dividedBy(4);

    private static final String LAYOUT = "distributedid.snowflake.layout";

    private final List<Node> nodes;

    private final Map<String, String> settings;

    private LeasedSnowflake(List<Node> nodes) {
        this.nodes = nodes;
        this.settings = Map.of(
                "distributedid.backend",
                "snowflake",
                LAYOUT,
                "time(10ms):41, worker:3, sequence:7",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.store",
                "zookeeper",
                "distributedid.snowflake.lease.zookeeper",
                nodes.stream().map(node -> "127.0.0.1:" + node.proxy().port()).collect(Collectors.joining(",")),
                "distributedid.snowflake.lease.window",
                WINDOW.toString(),
                "distributedid.timeout",
                "500ms");
    }

    static Topology start(Path folder) throws Exception {
        List<Integer> quorum = ports();
        List<Integer> election = ports();
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= SERVERS; i++) {
            int id = i;
            nodes.add(new Node(
                    "ZooKeeper " + i,
                    ProgramServer.prepare(
                            folder.resolve("zookeeper" + i),
                            (data, port) -> command(data, port, id, quorum, election),
                            Greeting.NONE)));
        }
        for (Node node : nodes) {
            node.restart();
        }
        return new LeasedSnowflake(nodes);
    }

    private static List<Integer> ports() {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            ports.add(Ports.take());
        }
        return ports;
    }

    private static List<String> command(Path data, int port, int id, List<Integer> quorum, List<Integer> election)
            throws IOException {
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=500",
                "initLimit=20",
                "syncLimit=6",
                "dataDir=" + data,
                "clientPortAddress=127.0.0.1",
                "clientPort=" + port,
                "admin.enableServer=false"));
        for (int i = 0; i < SERVERS; i++) {
            lines.add("server." + (i + 1) + "=127.0.0.1:" + quorum.get(i) + ":" + election.get(i));
        }
        Path config = Files.write(data.resolve("zoo.cfg"), lines);
        return JavaProcess.command("96m", "org.apache.zookeeper.server.quorum.QuorumPeerMain", config);
    }

    @Override
    public List<Node> nodes() {
        return nodes;
    }

    /** A majority is enough. But if the leader fails, no server answers until another one is elected. */
    @Override
    public List<Group> groups() {
        return List.of(new Group(nodes.stream().map(Node::name).collect(Collectors.toSet()), SERVERS));
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public Map<String, String> differentSettings() {
        return with("distributedid.snowflake.lease.window", "4s", "distributedid.snowflake.max_ahead", "50ms");
    }

    /** Other layouts put the same number into other bits. */
    @Override
    public List<Map<String, String>> wrongSettings() {
        return List.of(
                with(LAYOUT, "time(10ms):41, worker:4, sequence:6"),
                with("distributedid.snowflake.epoch", "2024-01-02T00:00:00Z"));
    }

    @Override
    public boolean isCounted() {
        return false;
    }

    /**
     * Ids of two processes are in order up to the difference of their clocks. A clock that is set far forward is
     * bounded by the window that the process has: of a window's length (4 s with different settings), from half of it
     * on.
     */
    @Override
    public Duration bound() {
        return WINDOW.multipliedBy(2).plus(SKEW.multipliedBy(4)).plusMillis(200);
    }

    /** A process that is refused looks again after a moment; a majority needs a moment to elect its leader. */
    @Override
    public Duration grace() {
        return Duration.ofSeconds(8);
    }

    /**
     * One of three that went back would be brought up to date by the others, and a majority that did is a lost store.
     */
    @Override
    public boolean restoresBackups() {
        return false;
    }
}
