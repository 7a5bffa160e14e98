package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Two MySQL servers with a ticket table each. The second one has a small file system of its own, if it may. */
final class TicketPair extends BlockTopology {

    private static final String SCHEMA = "tickets";

    private static final int MEGABYTES = 400;

    private final Optional<SmallDisk> disk;

    private TicketPair(List<Node> nodes, Optional<SmallDisk> disk) {
        super(
                nodes,
                Map.of(
                        "distributedid.backend",
                        "ticket",
                        "distributedid.ticket.servers",
                        nodes.stream()
                                .map(node -> node.proxied(((MySqlServer) node.server()).jdbcUrl(SCHEMA)))
                                .collect(Collectors.joining(", ")),
                        "distributedid.create_tables",
                        "true"));
        this.disk = disk;
    }

    static Topology start(Path folder) throws IOException {
        Optional<SmallDisk> disk = SmallDisk.mount(folder.resolve("disk"), MEGABYTES);
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node("MySQL 1", start(folder.resolve("mysql1"), 1)));
        nodes.add(new Node(
                "MySQL 2", start(disk.map(SmallDisk::folder).orElse(folder).resolve("mysql2"), 2)));
        return new TicketPair(nodes, disk);
    }

    private static MySqlServer start(Path folder, int offset) {
        return MySqlServer.start(folder, "--auto-increment-increment=2", "--auto-increment-offset=" + offset);
    }

    @Override
    public List<Map<String, String>> wrongSettings() {
        String first = settings().get("distributedid.ticket.servers").split(", ")[0];
        return List.of(
                with("distributedid.ticket.numbering", "client", "distributedid.ticket.increment", "10"),
                with("distributedid.ticket.servers", first + ", " + Topology.alias(first)));
    }

    @Override
    public int counters() {
        return nodes().size();
    }

    @Override
    public Optional<String> statement() {
        return Optional.of("COMMIT");
    }

    @Override
    public boolean restoresBackups() {
        return true;
    }

    @Override
    public Map<Fault, Special> specials() {
        return disk.<Map<Fault, Special>>map(each -> Map.of(Fault.DISK_FULL, new FullDisk(each, nodes().get(1))))
                .orElse(Map.of());
    }

    @Override
    public void close() {
        super.close();
        disk.ifPresent(SmallDisk::close);
    }
}
