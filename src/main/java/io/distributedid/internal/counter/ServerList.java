package io.distributedid.internal.counter;

import io.distributedid.internal.process.Platform;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The servers of one configuration, which divide the numbers of their counters, so that any one of them is enough.
 * Sequences whose settings name the same servers share the connections, and what is known of each counter. Thread-safe.
 */
final class ServerList implements AutoCloseable {

    private final List<CounterServer> servers;

    private final CounterRules rules;

    private final Duration timeout;

    private final Platform platform;

    private final Counters group;

    private final RefusalText text;

    private final Map<CounterKey, CounterMemory> memories = new ConcurrentHashMap<>();

    /** By the name of the table. */
    private final Map<String, Alignment> alignments = new ConcurrentHashMap<>();

    /**
     * @param servers in the order of their places
     * @param timeout of each answer of a server
     */
    ServerList(List<CounterServer> servers, CounterRules rules, Duration timeout, Platform platform) {
        this.servers = servers;
        this.rules = rules;
        this.timeout = timeout;
        this.platform = platform;
        this.group = new Counters(this);
        this.text = new RefusalText(servers.stream().map(CounterServer::label).toList(), rules);
    }

    List<CounterServer> servers() {
        return servers;
    }

    CounterRules rules() {
        return rules;
    }

    /** Of each answer of a server. */
    Duration timeout() {
        return timeout;
    }

    Platform platform() {
        return platform;
    }

    RefusalText text() {
        return text;
    }

    /** The counter of a sequence. Does not connect to any server. */
    Counter counter(CounterKey key, String sequence) {
        return new Counter(memory(key), sequence, group, servers);
    }

    CounterMemory memory(CounterKey key) {
        return memories.computeIfAbsent(key, counter -> new CounterMemory(counter, platform.nanoTime()));
    }

    /** Aligns counters, those of a batch together. One that others have held up for too long has no entry. */
    Map<CounterMemory, Alignment.Outcome> align(Map<CounterMemory, Minimum> minimums, Alignment.Request request)
            throws InterruptedException {
        Map<String, Map<CounterMemory, Minimum>> batches = new LinkedHashMap<>();
        minimums.forEach(
                (memory, minimum) -> batches.computeIfAbsent(memory.counter().batch(), batch -> new LinkedHashMap<>())
                        .put(memory, minimum));
        Map<CounterMemory, Alignment.Outcome> outcomes = new LinkedHashMap<>();
        for (Map.Entry<String, Map<CounterMemory, Minimum>> each : batches.entrySet()) {
            Alignment alignment = alignments.computeIfAbsent(each.getKey(), batch -> new Alignment(this));
            outcomes.putAll(alignment.align(each.getValue(), request));
        }
        return outcomes;
    }

    Counters group() {
        return group;
    }

    /** Takes over what {@code former}, which was abandoned, knew of the same servers. */
    void learn(ServerList former) {
        former.memories.forEach((key, each) -> memories.put(key, each.copy()));
    }

    /** The distance between two ids of one server. Before the first look, its minimum: the number of servers. */
    long step() {
        for (CounterServer server : servers) {
            Numbering numbering = server.numbering();
            if (numbering != null) {
                return numbering.increment();
            }
        }
        return servers.size();
    }

    /**
     * Names a list of servers with a table, so that a table that was closed for one list is not opened for another.
     *
     * @param servers the addresses, with what each one numbers: a server that was replaced, and has another identity,
     *     is in the same list
     */
    static String place(String table, List<String> servers) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((table + "\n" + String.join("\n", servers)).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The labels of all servers. */
    @Override
    public String toString() {
        return servers.stream().map(CounterServer::label).collect(Collectors.joining(" and "));
    }

    /** Prepares {@link #close}: from now on, a server that hangs gets only a moment. */
    void stop() {
        end(CounterServer::stop);
    }

    /** Ends the calls under way, and does not wait. */
    void cut() {
        servers.forEach(CounterServer::cut);
    }

    /** Ends the calls under way, and cuts the connections. */
    void abandon() {
        end(CounterServer::abandon);
    }

    /** Ends the calls under way, and gives the connections back. */
    @Override
    public void close() {
        end(CounterServer::close);
    }

    /** The end is announced before the first connection is closed: that may fail calls, which are not logged then. */
    private void end(Consumer<CounterServer> each) {
        servers.forEach(server -> server.pause().close());
        servers.forEach(each);
    }
}
