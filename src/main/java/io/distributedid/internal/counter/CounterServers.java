package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers that divide the numbers of their counters, so that any one of them is enough. Sequences whose settings name
 * the same servers share the connections, and what is known of each counter. Thread-safe.
 */
final class CounterServers<C extends CounterKey> implements AutoCloseable {

    private final List<CounterServer<C>> servers;

    private final DriftLimit driftLimit;

    private final Platform platform;

    private final CounterGroup<C> group;

    private final Map<C, CounterAlignment<C>> alignments = new ConcurrentHashMap<>();

    /** {@code servers} are in the order of their places. */
    CounterServers(List<CounterServer<C>> servers, DriftLimit driftLimit, Platform platform) {
        this.servers = servers;
        this.driftLimit = driftLimit;
        this.platform = platform;
        this.group = new CounterGroup<>(servers, platform);
    }

    /** The counter of a sequence. Does not connect to any server. */
    Counter<C> counter(C key, String sequence) {
        return new Counter<>(key, sequence, group, alignment(key));
    }

    private CounterAlignment<C> alignment(C key) {
        return alignments.computeIfAbsent(
                key, counter -> new CounterAlignment<>(counter, servers, driftLimit, platform));
    }

    /** Prepares counters, see {@link Preparation}. */
    void prepare(Map<C, Preparation.Wanted<C>> wanted) throws InterruptedException {
        Preparation.run(servers, wanted, platform);
    }

    /** Checks a counter, open or not, on every server, also those left out for now. Raises none. */
    List<CheckResult> check(C counter) {
        try {
            return alignment(counter).check();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the servers of ids", e);
        }
    }

    /**
     * Brings every server into line, as an operator has decided: see {@link Repair}. The counter need not be open.
     *
     * @param above the largest id in use that the servers may not know; 0 if there is none
     * @param requireRoom throws if the counter can't be raised above an id
     * @param confirm throws if it shall not be raised above an id
     * @return the last id of each server, by its label
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer; repeat the call when it does
     */
    Map<String, Long> repair(C counter, long above, LongConsumer requireRoom, LongConsumer confirm) {
        return operate(() -> new Repair<>(servers, counter, above, driftLimit, requireRoom, confirm, platform).run());
    }

    /** Ends the use of a counter for good, see {@link Retirement}. Returns and throws as {@link #repair}. */
    Map<String, Long> retire(C counter) {
        return operate(() -> Retirement.run(servers, counter));
    }

    @FunctionalInterface
    private interface Operation {

        Map<String, Long> run() throws SQLException, InterruptedException;
    }

    private static Map<String, Long> operate(Operation operation) {
        try {
            return operation.run();
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    FailureText.ofNeeded("All servers", e, ". Repeat the call when they do"), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the call", e);
        }
    }

    /** The labels of all servers. */
    @Override
    public String toString() {
        return servers.stream().map(CounterServer::label).collect(Collectors.joining(" and "));
    }

    /** The distance between two ids of one server. Before the first connection, its minimum: the number of servers. */
    long step() {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(server.numbering()))
                .mapToLong(Numbering::increment)
                .findFirst()
                .orElse(servers.size());
    }

    /** Takes over what {@code former}, which was abandoned, knew of the same servers. */
    void learn(CounterServers<C> former) {
        former.alignments.forEach((key, each) -> alignments.put(key, each.continuedOn(servers)));
    }

    /** Prepares {@link #close}: from now on, a server that hangs gets only a moment. */
    void stop() {
        announceEnd();
        servers.forEach(CounterServer::stop);
    }

    /** Must run before the first connection is closed: closing may fail calls, and those failures are not logged. */
    private void announceEnd() {
        servers.forEach(server -> server.pause().close());
    }

    /** Ends the calls under way, and does not wait. */
    void cut() {
        servers.forEach(CounterServer::cut);
    }

    /** Ends the calls under way, and cuts the connections. */
    void abandon() {
        announceEnd();
        servers.forEach(CounterServer::abandon);
    }

    /** Ends the calls under way, and gives the connections back. */
    @Override
    public void close() {
        announceEnd();
        servers.forEach(CounterServer::close);
    }
}
