package io.distributedid.internal.counter;

import io.distributedid.ServerStatistics;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Reserves blocks of one counter for one sequence, and counts what each server does for it. Counts may be read by any thread. */
final class CounterSource<C extends CounterKey> implements BlockSource, ServerGroup.Watch<CounterServer<C>> {

    @Name("io.distributedid.Failover")
    @Label("Failover")
    @Category("Distributed Ids")
    @Description("A server of ids is left out, and others do its work")
    @StackTrace(false)
    private static final class FailoverEvent extends Event {

        @Label("Sequence")
        @Description("That noticed")
        @Nullable
        String seq;

        @Label("Server")
        @Nullable
        String server;

        @Label("Error")
        @Nullable
        String error;
    }

    private final CounterServers<C> servers;

    private final C counter;

    private final String sequence;

    private final AtomicLongArray fetches;

    private final AtomicLongArray failures;

    private final AtomicLongArray failovers;

    private volatile String asked = "";

    /**
     * Asks nobody yet.
     *
     * @param size how many servers there are
     */
    CounterSource(CounterServers<C> servers, C counter, String sequence, int size) {
        this.servers = servers;
        this.counter = counter;
        this.sequence = sequence;
        fetches = new AtomicLongArray(size);
        failures = new AtomicLongArray(size);
        failovers = new AtomicLongArray(size);
    }

    @Override
    public Block reserve(long wanted) throws InterruptedException {
        return servers.reserve(this, wanted);
    }

    @Override
    public boolean giveBack(Block rest) throws SQLException, InterruptedException {
        return servers.giveBack(counter, rest);
    }

    @Override
    public String server() {
        return asked;
    }

    @Override
    public void succeeded(CounterServer<C> server) {
        asked = server.label();
        fetches.incrementAndGet(server.place());
    }

    @Override
    public void failed(CounterServer<C> server, Exception e, boolean leftOut) {
        asked = server.label();
        failures.incrementAndGet(server.place());
        if (leftOut) {
            failovers.incrementAndGet(server.place());
            recordFailover(server.label(), e);
        }
    }

    private void recordFailover(String server, Exception failure) {
        FailoverEvent event = new FailoverEvent();
        if (event.shouldCommit()) {
            event.seq = sequence;
            event.server = server;
            event.error = failure.toString();
            event.commit();
        }
    }

    @Override
    public void triedInVain(CounterServer<C> server, Exception e) {
        failures.incrementAndGet(server.place());
    }

    C counter() {
        return counter;
    }

    CounterServers<C> servers() {
        return servers;
    }

    List<ServerStatistics> statistics() {
        return servers.statistics(this);
    }

    ServerStatistics statistics(CounterServer<C> server, long last, Optional<String> failure) {
        int place = server.place();
        return new ServerStatistics(
                server.label(),
                fetches.get(place),
                failures.get(place),
                failovers.get(place),
                last > 0 ? OptionalLong.of(last) : OptionalLong.empty(),
                failure);
    }
}
