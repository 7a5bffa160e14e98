package io.distributedid.internal.counter;

import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.ServerGroup;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Servers that divide the numbers of their counters between them, so that one of them is enough. They are asked in turn, and drift
 * apart while one is away. That hurts nobody, but tells a server that lost its counter from one that is merely late only up to a
 * bound, {@link Distance#max}, D:
 *
 * <ul>
 *   <li>One that lags by more than D and never gave this process a higher id is raised to the others, so that the sides stay
 *       close in time order, and no server is ever more than about D ahead of the others for long.
 *   <li>One that gave this process a higher id before was reset. It is not asked for ids any more, which would take its counter
 *       past the ids of processes that had few, and hide the reset from them. It is raised to 2 D above the highest id of all servers that
 *       answer, and of all that this process has seen: other processes may have had ids from it that this one knows nothing of,
 *       but hardly any above that. If no other server answers, it is refused until one does; a server that stands alone, for good.
 *   <li>One that lags by more than D when this process meets it first may have been reset or may be late: {@link Distance#raise}
 *       says whether it is refused, or raised as if it had been reset.
 * </ul>
 *
 * <p>Thread-safe.
 *
 * @param <C> names a counter
 */
public final class CounterServers<C> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(CounterServers.class.getName());

    /**
     * Opens sessions.
     *
     * @param <C> names a counter
     */
    @FunctionalInterface
    public interface SessionOpener<C> {

        /**
         * Checks a new connection.
         *
         * @param connection in autocommit mode; not to be closed
         * @param place of the server, from 0
         * @return counts on it
         * @throws SQLException if the server failed
         * @throws IdConfigurationException if the server must not be used
         */
        CounterSession<C> open(Connection connection, int place) throws SQLException;
    }

    private final List<CounterServer<C>> servers = new ArrayList<>();

    private final ServerGroup<CounterServer<C>> group;

    private final Distance distance;

    private final ReentrantLock opening = new ReentrantLock();

    private final Map<C, Floor> floors = new ConcurrentHashMap<>();

    private final Map<C, Sides> sides = new ConcurrentHashMap<>();

    /**
     * Connects to nobody yet.
     *
     * @param accesses lend connections, one for each server
     * @param timeout bound for each answer of a server
     * @param distance how far they may drift apart
     * @param opener is shown every new connection
     */
    public CounterServers(
            List<ConnectionAccess> accesses, Duration timeout, Distance distance, SessionOpener<C> opener) {
        for (int place = 0; place < accesses.size(); place++) {
            servers.add(new CounterServer<>(place, accesses.get(place), timeout, opener));
        }
        this.group = new ServerGroup<>(servers, CounterServer::label);
        this.distance = distance;
    }

    /**
     * Checks a counter on every server that answers. The others are checked when they do.
     *
     * @param counter to be used
     * @param start the least id wanted; a counter that lies below is raised
     * @param sequence that will use it
     * @return reserves ids of it
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if none answers
     */
    CounterSource<C> open(C counter, long start, String sequence) {
        CounterSource<C> source = new CounterSource<>(this, counter, sequence, servers.size());
        openAll(counter, floor -> floor.raisedAbove(start - 1), source);
        return source;
    }

    /**
     * Ids of a counter must lie above those that exist, from now on.
     *
     * @param source of a counter
     * @param existing an id that exists
     * @param raise whether all servers are raised above it; else the one that gives such ids is refused if it lies below
     * @throws IdConfigurationException if it does
     */
    void requireAbove(CounterSource<C> source, long existing, boolean raise) {
        openAll(
                source.counter(),
                floor -> raise ? floor.raisedAbove(existing) : floor.withExisting(existing, step()),
                source);
    }

    /**
     * Asks every server how far it has come.
     *
     * @param source of a counter
     * @return the last id of each server that answers, by its label
     * @throws IdUnavailableException if none answers
     */
    Map<String, Long> last(CounterSource<C> source) {
        C counter = source.counter();
        Map<String, Long> last = new LinkedHashMap<>();
        callAll(
                server -> last.put(server.label(), Math.max(0, server.open(counter, floor(counter), sides(counter)))),
                source);
        return last;
    }

    /** What is known of every server, in order. Asks nobody. */
    List<ServerStatistics> statistics(CounterSource<C> source) {
        Sides known = sides(source.counter());
        return servers.stream()
                .map(server -> source.statistics(server, known.heard(server.place()), group.failure(server.place())))
                .toList();
    }

    /**
     * Asks every server, also one that is left out for now, whether the counter can be used there. Raises none.
     *
     * @param counter need not be open
     * @return what was found of each
     * @throws IdUnavailableException if interrupted
     */
    public List<Finding> check(C counter) {
        try {
            return CounterCheck.of(servers, counter, floor(counter), sides(counter), distance);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the servers of ids", e);
        }
    }

    /**
     * The distance between two ids of one server.
     *
     * @return at least the number of servers; that number before any was connected to
     */
    public long step() {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(server.numbering()))
                .mapToLong(Numbering::increment)
                .findFirst()
                .orElse(servers.size());
    }

    private Floor floor(C counter) {
        return floors.getOrDefault(counter, Floor.NONE);
    }

    private Sides sides(C counter) {
        return sides.computeIfAbsent(counter, key -> new Sides(servers.size(), distance.max()));
    }

    private void openAll(C counter, UnaryOperator<Floor> change, CounterSource<C> source) {
        opening.lock();
        try {
            Floor floor = change.apply(floor(counter));
            if (!floor.equals(floors.get(counter))) {
                openAll(counter, floor, source);
                floors.put(counter, floor);
            }
        } finally {
            opening.unlock();
        }
    }

    private void openAll(C counter, Floor floor, CounterSource<C> source) {
        Sides known = sides(counter);
        List<CounterServer<C>> answered = new ArrayList<>();
        callAll(
                server -> {
                    server.open(counter, floor, known);
                    return answered.add(server);
                },
                source);
        for (CounterServer<C> server : answered) {
            if (known.isBehindAtFirst(server.place())) {
                interruptibly(() -> bringForward(server, counter, Sides.Verdict.BEHIND_AT_FIRST));
            }
        }
    }

    Block reserve(C counter, long wanted, CounterSource<C> source) throws InterruptedException {
        return group.call(
                server -> {
                    Floor floor = floor(counter);
                    CounterServer.Reserved first = server.reserve(counter, floor, sides(counter), wanted);
                    if (first.verdict() == Sides.Verdict.GOOD) {
                        return first.block().orElseThrow();
                    }
                    bringForward(server, counter, first.verdict());
                    CounterServer.Reserved second = server.reserve(counter, floor, sides(counter), wanted);
                    if (second.verdict() != Sides.Verdict.GOOD) {
                        throw new SQLException(
                                "The server was raised, but gives low ids: " + counter + " on " + server.label());
                    }
                    return second.block().orElseThrow();
                },
                source);
    }

    private void bringForward(CounterServer<C> server, C counter, Sides.Verdict verdict)
            throws SQLException, InterruptedException {
        Sides known = sides(counter);
        Floor floor = floor(counter);
        int others = 0;
        for (CounterServer<C> other : servers) {
            if (other != server && hear(other, counter)) {
                others++;
            }
        }
        if ((verdict == Sides.Verdict.WENT_BACK && others == 0)
                || (verdict == Sides.Verdict.BEHIND_AT_FIRST && !distance.raise())) {
            throw refusal(server, counter, verdict);
        }
        long highest = known.highest();
        long above = verdict == Sides.Verdict.BEHIND ? highest : Math.addExact(highest, 2 * distance.max());
        server.raise(counter, floor, known, above);
        LOG.log(
                Level.WARNING,
                "{0} on {1} {2}; it was raised above {3}",
                counter,
                server.label(),
                verdict == Sides.Verdict.WENT_BACK
                        ? "went back (truncated, restored from a backup, a deleted row?) and would have given ids again"
                        : "was more than " + distance.max() + " behind the other servers",
                Long.toString(above));
    }

    private boolean hear(CounterServer<C> server, C counter) throws InterruptedException {
        try {
            server.open(counter, floor(counter), sides(counter));
            return true;
        } catch (SQLException | IdConfigurationException e) {
            LOG.log(Level.DEBUG, "A server can't say how far it has come: " + server.label(), e);
            return false;
        }
    }

    private IdConfigurationException refusal(CounterServer<C> server, C counter, Sides.Verdict verdict)
            throws SQLException, InterruptedException {
        Sides known = sides(counter);
        String where = counter + " on " + server.label();
        String raise = server.raiseSql(counter, floor(counter), "<id>");
        if (verdict == Sides.Verdict.WENT_BACK) {
            return new IdConfigurationException("A counter went back and may give ids again: " + where + " gave id="
                    + known.own(server.place())
                    + " to this process and lies below it now. Raise it above every id in use and restart: " + raise);
        }
        return new IdConfigurationException(
                "A server is too far behind the others: " + where + ", where another has come"
                        + " to id=" + known.highest() + ", allowed: " + distance.maxSetting() + "=" + distance.max()
                        + ". If it was only down, set " + distance.raiseSetting()
                        + "=raise or raise it: " + raise
                        + ". If it was truncated or restored from a backup, raise it above every id"
                        + " that it ever gave");
    }

    /** Gives the end of a block back to its server: the remainder of the ids tells whose they are. */
    boolean giveBack(C counter, Block rest) throws SQLException, InterruptedException {
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering();
            if (numbering != null && numbering.holds(rest.first())) {
                return server.giveBack(counter, floor(counter), rest);
            }
        }
        return false;
    }

    private void callAll(ServerGroup.Call<CounterServer<C>, ?> call, CounterSource<C> source) {
        interruptibly(() -> group.callAll(call, source));
    }

    @FunctionalInterface
    private interface Interruptible {

        void run() throws SQLException, InterruptedException;
    }

    private static void interruptibly(Interruptible call) {
        try {
            call.run();
        } catch (SQLException e) {
            throw new IdUnavailableException("A server failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to the servers of ids", e);
        }
    }

    /** Ends calls that are under way, and gives the connections back. */
    @Override
    public void close() {
        group.close();
        servers.forEach(CounterServer::close);
    }
}
