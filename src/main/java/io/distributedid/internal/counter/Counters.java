package io.distributedid.internal.counter;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reserves blocks of one sequence or many, on servers that can stand in for each other. A call asks one server for all
 * of them: the servers take turns, and one that may hang comes last. Sequences that share a counter, as in a ticket
 * table, share one block, which is divided.
 *
 * <p>What a server does not give, the next one is asked for. A counter that a server refuses is looked at, see
 * {@link Alignment}, after the others were asked: a server that is in use again does not hold up callers. A counter
 * that is refused, locked or exhausted is no failure of the server. A server that fails is left out, see
 * {@link ServerPause}, and then tried in the background, so that no caller waits for it. While all are left out,
 * callers try them, one caller a server. Thread-safe.
 */
final class Counters implements BlockGroup {

    private static final Logger LOG = System.getLogger(Counters.class.getName());

    /** How often a call looks at counters whose draws are refused: others may change them meanwhile. */
    private static final int LOOKS = 10;

    private final ServerList list;

    private final List<CounterServer> servers;

    /** So that the first blocks of several sequences come from different servers. */
    private final AtomicInteger turn = new AtomicInteger();

    Counters(ServerList list) {
        this.list = list;
        this.servers = list.servers();
    }

    @Override
    public String label() {
        return list.toString();
    }

    @Override
    public int parallel() {
        return servers.size();
    }

    /** Answers each request, lets it fail, or postpones it. */
    @Override
    public void reserve(List<BlockRequest> requests) throws InterruptedException {
        List<CounterServer> inUse = new ArrayList<>();
        List<CounterServer> busy = new ArrayList<>();
        List<CounterServer> leftOut = new ArrayList<>();
        int start = Math.floorMod(turn.getAndIncrement(), servers.size());
        for (int i = 0; i < servers.size(); i++) {
            CounterServer server = servers.get((start + i) % servers.size());
            (!server.pause().isInUse() ? leftOut : server.isBusy() ? busy : inUse).add(server);
        }
        inUse.addAll(busy);
        if (inUse.isEmpty()) {
            tryAll(leftOut, requests);
        } else {
            leftOut.forEach(server -> tryInBackground(server, Counter.of(requests.get(0))));
            reserve(requests, inUse, false);
        }
    }

    /** Those that other callers try are left out here. */
    private void tryAll(List<CounterServer> leftOut, List<BlockRequest> requests) throws InterruptedException {
        List<CounterServer> tried = leftOut.stream()
                .filter(server -> server.pause().beginTrial(false))
                .toList();
        try {
            reserve(requests, tried, true);
        } finally {
            tried.forEach(server -> server.pause().endTrial());
        }
    }

    private void reserve(List<BlockRequest> requests, List<CounterServer> order, boolean isTrial)
            throws InterruptedException {
        Attempt attempt = new Attempt(list, requests, isTrial);
        ask(order, attempt);
        for (int look = 0; look < LOOKS && attempt.isLookDue(); look++) {
            ask(attempt.look(), attempt);
        }
        attempt.end(order);
    }

    private void ask(Collection<CounterServer> order, Attempt attempt) throws InterruptedException {
        for (CounterServer server : order) {
            try {
                boolean isShort = true;
                while (isShort) {
                    isShort = false;
                    for (Map<CounterMemory, List<BlockRequest>> batch : attempt.batches(server)) {
                        isShort |= ask(server, batch, attempt);
                    }
                }
            } catch (SQLException e) {
                attempt.failed(server, e);
            }
        }
    }

    /** Returns whether a counter that several sequences share gave fewer ids than they want: it is asked again. */
    private boolean ask(CounterServer server, Map<CounterMemory, List<BlockRequest>> batch, Attempt attempt)
            throws SQLException, InterruptedException {
        Map<CounterMemory, Drawn> drawn;
        try {
            drawn = server.draw(on -> draw(server, batch, on));
        } catch (IdConfigurationException e) {
            // The other tables of the server may be good.
            batch.values().forEach(of -> attempt.refuse(server, of, e));
            return false;
        }
        boolean isShort = false;
        for (Map.Entry<CounterMemory, List<BlockRequest>> each : batch.entrySet()) {
            isShort |= attempt.take(server, drawn.getOrDefault(each.getKey(), Drawn.REFUSED), each.getValue());
        }
        return isShort;
    }

    /**
     * Draws from those that are ready. What the process knows of a counter is taken and learned while no other thread
     * uses the connection, so that draws are judged in their order.
     */
    private Map<CounterMemory, Drawn> draw(
            CounterServer server, Map<CounterMemory, List<BlockRequest>> batch, CounterServer.Connected on)
            throws SQLException {
        Map<CounterMemory, Draw> draws = new LinkedHashMap<>();
        batch.forEach((memory, of) -> {
            if (on.ready().contains(memory.counter())) {
                long wanted = of.stream().mapToLong(BlockRequest::wanted).sum();
                draws.put(memory, memory.draw(server, wanted, list));
            }
        });
        Map<CounterKey, Drawn> answers =
                draws.isEmpty() ? Map.of() : on.session().draw(List.copyOf(draws.values()));
        Map<CounterMemory, Drawn> drawn = new HashMap<>();
        draws.forEach((memory, draw) -> {
            Drawn answer = answers.getOrDefault(draw.counter(), Drawn.REFUSED);
            Drawn judged = memory.drawn(server.place(), draw, answer);
            if (judged.outcome() == Drawn.Outcome.REFUSED) {
                on.ready().remove(draw.counter());
            }
            drawn.put(memory, judged);
        });
        return drawn;
    }

    /** In a thread of its own: a server that hangs blocks it until the timeout. */
    private void tryInBackground(CounterServer server, Counter counter) {
        if (server.pause().isClosing() || !server.pause().beginTrial(true)) {
            return;
        }
        boolean isStarted = false;
        try {
            Thread unused = list.platform().start("distributedid-trial", () -> runTrial(server, counter));
            isStarted = true;
        } finally {
            if (!isStarted) {
                server.pause().endTrial();
            }
        }
    }

    /** This costs one id: only a draw shows that the server can write. */
    private void runTrial(CounterServer server, Counter counter) {
        try {
            Block unused = BlockRequest.reserve(counter, 1, requests -> reserve(requests, List.of(server), true));
        } catch (SQLException | DistributedIdException e) {
            LOG.log(Level.DEBUG, "A server that is left out was tried: " + server.label(), e);
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "A trial was interrupted: {0}", server.label());
        } finally {
            server.pause().endTrial();
        }
    }

    /** The callers of a server that failed. The first of them has the others take over. */
    void failed(Collection<Counter> callers, CounterServer server, Exception e, boolean isTrial) {
        if (e instanceof ServerBusyException || server.pause().isClosing()) {
            return;
        }
        boolean isFailover = server.pause().failed(e, isTrial) && servers.size() > 1;
        for (Counter each : callers) {
            each.failed(server, e, isFailover);
            isFailover = false;
        }
    }
}
