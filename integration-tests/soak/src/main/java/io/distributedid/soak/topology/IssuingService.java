package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Incidents.Group;
import io.distributedid.testkit.JavaProcess;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.ProgramServer;
import io.distributedid.testkit.ProgramServer.Greeting;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Two issuing services over one MySQL server with a sequence table. Applications have no database. */
final class IssuingService extends BlockTopology {

    private static final String MAIN = "io.distributedid.server.Main";

    private IssuingService(List<Node> nodes) {
        super(
                nodes,
                Map.of(
                        "distributedid.backend",
                        "remote",
                        "distributedid.remote.servers",
                        nodes.stream()
                                .skip(1)
                                .map(node -> "http://127.0.0.1:" + node.proxy().port())
                                .collect(Collectors.joining(", "))));
    }

    static Topology start(Path folder) throws IOException {
        List<Node> nodes = new ArrayList<>();
        Node store = new Node("MySQL", MySqlServer.start(folder.resolve("store")));
        nodes.add(store);
        for (int i = 1; i <= 2; i++) {
            nodes.add(new Node(
                    "service " + i,
                    ProgramServer.start(
                            folder.resolve("service" + i), (data, port) -> command(data, port, store), Greeting.NONE)));
        }
        return new IssuingService(nodes);
    }

    private static List<String> command(Path data, int port, Node store) throws IOException {
        Path config = data.resolve("ids.properties");
        Files.write(
                config,
                List.of(
                        "distributedid.backend=sequence_table",
                        "distributedid.sequence_table.servers="
                                + store.proxied(((MySqlServer) store.server()).jdbcUrl("ids")),
                        "distributedid.create_tables=true",
                        "distributedid.block.max_age=1s",
                        "distributedid.server.sequences=photos",
                        "distributedid.server.drain=2s",
                        "distributedid.server.port=" + port));
        return List.of(
                JavaProcess.java(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                program() + File.pathSeparator + JavaProcess.jarOf("com.mysql.cj.jdbc.Driver"),
                MAIN,
                "--config=" + config);
    }

    /** The packed program. */
    private static Path program() throws IOException {
        Path folder = Path.of(System.getProperty("soak.home", "target"), "service");
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith("-server.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No program in " + folder));
        }
    }

    /** The store, and one of the services. */
    @Override
    public List<Group> groups() {
        Set<String> services = Stream.of(1, 2).map(i -> "service " + i).collect(Collectors.toSet());
        return List.of(new Group(Set.of("MySQL"), 1), new Group(services, 1));
    }
}
