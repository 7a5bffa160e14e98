package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.jdbc.Link;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.resource.ClientResources;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A connection to Redis, and its threads. For one thread at a time, apart from {@link #abort}. */
final class RedisLink implements Link<CounterSession> {

    /** The masters of a cluster, one by one; empty if the server is none. */
    @FunctionalInterface
    interface Masters {

        List<RedisCalls> find() throws SQLException;
    }

    private final RedisSource source;

    private final ClientResources resources;

    private final StatefulConnection<String, String> connection;

    private final RedisCalls calls;

    private final Masters masters;

    RedisLink(
            RedisSource source,
            ClientResources resources,
            StatefulConnection<String, String> connection,
            RedisCalls calls,
            Masters masters) {
        this.source = source;
        this.resources = resources;
        this.connection = connection;
        this.calls = calls;
        this.masters = masters;
    }

    /** Each of them must be durable. */
    static List<RedisCalls> masters(
            StatefulRedisClusterConnection<String, String> cluster, String label, Duration atMost) {
        List<RedisCalls> masters = new ArrayList<>();
        for (RedisClusterNode node : cluster.getPartitions()) {
            if (node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty()) {
                String name = label + " node=" + node.getUri().getHost() + ":"
                        + node.getUri().getPort();
                StatefulRedisConnection<String, String> master = cluster.getConnection(node.getNodeId());
                masters.add(new RedisCalls(master, master.async(), name, atMost));
            }
        }
        return masters;
    }

    @Override
    public CounterSession open() throws SQLException {
        RedisSession session =
                new RedisSession(calls, source.numbering(), source.address().isCluster());
        List<RedisCalls> checked = source.address().isCluster() ? masters.find() : List.of(calls);
        for (RedisCalls each : checked) {
            DurabilityCheck.require(each, source.durability());
        }
        return session;
    }

    @Override
    public boolean isValid(Duration atMost) throws SQLException {
        calls.limit(atMost);
        return "PONG".equals(calls.answer(calls.commands().ping()));
    }

    @Override
    public void limit(Duration atMost) {
        connection.setTimeout(atMost);
        calls.limit(atMost);
    }

    /** Closes the socket; commands under way fail. */
    @Override
    public void abort() {
        var unused = connection.closeAsync();
    }

    @Override
    public void close() {
        var unused = connection.closeAsync();
        shutDown(resources);
    }

    static void shutDown(ClientResources resources) {
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
