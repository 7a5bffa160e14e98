package io.distributedid.backend.redis;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.Write;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A connection to Redis with its counters. Each look, draw and change of a counter is one run of a script, and all
 * those of one call are one trip. A block of ids takes
 *
 * <pre>
 * INFO replication                                            compare master_replid with that of the last look
 * HMGET distributedid:{photos}:ledger version state number    compare version and state
 * GET distributedid:{photos}                                  must not lie below the number, nor too far ahead
 * INCRBY distributedid:{photos} 1000
 * HSET distributedid:{photos}:ledger number ...               so that a counter that was set back is noticed
 * </pre>
 *
 * <p>For one thread at a time.
 */
final class RedisSession implements CounterSession {

    private static final String REFUSED = "refused";

    private static final String BEYOND = "beyond ";

    private final RedisCalls calls;

    private final Numbering numbering;

    private final boolean isCluster;

    /** The replication ids of the first look: of a cluster by key, else of the only server. */
    private final Map<String, String> servers = new HashMap<>();

    RedisSession(RedisCalls calls, Numbering numbering, boolean isCluster) {
        this.calls = calls;
        this.numbering = numbering;
        this.isCluster = isCluster;
    }

    /** There is nothing to create before the first change. */
    @Override
    public Map<CounterKey, Seen> look(Collection<CounterKey> counters, boolean forChanges) throws SQLException {
        List<CounterKey> keys = List.copyOf(counters);
        List<List<?>> answers = calls.run(
                RedisScript.LOOK,
                keys.stream().map(key -> new RedisCalls.Call(key, List.of())).toList());
        Map<CounterKey, Seen> seen = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            RedisLook look = RedisLook.of(answers.get(i));
            look.requireMaster(calls.label(), isCluster);
            String known = servers.putIfAbsent(server(keys.get(i)), look.replicationId());
            if (known != null && !known.equals(look.replicationId())) {
                throw anotherServer(keys.get(i));
            }
            seen.put(keys.get(i), look.seen(keys.get(i), numbering, calls.label()));
        }
        return seen;
    }

    private String server(CounterKey counter) {
        return isCluster ? counter.table() : "";
    }

    /** A run of a script that writes, with the arguments that all of those begin with. */
    private RedisCalls.Call call(CounterKey counter, List<String> more) {
        long step = numbering.increment();
        List<String> arguments = new ArrayList<>(List.of(
                requireNonNull(servers.get(server(counter)), "a look comes first"),
                Long.toString(step),
                Long.toString(numbering.offset() % step)));
        arguments.addAll(more);
        return new RedisCalls.Call(counter, arguments);
    }

    private List<String> run(RedisScript<String> script, List<RedisCalls.Call> sent) throws SQLException {
        List<String> results = calls.run(script, sent);
        int moved = results.indexOf("moved");
        if (moved >= 0) {
            throw anotherServer(sent.get(moved).counter());
        }
        return results;
    }

    /** A new connection is needed: only that looks at the server again. */
    private RedisFailure anotherServer(CounterKey counter) {
        return new RedisFailure("The connection now leads to another server, or to a promoted replica: " + counter
                + " on " + calls.label() + ". It is reopened");
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> all) throws SQLException {
        long most = Long.MAX_VALUE / numbering.increment();
        List<Draw> draws = all.stream()
                .map(each -> each.wanting(Math.min(each.wanted(), most)))
                .toList();
        List<String> results =
                run(RedisScript.DRAW, draws.stream().map(this::drawing).toList());
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            drawn.put(draws.get(i).counter(), drawn(draws.get(i), results.get(i)));
        }
        return drawn;
    }

    private RedisCalls.Call drawing(Draw draw) {
        long step = numbering.increment();
        long amount = draw.wanted() * step;
        List<String> arguments = new ArrayList<>(List.of(
                draw.version().toString(),
                Long.toString(Math.max(0, draw.known() - step + 1)),
                Long.toString(draw.furthest() - amount),
                Long.toString(amount)));
        draw.notes()
                .forEach((offset, last) -> arguments.addAll(List.of(RedisChange.note(offset), Long.toString(last))));
        return call(draw.counter(), arguments);
    }

    private Drawn drawn(Draw draw, String result) throws SQLException {
        if (result.equals(REFUSED)) {
            return Drawn.REFUSED;
        }
        long step = numbering.increment();
        if (!result.startsWith(BEYOND)) {
            long first = Long.parseLong(result) - (draw.wanted() - 1) * step;
            return Drawn.of(new Block(first, step, draw.wanted()));
        }
        long last = Long.parseLong(result.substring(BEYOND.length()));
        Drawn judged = draw.judge(numbering, 0, last, Long.MAX_VALUE);
        Block block = judged.block();
        return block == null
                ? judged
                : requireNonNull(draw(List.of(draw.wanting(block.count()))).get(draw.counter()));
    }

    @Override
    public Set<Write> write(List<Write> writes) throws SQLException {
        List<String> results = run(
                RedisScript.CHANGE,
                writes.stream()
                        .map(each -> call(each.change().counter(), RedisChange.arguments(each, numbering)))
                        .toList());
        Set<Write> made = new HashSet<>(writes);
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i).equals(REFUSED)) {
                made.remove(writes.get(i));
            }
        }
        return made;
    }
}
