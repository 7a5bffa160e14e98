package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.Link;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Connects to one server, with a client of its own for each connection: its threads end with the connection. The client
 * never reconnects by itself, because another server may answer then, and must be checked first.
 */
record RedisSource(RedisAddress address, Numbering numbering, RedisSettings.Durability durability)
        implements Link.Source<CounterSession> {

    @Override
    public String label() {
        return address.label();
    }

    @Override
    public Link<CounterSession> connect(Duration atMost) throws SQLException {
        ClientResources resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        boolean succeeded = false;
        try {
            RedisLink link = address.isCluster() ? cluster(resources, atMost) : single(resources, atMost);
            succeeded = true;
            return link;
        } catch (RedisException e) {
            throw failure(e);
        } finally {
            if (!succeeded) {
                RedisLink.shutDown(resources);
            }
        }
    }

    private RedisLink single(ClientResources resources, Duration atMost) {
        RedisURI uri = address.within(atMost).get(0);
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(configured(ClientOptions.builder(), atMost).build());
        StatefulRedisConnection<String, String> connection = client.connect();
        RedisCalls calls = new RedisCalls(connection, connection.async(), label(), atMost);
        return new RedisLink(this, resources, connection, calls, List.of(calls));
    }

    private RedisLink cluster(ClientResources resources, Duration atMost) {
        RedisClusterClient client = RedisClusterClient.create(resources, address.within(atMost));
        client.setOptions((ClusterClientOptions)
                configured(ClusterClientOptions.builder(), atMost).build());
        StatefulRedisClusterConnection<String, String> connection = client.connect();
        RedisCalls calls = new RedisCalls(null, connection.async(), label(), atMost);
        List<RedisCalls> masters = new ArrayList<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty()) {
                RedisURI uri = node.getUri();
                StatefulRedisConnection<String, String> master = connection.getConnection(node.getNodeId());
                String name = label() + " node=" + uri.getHost() + ":" + uri.getPort();
                masters.add(new RedisCalls(master, master.async(), name, atMost));
            }
        }
        return new RedisLink(this, resources, connection, calls, masters);
    }

    private ClientOptions.Builder configured(ClientOptions.Builder options, Duration atMost) {
        options.autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(atMost)
                        .keepAlive(true)
                        .build());
        address.trust()
                .ifPresent(trust -> options.sslOptions(
                        SslOptions.builder().trustManager(trust).build()));
        return options;
    }

    /** Of what Lettuce wraps, the answer of the server or the failure of the network says most. */
    private SQLException failure(RedisException e) {
        Throwable reason = behind(e)
                .filter(each -> each instanceof RedisCommandExecutionException || each instanceof IOException)
                .reduce((outer, inner) -> inner)
                .orElse(e);
        if (reason instanceof RedisCommandExecutionException refused) {
            return RedisFailure.answer(label(), refused);
        }
        String check = reason instanceof SSLException
                ? "distributedid.redis.trust, and that the certificate names the host"
                : "that the server runs, and its host and port in distributedid.redis.servers";
        return new RedisFailure("No connection: " + label() + ": " + FailureText.of(reason) + ". Check " + check, e);
    }

    /** A failure, its causes, and those of each server of a cluster, which Lettuce adds as suppressed ones. */
    private static Stream<Throwable> behind(Throwable e) {
        return Stream.of(
                        Stream.of(e),
                        Arrays.stream(e.getSuppressed()).flatMap(RedisSource::behind),
                        Stream.ofNullable(e.getCause()).flatMap(RedisSource::behind))
                .flatMap(each -> each);
    }
}
