package io.distributedid.soak.topology;

import io.distributedid.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A sequence table that is divided between two MariaDB servers, numbered by the clients. */
final class MariaDbPair extends BlockTopology {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    private MariaDbPair(List<Node> nodes) {
        super(
                nodes,
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        SERVERS,
                        nodes.stream()
                                .map(node -> node.proxied(((MariaDbServer) node.server()).jdbcUrl("ids")))
                                .collect(Collectors.joining(", ")),
                        "distributedid.create_tables",
                        "true"));
    }

    static Topology start(Path folder) throws IOException {
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            nodes.add(new Node("MariaDB " + i, MariaDbServer.start(folder.resolve("mariadb" + i), "--server-id=" + i)));
        }
        return new MariaDbPair(nodes);
    }

    /** In another order, and one alone. */
    @Override
    public List<Map<String, String>> wrongSettings() {
        String[] servers = settings().get(SERVERS).split(", ");
        return List.of(with(SERVERS, servers[1] + ", " + servers[0]), with(SERVERS, servers[1]));
    }

    @Override
    public int counters() {
        return nodes().size();
    }

    @Override
    public Optional<String> statement() {
        return Optional.of("UPDATE");
    }

    @Override
    public boolean restoresBackups() {
        return true;
    }
}
