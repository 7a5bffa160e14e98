package io.distributedid.internal.counter;

import io.distributedid.ServerStatistics;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.block.GroupedSource;
import io.distributedid.internal.failover.FailoverEvent;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counter of one sequence. Sequences with the same counter share a {@link CounterMemory}; each counts its own
 * calls. Thread-safe.
 */
final class Counter implements GroupedSource {

    private final CounterMemory memory;

    private final String sequence;

    private final Counters group;

    private final List<CounterServer> servers;

    private final AtomicLongArray fetches;

    private final AtomicLongArray failures;

    private final AtomicLongArray failovers;

    private volatile String lastServer = "";

    /** Does not connect to any server. */
    Counter(CounterMemory memory, String sequence, Counters group, List<CounterServer> servers) {
        this.memory = memory;
        this.sequence = sequence;
        this.group = group;
        this.servers = servers;
        fetches = new AtomicLongArray(servers.size());
        failures = new AtomicLongArray(servers.size());
        failovers = new AtomicLongArray(servers.size());
    }

    static Counter of(BlockRequest request) {
        return (Counter) request.source();
    }

    CounterMemory memory() {
        return memory;
    }

    CounterKey key() {
        return memory.counter();
    }

    @Override
    public BlockGroup group() {
        return group;
    }

    /** A batch of one. */
    @Override
    public Block reserve(long wanted) throws SQLException, InterruptedException {
        return BlockRequest.reserve(this, wanted, group::reserve);
    }

    @Override
    public String server() {
        return lastServer;
    }

    /** Counts a call without an error. */
    void succeeded(CounterServer server) {
        lastServer = server.label();
        fetches.incrementAndGet(server.place());
    }

    /** Counts a call that failed. {@code isFailover}: the server was in use until now, and the others take over. */
    void failed(CounterServer server, Exception e, boolean isFailover) {
        lastServer = server.label();
        failures.incrementAndGet(server.place());
        if (isFailover) {
            failovers.incrementAndGet(server.place());
            FailoverEvent.emit(sequence, server.label(), e);
        }
    }

    /** In the order of the servers. Does not ask any server. */
    List<ServerStatistics> statistics() {
        return servers.stream().map(this::statistics).toList();
    }

    private ServerStatistics statistics(CounterServer server) {
        int place = server.place();
        long last = memory.known().server(place).map(Known.OfServer::number).orElse(0L);
        return new ServerStatistics(
                server.label(),
                fetches.get(place),
                failures.get(place),
                failovers.get(place),
                last > 0 ? OptionalLong.of(last) : OptionalLong.empty(),
                Optional.ofNullable(server.pause().failure()).map(FailureText::of));
    }
}
