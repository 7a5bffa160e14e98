package io.distributedid.soak.topology;

import io.distributedid.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One Redis server that writes each change to its disk. A counter is raised after each of its starts. */
final class Redis extends BlockTopology {

    private static final String SERVERS = "distributedid.redis.servers";

    private Redis(Node node) {
        super(List.of(node), Map.of("distributedid.backend", "redis", SERVERS, node.proxied(url(node))));
    }

    private static String url(Node node) {
        return ((RedisServer) node.server()).url();
    }

    static Topology start(Path folder) throws IOException {
        return new Redis(new Node("Redis", RedisServer.start(folder.resolve("redis"))));
    }

    /** The same server under two names, as if ids were divided between two. */
    @Override
    public List<Map<String, String>> wrongSettings() {
        return List.of(withMore(SERVERS, Topology.alias(settings().get(SERVERS))));
    }

    /** To a process that starts, an older copy looks like a restart, so an operator repairs it. */
    @Override
    public boolean restoresBackups() {
        return true;
    }

    @Override
    public void repair(long largest) {
        repair(SERVERS, url(nodes().get(0)), largest);
    }
}
