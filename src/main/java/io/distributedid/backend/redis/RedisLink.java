package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.jdbc.Link;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A connection to Redis, and its threads. For one thread at a time, apart from {@link #abort}.
 *
 * @param servers those that must be durable: of a cluster its masters
 */
record RedisLink(
        RedisSource source,
        ClientResources resources,
        StatefulConnection<String, String> connection,
        RedisCalls calls,
        List<RedisCalls> servers)
        implements Link<CounterSession> {

    @Override
    public CounterSession open() throws SQLException {
        for (RedisCalls each : servers) {
            DurabilityCheck.require(each, source.durability());
        }
        return new RedisSession(calls, source.numbering(), source.address().isCluster());
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
        abort();
        shutDown(resources);
    }

    static void shutDown(ClientResources resources) {
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
