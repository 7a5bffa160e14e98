package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
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
final class ServerList {

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
        memories.putAll(former.memories);
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

    /** The labels of all servers. */
    @Override
    public String toString() {
        return servers.stream().map(CounterServer::label).collect(Collectors.joining(" and "));
    }

    /** Announces the end before the first connection ends: that may fail calls, which are not logged then. */
    void end(Consumer<DedicatedConnection<?>> how) {
        servers.forEach(server -> server.pause().close());
        servers.forEach(server -> how.accept(server.connection()));
    }
}
