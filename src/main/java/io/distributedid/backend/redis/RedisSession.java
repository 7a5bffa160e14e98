package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.LastId;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.Return;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.Block;
import io.lettuce.core.RedisFuture;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
            known = ServerInfo.of(calls, List.of(key.counter()), isCluster).get(0);
            server = isCluster ? null : known;
        }
        return known;
    }

    /** Nothing is created before the first change. */
    @Override
    public RedisCounter openToRead(RedisKey key) throws SQLException {
        return open(key);
    }

    /** Asks a cluster where each key is, in one trip. */
    @Override
    public List<RedisKey> openTogether(List<RedisKey> keys) throws SQLException {
        List<RedisKey> missing =
                keys.stream().filter(key -> !counters.containsKey(key)).toList();
        if (isCluster && !missing.isEmpty()) {
            List<ServerInfo> servers =
                    ServerInfo.of(calls, missing.stream().map(RedisKey::counter).toList(), isCluster);
            for (int i = 0; i < missing.size(); i++) {
                counters.put(missing.get(i), new RedisCounter(calls, missing.get(i), numbering, servers.get(i)));
            }
        }
        for (RedisKey key : missing) {
            RedisCounter unused = open(key);
        }
        return keys;
    }

    @Override
    public Map<RedisKey, RecordRows> recordsTogether(List<RedisKey> keys) throws SQLException {
        Iterator<RedisFuture<Map<String, String>>> sent = calls.together(
                        keys, key -> calls.commands().hgetall(key.record()))
                .iterator();
        Map<RedisKey, RecordRows> records = new LinkedHashMap<>();
        for (RedisKey key : keys) {
            records.put(key, open(key).record().rows(calls.answer(sent.next())));
        }
        return records;
    }

    @Override
    public Map<RedisKey, LastId> lastTogether(List<RedisKey> keys) throws SQLException {
        Iterator<RedisFuture<String>> sent =
                calls.together(keys, key -> calls.commands().get(key.counter())).iterator();
        Map<RedisKey, LastId> last = new LinkedHashMap<>();
        for (RedisKey key : keys) {
            last.put(key, new LastId(open(key).last(calls.answer(sent.next())), 0));
        }
        return last;
    }

    /** Each in a transaction of its own, all of them in two trips. */
    @Override
    public boolean changesTogether(RedisKey key) {
        return true;
    }

    @Override
    public <T> Map<RedisKey, T> inTransactions(Map<RedisKey, StoredCounter.Work<T>> works) throws SQLException {
        List<RedisCounter> opened = new ArrayList<>();
        for (RedisKey key : works.keySet()) {
            opened.add(open(key));
        }
        Iterator<RedisCounter.Asked> asked =
                calls.together(opened, RedisCounter::ask).iterator();
        Map<RedisKey, T> results = new LinkedHashMap<>();
        Map<RedisKey, RedisCalls.Call> changes = new LinkedHashMap<>();
        for (Map.Entry<RedisKey, StoredCounter.Work<T>> each : works.entrySet()) {
            RedisCounter counter = open(each.getKey());
            Draft draft = counter.begin(asked.next());
            try {
                results.put(each.getKey(), each.getValue().run());
                if (draft.isChanged()) {
                    changes.put(each.getKey(), counter.change(draft));
                }
            } catch (SQLException e) {
                if (!SqlErrors.isDuplicateKey(e)) {
                    throw e;
                }
            } finally {
                counter.record().end();
            }
        }
        Map<RedisKey, StoredCounter.Work<T>> again = new LinkedHashMap<>();
        Iterator<String> made =
                calls.run(RedisScript.CHANGE, List.copyOf(changes.values())).iterator();
        for (RedisKey key : changes.keySet()) {
            if (!open(key).isMade(made.next())) {
                results.remove(key);
                again.put(key, Objects.requireNonNull(works.get(key)));
            }
        }
        results.putAll(CounterSession.super.inTransactions(again));
        return results;
    }

    @Override
    public void giveBack(Map<RedisKey, Return> returns, Consumer<RedisKey> returned) throws SQLException {
        Map<RedisKey, StoredCounter.Work<Boolean>> works = new LinkedHashMap<>();
        for (Map.Entry<RedisKey, Return> each : returns.entrySet()) {
            works.put(each.getKey(), each.getValue().to(open(each.getKey())));
        }
        inTransactions(works).forEach((key, isReturned) -> {
            if (isReturned) {
                returned.accept(key);
            }
        });
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
}
