package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.GroupedSource;
import io.distributedid.internal.failover.FailoverEvent;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counter of one sequence, on servers that can stand in for each other. Blocks are drawn round robin. A server that
 * is busy with one call for so long that it may hang comes last. A server that fails is left out, see
 * {@link ServerPause}. It is then tried again in the background, by one thread at a time, so that no caller waits for
 * it. While all servers are left out, callers try them, one caller per server; the other callers fail at once with the
 * last error of each server.
 *
 * <p>Sequences with the same key and servers share a {@link CounterAlignment}. Each sequence counts its own calls. Not
 * final: a test records the result of each call. Thread-safe.
 */
class Counter<C extends CounterKey> implements GroupedSource {

    private static final Logger LOG = System.getLogger(Counter.class.getName());

    /** Attempts per server to draw a block that can be trusted. */
    private static final int DRAWS = 30;

    private final C key;

    private final String sequence;

    private final List<CounterServer<C>> servers;

    private final CounterAlignment<C> alignment;

    private final CounterHistory history;

    private final CounterGroup<C> group;

    private final AtomicLongArray fetches;

    private final AtomicLongArray failures;

    private final AtomicLongArray failovers;

    private volatile String lastServer = "";

    /** Does not connect to any server. */
    Counter(C key, String sequence, CounterGroup<C> group, CounterAlignment<C> alignment) {
        this.key = key;
        this.sequence = sequence;
        this.group = group;
        this.servers = group.servers();
        this.alignment = alignment;
        this.history = alignment.history();
        fetches = new AtomicLongArray(servers.size());
        failures = new AtomicLongArray(servers.size());
        failovers = new AtomicLongArray(servers.size());
    }

    /**
     * Asks one server after the other until one gives ids.
     *
     * @throws IdUnavailableException if all failed, with the message of each
     * @throws IdsExhaustedException if no server has ids left
     */
    @Override
    public Block reserve(long wanted) throws InterruptedException {
        List<CounterServer<C>> inUse = new ArrayList<>();
        List<CounterServer<C>> leftOut = new ArrayList<>();
        group.sort(inUse, leftOut);
        if (!inUse.isEmpty()) {
            leftOut.forEach(this::tryInBackground);
        }
        ServerFailures errors = new ServerFailures();
        for (CounterServer<C> server : inUse) {
            Optional<Block> block = ask(server, wanted, errors, false);
            if (block.isPresent()) {
                return block.get();
            }
        }
        for (CounterServer<C> server : leftOut) {
            if (server.pause().beginTrial(false)) {
                try {
                    Optional<Block> block = ask(server, wanted, errors, true);
                    if (block.isPresent()) {
                        return block.get();
                    }
                } finally {
                    server.pause().endTrial();
                }
            } else {
                errors.add(server.pause());
            }
        }
        throw errors.noneGivesIds();
    }

    private Optional<Block> ask(CounterServer<C> server, long wanted, ServerFailures errors, boolean trial)
            throws InterruptedException {
        try {
            Block block = draw(server, wanted);
            server.pause().succeeded();
            succeeded(server);
            return Optional.of(block);
        } catch (ServerBusyException e) {
            errors.add(server.label(), e);
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            leaveOut(server, e, trial);
            errors.add(server.label(), e);
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
                // The next server may give ids.
                throw new SQLException(e.getMessage(), e);
            }
        }
        throw new SQLException("The server gives no ids that can be trusted: " + key + " on " + server.label());
    }

    /** In a thread of its own: a server that hangs blocks it until the timeout. */
    void tryInBackground(CounterServer<C> server) {
        if (server.pause().isClosing() || !server.pause().beginTrial(true)) {
            return;
        }
        boolean started = false;
        try {
            Thread unused = group.platform().start("distributedid-trial", () -> runTrial(server));
            started = true;
        } finally {
            if (!started) {
                server.pause().endTrial();
            }
        }
    }

    private void runTrial(CounterServer<C> server) {
        try {
            // This costs one id: only a draw shows that the server can write.
            draw(server, 1);
            server.pause().succeeded();
        } catch (IdsExhaustedException e) {
            trialFailed(server, e);
        } catch (SQLException | RuntimeException e) {
            if (!server.pause().isClosing()) {
                server.pause().failed(e, true);
                trialFailed(server, e);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "A trial was interrupted: {0}", server.label());
        } finally {
            server.pause().endTrial();
        }
    }

    /** Leaves out a server that failed outside of {@link #reserve}. */
    void failedElsewhere(CounterServer<C> server, Exception e) {
        failedInGroup(server, e, false);
    }

    /** The same for a call of the {@link CounterGroup}. */
    void failedInGroup(CounterServer<C> server, Exception e, boolean isTrial) {
        if (!(e instanceof ServerBusyException)) {
            leaveOut(server, e, isTrial);
        }
    }

    /** Unless only this counter has no ids left: the server's other counters have some. */
    private void leaveOut(CounterServer<C> server, Exception e, boolean trial) {
        if (e instanceof IdsExhaustedException) {
            failed(server, e, false);
        } else if (!server.pause().isClosing()) {
            boolean first = server.pause().failed(e, trial);
            failed(server, e, first && servers.size() > 1);
        }
    }

    /** Counts a call without an error. */
    void succeeded(CounterServer<C> server) {
        lastServer = server.label();
        fetches.incrementAndGet(server.place());
    }

    /** Counts a call that failed. {@code isFailover}: the server was in use until now, and the others take over. */
    void failed(CounterServer<C> server, Exception e, boolean isFailover) {
        lastServer = server.label();
        failures.incrementAndGet(server.place());
        if (isFailover) {
            failovers.incrementAndGet(server.place());
            FailoverEvent.emit(sequence, server.label(), e);
        }
    }

    /** Counts a trial in the background that failed. */
    void trialFailed(CounterServer<C> server, Exception e) {
        failures.incrementAndGet(server.place());
    }

    @Override
    public boolean giveBack(Block rest) throws InterruptedException {
        return !group.giveBack(List.of(new BlockGroup.Rest(this, rest))).isEmpty();
    }

    @Override
    public String server() {
        return lastServer;
    }

    CounterAlignment<C> alignment() {
        return alignment;
    }

    /** A source of a {@link CounterGroup} is a counter of the group's type. */
    @SuppressWarnings("unchecked")
    static <C extends CounterKey> Counter<C> of(GroupedSource source) {
        return (Counter<C>) source;
    }

    C key() {
        return key;
    }

    @Override
    public BlockGroup group() {
        return group;
    }

    /**
     * Asks every server that is not left out for its last id.
     *
     * @return by the label of the server, of those that answer
     * @throws IdConfigurationException of the first server that must not be used
     * @throws IdUnavailableException if none answers, with the message of each
     */
    Map<String, Long> last() throws InterruptedException {
        Map<String, Long> last = new LinkedHashMap<>();
        ServerFailures errors = new ServerFailures();
        for (CounterServer<C> server : servers) {
            if (!server.pause().isInUse() && !server.pause().isDue()) {
                errors.add(server.pause());
                continue;
            }
            try {
                last.put(server.label(), server.look(key, history).lastOrZero());
                server.pause().succeeded();
            } catch (SQLException e) {
                failedElsewhere(server, e);
                errors.add(server.label(), e);
            }
        }
        if (last.isEmpty()) {
            throw errors.toException("No server gives ids", "");
        }
        return last;
    }

    /** In the order of the servers. Does not ask any server. */
    List<ServerStatistics> statistics() {
        return servers.stream().map(this::statistics).toList();
    }

    private ServerStatistics statistics(CounterServer<C> server) {
        int place = server.place();
        long last = history.highest(place);
        return new ServerStatistics(
                server.label(),
                fetches.get(place),
                failures.get(place),
                failovers.get(place),
                last > 0 ? OptionalLong.of(last) : OptionalLong.empty(),
                Optional.ofNullable(server.pause().failure()).map(FailureText::of));
    }
}
