package io.distributedid.soak.topology;

import io.distributedid.DistributedIds;
import io.distributedid.soak.fault.Incidents.Group;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Ids that are counted by servers, and reserved in blocks. Several servers divide them, and any of them is enough. */
abstract class BlockTopology implements Topology {

    private static final Duration MAX_AGE = Duration.ofSeconds(2);

    /** The age of blocks is looked at from time to time, and a fetch may have to be repeated at another server. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    private final List<Node> nodes;

    private final Map<String, String> settings;

    BlockTopology(List<Node> nodes, Map<String, String> settings) {
        this.nodes = nodes;
        this.settings = new HashMap<>(settings);
        this.settings.put("distributedid.block.max_age", MAX_AGE.toString());
    }

    /** Repairs the counter as an operator does, on the server itself, which applications can't reach meanwhile. */
    final void repair(String servers, String server, long largest) {
        try (DistributedIds ids = DistributedIds.create(with(servers, server))) {
            ids.admin().repair("photos", largest);
        }
    }

    @Override
    public final List<Node> nodes() {
        return nodes;
    }

    @Override
    public List<Group> groups() {
        return List.of(new Group(nodes.stream().map(Node::name).collect(Collectors.toSet()), 1));
    }

    /** Each server by itself. */
    static List<Group> all(List<Node> nodes) {
        return nodes.stream().map(node -> new Group(Set.of(node.name()), 1)).toList();
    }

    @Override
    public final Map<String, String> settings() {
        return settings;
    }

    @Override
    public final Map<String, String> differentSettings() {
        return with(
                "distributedid.block.max_age", "1s", "distributedid.block.min", "3", "distributedid.block.max", "70");
    }

    @Override
    public final boolean isCounted() {
        return true;
    }

    @Override
    public final Duration bound() {
        return MAX_AGE.plus(LEEWAY);
    }

    @Override
    public Duration grace() {
        return Duration.ofSeconds(5);
    }
}
