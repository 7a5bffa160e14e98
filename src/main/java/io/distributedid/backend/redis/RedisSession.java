package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Writability;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection to Redis with its counters. For one thread at a time. */
final class RedisSession implements CounterSession<RedisKey> {

    private final RedisCalls calls;

    private final Numbering numbering;

    private final boolean isCluster;

    /** The one server; null in a cluster, or if it was not asked yet. */
    private @Nullable ServerInfo server;

    private final Map<RedisKey, RedisCounter> counters = new HashMap<>();

    RedisSession(RedisCalls calls, Numbering numbering, boolean isCluster) {
        this.calls = calls;
        this.numbering = numbering;
        this.isCluster = isCluster;
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public RedisCounter open(RedisKey key) throws SQLException {
        RedisCounter known = counters.get(key);
        if (known == null) {
            known = new RedisCounter(calls, key, numbering, server(key));
            counters.put(key, known);
        }
        return known;
    }

    private ServerInfo server(RedisKey key) throws SQLException {
        ServerInfo known = server;
        if (known == null) {
            known = ServerInfo.of(calls, key.counter(), isCluster);
            server = isCluster ? null : known;
        }
        return known;
    }

    /** Nothing is created before the first change. */
    @Override
    public RedisCounter openToRead(RedisKey key) throws SQLException {
        return open(key);
    }

    /** Each is looked at alone. */
    @Override
    public List<RedisKey> openTogether(List<RedisKey> keys) {
        return List.of();
    }

    /** In one trip. */
    @Override
    public void reserve(Map<RedisKey, Draw> draws, BiConsumer<RedisKey, Block> drawn, Consumer<RedisKey> locked)
            throws SQLException {
        List<RedisKey> keys = new ArrayList<>(draws.keySet());
        List<RedisCalls.Call> sent = new ArrayList<>();
        for (Map.Entry<RedisKey, Draw> each : draws.entrySet()) {
            sent.add(open(each.getKey()).call(each.getValue(), each.getValue().wanted()));
        }
        List<String> results = calls.run(RedisScript.DRAW, sent);
        for (int i = 0; i < keys.size(); i++) {
            RedisKey key = keys.get(i);
            Draw draw = draws.get(key);
            open(key).requireSameServer(results.get(i));
            if (draw != null && RedisCounter.isDrawn(results.get(i))) {
                drawn.accept(key, open(key).block(results.get(i), draw.wanted()));
            }
        }
    }

    @Override
    public boolean takesIdsBack() {
        return true;
    }

    /** A server that became a replica is refused when the connection is opened. */
    @Override
    public Optional<Writability> readOnly() {
        return Optional.empty();
    }
}
