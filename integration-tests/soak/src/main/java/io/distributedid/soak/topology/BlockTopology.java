package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incidents.Group;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The settings, with some in place of others. */
    final Map<String, String> with(String... namesAndValues) {
        Map<String, String> changed = new HashMap<>(settings);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return changed;
    }

    @Override
    public List<Map<String, String>> wrongSettings() {
        return List.of();
    }

    @Override
    public int counters() {
        return 1;
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

    @Override
    public Optional<String> statement() {
        return Optional.empty();
    }

    @Override
    public boolean restartsServers() {
        return true;
    }

    @Override
    public boolean restoresBackups() {
        return false;
    }

    @Override
    public Map<Fault, Special> specials() {
        return Map.of();
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }
}
