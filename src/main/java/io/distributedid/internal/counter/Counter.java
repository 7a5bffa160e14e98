package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.block.FetchHistory;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The counter of one sequence, on servers that can stand in for each other. Blocks are drawn round robin, past a server
 * that is busy with one call for so long that it may hang. A server that fails is left out, see {@link ServerPause},
 * and tried again: in the background, so that no caller waits for it, and by one thread at a time. When all are left
 * out the callers try them, again one for each server; the others are told at once what it said last.
 *
 * <p>Sequences with the same key and servers share what is known of the counter; what each server does is counted for
 * every sequence by itself. Longer than most classes, so that a refill takes one hop from here to its server. Not
 * final, so that a test can record the result of each call. Thread-safe.
 */
class Counter<C extends CounterKey> implements BlockSource {

    private static final Logger LOG = System.getLogger(Counter.class.getName());

    /** How often a server is asked whose blocks are not to be trusted. */
    private static final int DRAWS = 30;

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

    private final C key;

    private final String sequence;

    private final List<CounterServer<C>> servers;

    private final CounterAlignment<C> alignment;

    private final CounterHistory history;

    /** Shared by all counters of the same servers, so that their first blocks come from different ones. */
    private final AtomicInteger turn;

    private final AtomicLongArray fetches;

    private final AtomicLongArray failures;

    private final AtomicLongArray failovers;

    private volatile String lastServer = "";

    /** Does not connect to any server. */
    Counter(C key, String sequence, List<CounterServer<C>> servers, CounterAlignment<C> alignment, AtomicInteger turn) {
        this.key = key;
        this.sequence = sequence;
        this.servers = servers;
        this.alignment = alignment;
        this.history = alignment.history();
        this.turn = turn;
        fetches = new AtomicLongArray(servers.size());
        failures = new AtomicLongArray(servers.size());
        failovers = new AtomicLongArray(servers.size());
    }

    /**
     * Asks one server after the other until one gives ids.
     *
     * @throws IdUnavailableException if all failed; names what each said
     * @throws IdsExhaustedException if none has ids left
     */
    @Override
    public Block reserve(long wanted) throws InterruptedException {
        List<CounterServer<C>> inUse = new ArrayList<>();
        List<CounterServer<C>> leftOut = new ArrayList<>();
        sort(inUse, leftOut);
        if (!inUse.isEmpty()) {
            leftOut.forEach(this::tryInBackground);
        }
        ServerFailures said = new ServerFailures();
        for (CounterServer<C> server : inUse) {
            Optional<Block> block = ask(server, wanted, said, false);
            if (block.isPresent()) {
                return block.get();
            }
        }
        for (CounterServer<C> server : leftOut) {
            if (server.pause().beginTrial(false)) {
                try {
                    Optional<Block> block = ask(server, wanted, said, true);
                    if (block.isPresent()) {
                        return block.get();
                    }
                } finally {
                    server.pause().endTrial();
                }
            } else {
                said.add(server.pause());
            }
        }
        throw said.noneGivesIds();
    }

    /** In turn, those that may hang at the end. */
    private void sort(List<CounterServer<C>> inUse, List<CounterServer<C>> leftOut) {
        int start = Math.floorMod(turn.getAndIncrement(), servers.size());
        List<CounterServer<C>> slow = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            CounterServer<C> server = servers.get((start + i) % servers.size());
            if (!server.pause().isInUse()) {
                leftOut.add(server);
            } else if (server.isBusy()) {
                slow.add(server);
            } else {
                inUse.add(server);
            }
        }
        inUse.addAll(slow);
    }

    private Optional<Block> ask(CounterServer<C> server, long wanted, ServerFailures said, boolean trial)
            throws InterruptedException {
        try {
            Block block = draw(server, wanted);
            server.pause().succeeded();
            succeeded(server);
            return Optional.of(block);
        } catch (ServerBusyException e) {
            said.add(server.label(), e);
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            leaveOut(server, e, trial);
            said.add(server.label(), e);
        }
        return Optional.empty();
    }

    private Block draw(CounterServer<C> server, long wanted) throws SQLException, InterruptedException {
        for (int attempt = 0; attempt < DRAWS; attempt++) {
            Optional<Block> block = server.reserve(key, wanted, history, servers);
            if (block.isPresent()) {
                return block.get();
            }
            try {
                alignment.alignFor(server, this);
            } catch (IdUnavailableException e) {
                // Another server may do.
                throw new SQLException(e.getMessage(), e);
            }
        }
        throw new SQLException("The server gives no ids that can be trusted: " + key + " on " + server.label());
    }

    /** A thread of its own, since it may take as long as a server that hangs. */
    private void tryInBackground(CounterServer<C> server) {
        if (server.pause().isClosing() || !server.pause().beginTrial(true)) {
            return;
        }
        boolean started = false;
        try {
            LibraryThread.named("distributedid-trial", () -> runTrial(server)).start();
            started = true;
        } finally {
            if (!started) {
                server.pause().endTrial();
            }
        }
    }

    private void runTrial(CounterServer<C> server) {
        try {
            // An id is the price: only a draw shows that the server can write.
            draw(server, 1);
            server.pause().succeeded();
        } catch (SQLException | RuntimeException e) {
            if (!server.pause().isClosing()) {
                server.pause().failed(e, true);
                triedInVain(server, e);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "A trial was interrupted: {0}", server.label());
        } finally {
            server.pause().endTrial();
        }
    }

    /** Takes notice of a failure that happened outside of {@link #reserve}. */
    void noticed(CounterServer<C> server, Exception e) {
        if (!(e instanceof ServerBusyException)) {
            leaveOut(server, e, false);
        }
    }

    private void leaveOut(CounterServer<C> server, Exception e, boolean trial) {
        if (!server.pause().isClosing()) {
            boolean first = server.pause().failed(e, trial);
            failed(server, e, first && servers.size() > 1);
        }
    }

    /** A server was called without an error. */
    void succeeded(CounterServer<C> server) {
        lastServer = server.label();
        fetches.incrementAndGet(server.place());
    }

    /** A call failed; {@code isFailover}: the server was in use until now, and others have its turns from now on. */
    void failed(CounterServer<C> server, Exception e, boolean isFailover) {
        lastServer = server.label();
        failures.incrementAndGet(server.place());
        if (isFailover) {
            failovers.incrementAndGet(server.place());
            recordFailover(server.label(), e);
        }
    }

    /** A trial in the background failed. */
    void triedInVain(CounterServer<C> server, Exception e) {
        failures.incrementAndGet(server.place());
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

    /** Gives the end of a block back to its server: the remainder of the ids tells whose they are. */
    @Override
    public boolean giveBack(Block rest) throws SQLException, InterruptedException {
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering();
            if (numbering != null && numbering.holds(rest.first())) {
                return server.giveBack(key, rest, history);
            }
        }
        return false;
    }

    @Override
    public String server() {
        return lastServer;
    }

    CounterAlignment<C> alignment() {
        return alignment;
    }

    /**
     * Asks every server that is not left out how far it has come.
     *
     * @return the last id of each server that answers, by its label
     * @throws IdConfigurationException of the first server that must not be used
     * @throws IdUnavailableException if none answers; names what each said
     */
    Map<String, Long> last() throws InterruptedException {
        Map<String, Long> last = new LinkedHashMap<>();
        ServerFailures said = new ServerFailures();
        for (CounterServer<C> server : servers) {
            if (!server.pause().isInUse() && !server.pause().isDue()) {
                said.add(server.pause());
                continue;
            }
            try {
                last.put(server.label(), server.look(key, history).lastOrZero());
                server.pause().succeeded();
            } catch (SQLException e) {
                noticed(server, e);
                said.add(server.label(), e);
            }
        }
        if (last.isEmpty()) {
            throw said.toException("No server gives ids", "");
        }
        return last;
    }

    /** What is known of every server, in order. Does not ask any server. */
    List<ServerStatistics> statistics() {
        return servers.stream().map(this::statistics).toList();
    }

    private ServerStatistics statistics(CounterServer<C> server) {
        int place = server.place();
        long last = history.heard(place);
        return new ServerStatistics(
                server.label(),
                fetches.get(place),
                failures.get(place),
                failovers.get(place),
                last > 0 ? OptionalLong.of(last) : OptionalLong.empty(),
                Optional.ofNullable(server.pause().failure()).map(FetchHistory::messageOf));
    }
}
