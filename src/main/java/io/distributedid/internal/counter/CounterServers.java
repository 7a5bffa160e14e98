package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Servers that divide the numbers of their counters between them, so that one of them is enough. All sequences whose
 * settings name them share their connections, and what is known of each counter. Thread-safe.
 *
 * @param <C> names a counter
 */
final class CounterServers<C extends CounterKey> implements AutoCloseable {

    private final List<CounterServer<C>> servers;

    private final DriftLimit distance;

    private final AtomicInteger turn = new AtomicInteger();

    private final Map<C, CounterAlignment<C>> alignments = new ConcurrentHashMap<>();

    /**
     * Does not connect to any server.
     *
     * @param servers in the order of their places
     * @param distance how far they may drift apart
     */
    CounterServers(List<CounterServer<C>> servers, DriftLimit distance) {
        this.servers = servers;
        this.distance = distance;
    }

    /** Makes the counter of a sequence. Does not connect to any server. */
    Counter<C> counter(C key, String sequence) {
        return new Counter<>(key, sequence, servers, of(key), turn);
    }

    private CounterAlignment<C> of(C key) {
        return alignments.computeIfAbsent(key, counter -> new CounterAlignment<>(counter, servers, distance));
    }

    /**
     * Asks every server, also one that is left out for now, whether the counter can be used there. Raises none.
     *
     * @param counter need not be open
     * @return what was found of each
     * @throws IdUnavailableException if interrupted
     */
    List<CheckResult> check(C counter) {
        try {
            return of(counter).check();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the servers of ids", e);
        }
    }

    /**
     * Brings every server into line, as an operator has decided: see {@link Repair}.
     *
     * @param counter need not be open
     * @param above no id up to this one is in use that the servers don't know of; 0 if there is none to tell
     * @param limit throws if the counter can't be raised above an id
     * @return the last id of each server, by its label
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer; repeat the call when it does
     */
    Map<String, Long> repair(C counter, long above, LongConsumer limit) {
        return operate(() -> new Repair<>(servers, counter, above, distance, limit).run());
    }

    /**
     * Ends the use of a counter for good: no id is ever drawn from it again.
     *
     * @param counter need not be open
     * @return the last id of each server, by its label
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer; repeat the call when it does
     */
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
                    "All servers must answer: " + e.getMessage() + ". Repeat the call when they do", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the call", e);
        }
    }

    /**
     * The distance between two ids of one server: at least the number of servers; that number before any was connected
     * to.
     */
    long step() {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(server.numbering()))
                .mapToLong(Numbering::increment)
                .findFirst()
                .orElse(servers.size());
    }

    /** Takes over what others of the same servers knew when they were abandoned; they are not asked any more. */
    void learn(CounterServers<C> former) {
        former.alignments.forEach((key, each) -> alignments.put(key, each.continuedOn(servers)));
    }

    /** The end is near: a server that hangs is waited for no longer than for a moment. */
    void stop() {
        announceEnd();
        servers.forEach(CounterServer::stop);
    }

    /** Before the first is closed, so that no failure that this causes is news. */
    private void announceEnd() {
        servers.forEach(server -> server.pause().close());
    }

    /** Ends calls that are under way, and waits for nothing. */
    void cut() {
        servers.forEach(CounterServer::cut);
    }

    /** Ends calls that are under way, and cuts the connections. */
    void abandon() {
        announceEnd();
        servers.forEach(CounterServer::abandon);
    }

    /** Ends calls that are under way, and gives the connections back. */
    @Override
    public void close() {
        announceEnd();
        servers.forEach(CounterServer::close);
    }
}
