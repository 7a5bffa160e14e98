package io.distributedid.internal.counting;

import static java.util.Objects.requireNonNull;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.counting.Alignment.Outcome;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.jdbc.ServerFailures;
import io.distributedid.internal.jdbc.ServerPause;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /** For how long a counter that was refused is not looked at again if another server gives ids. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final ServerList list;

    private final List<CounterServer> servers;

    private final Duration timeout;

    private final RefusalText text;

    /** So that the first blocks of several sequences come from different servers. */
    private final AtomicInteger turn = new AtomicInteger();

    Counters(ServerList list, Duration timeout) {
        this.list = list;
        this.servers = list.servers();
        this.timeout = timeout;
        this.text = list.text();
    }

    @Override
    public String label() {
        return servers.stream().map(CounterServer::label).collect(Collectors.joining(", "));
    }

    @Override
    public int parallel() {
        return servers.size();
    }

    /** None is taken back: others may have drawn since. */
    @Override
    public Set<Rest> giveBack(List<Rest> rests) {
        return Set.of();
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
            new Attempt(requests, true).tryAll(leftOut);
        } else {
            leftOut.forEach(server -> tryInBackground(server, counter(requests.get(0))));
            new Attempt(requests, false).run(inUse);
        }
    }

    private static Counter counter(BlockRequest request) {
        return (Counter) request.source();
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
            Block unused =
                    BlockRequest.reserve(counter, 1, requests -> new Attempt(requests, true).run(List.of(server)));
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

    /** What is open of a call, and what its servers said. */
    private final class Attempt {

        private final List<BlockRequest> open;

        private final boolean isTrial;

        /** Servers that other callers try. */
        private final List<CounterServer> unasked = new ArrayList<>();

        /** Why a server gives no ids of a counter: it is not asked again. */
        private final Map<CounterMemory, Map<CounterServer, Exception>> reasons = new HashMap<>();

        /** The counters that must be looked at on a server before ids are drawn. */
        private final Map<CounterServer, Set<Counter>> refused = new LinkedHashMap<>();

        Attempt(List<BlockRequest> requests, boolean isTrial) {
            this.open = new ArrayList<>(requests);
            this.isTrial = isTrial;
        }

        /** Servers that were left out, unless other callers try them. */
        void tryAll(List<CounterServer> leftOut) throws InterruptedException {
            List<CounterServer> tried = leftOut.stream()
                    .filter(server -> server.pause().beginTrial(false))
                    .toList();
            unasked.addAll(leftOut);
            unasked.removeAll(tried);
            try {
                run(tried);
            } finally {
                tried.forEach(server -> server.pause().endTrial());
            }
        }

        void run(List<CounterServer> order) throws InterruptedException {
            askAll(order);
            for (int look = 0; look < LOOKS && !refused.isEmpty(); look++) {
                Set<CounterServer> looked = new LinkedHashSet<>(refused.keySet());
                align();
                askAll(looked);
            }
            end(order);
        }

        private void askAll(Collection<CounterServer> order) throws InterruptedException {
            for (CounterServer server : order) {
                if (!open.isEmpty()) {
                    ask(server);
                }
            }
        }

        /** Asks again while it gives fewer ids than are wanted of a counter that several sequences share. */
        private void ask(CounterServer server) throws InterruptedException {
            try {
                boolean isShort = true;
                while (isShort) {
                    isShort = false;
                    for (Map<CounterMemory, List<BlockRequest>> ofTable : byTable(server)) {
                        isShort |= draw(server, ofTable);
                    }
                    open.removeIf(BlockRequest::isAnswered);
                }
            } catch (SQLException | IdConfigurationException e) {
                open.removeIf(BlockRequest::isAnswered);
                failed(open.stream().map(Counters::counter).toList(), server, e, isTrial);
                open.forEach(each -> reasons(counter(each)).put(server, e));
            }
        }

        /**
         * The requests of each table by counter, in the order of the counters' names. Of one counter, small requests
         * come first: all get some of a block.
         */
        private Collection<Map<CounterMemory, List<BlockRequest>>> byTable(CounterServer server) {
            return open.stream()
                    .filter(each -> !reasons(counter(each)).containsKey(server))
                    .sorted(Comparator.comparing(
                                    (BlockRequest each) -> counter(each).key().ledgerRow())
                            .thenComparingLong(BlockRequest::wanted))
                    .collect(Collectors.groupingBy(
                            each -> counter(each).key().table(),
                            LinkedHashMap::new,
                            Collectors.groupingBy(
                                    each -> counter(each).memory(), LinkedHashMap::new, Collectors.toList())))
                    .values()
                    .stream()
                    .<Map<CounterMemory, List<BlockRequest>>>map(each -> each)
                    .toList();
        }

        /** Returns whether a counter gave fewer ids than are wanted. */
        private boolean draw(CounterServer server, Map<CounterMemory, List<BlockRequest>> byCounter)
                throws SQLException, InterruptedException {
            Map<CounterMemory, Long> wanted = new LinkedHashMap<>();
            byCounter.forEach((memory, of) -> wanted.put(
                    memory, of.stream().mapToLong(BlockRequest::wanted).sum()));
            Map<CounterMemory, Drawn> drawn = server.draw(wanted, servers, list.rules());
            boolean isShort = false;
            for (Map.Entry<CounterMemory, List<BlockRequest>> each : byCounter.entrySet()) {
                isShort |= take(server, requireNonNull(drawn.get(each.getKey())), each.getValue());
            }
            return isShort;
        }

        private boolean take(CounterServer server, Drawn drawn, List<BlockRequest> of) {
            CounterKey key = counter(of.get(0)).key();
            switch (drawn.outcome()) {
                case GIVEN -> {
                    server.pause().succeeded();
                    return divide(server, requireNonNull(drawn.block()), of);
                }
                case LOCKED ->
                    of.forEach(each -> each.postpone(
                            "Another transaction has locked the counter: " + key + " on " + server.label()));
                case EXHAUSTED -> refuse(server, of, RefusalText.exhausted(key, server.label()));
                case REFUSED -> {
                    Set<Counter> counters = refused.computeIfAbsent(server, each -> new LinkedHashSet<>());
                    of.forEach(each -> counters.add(counter(each)));
                }
            }
            return false;
        }

        private boolean divide(CounterServer server, Block block, List<BlockRequest> of) {
            long taken = 0;
            for (BlockRequest each : of) {
                long count = Math.min(each.wanted(), block.count() - taken);
                if (count == 0) {
                    return true;
                }
                if (each.answer(new Block(block.first() + taken * block.step(), block.step(), count))) {
                    taken += count;
                    counter(each).succeeded(server);
                }
            }
            return false;
        }

        /** It is not the server that failed, but one counter. */
        private void refuse(CounterServer server, List<BlockRequest> of, Exception reason) {
            for (BlockRequest each : of) {
                reasons(counter(each)).put(server, reason);
                counter(each).failed(server, reason, false);
            }
            if (isTrial) {
                server.pause().succeeded();
            }
        }

        private Map<CounterServer, Exception> reasons(Counter counter) {
            return reasons.computeIfAbsent(counter.memory(), each -> new LinkedHashMap<>());
        }

        /** Looks at the counters that were refused, those of each table together. */
        private void align() throws InterruptedException {
            Map<String, Map<CounterMemory, Minimum>> byTable = new LinkedHashMap<>();
            List<Counter> callers = new ArrayList<>();
            refused.forEach((server, counters) -> counters.stream()
                    .filter(each -> isDue(server, each.memory()))
                    .forEach(each -> {
                        callers.add(each);
                        byTable.computeIfAbsent(each.key().table(), table -> new LinkedHashMap<>())
                                .put(each.memory(), each.memory().minimum());
                    }));
            Map<CounterServer, Set<Counter>> looked = new LinkedHashMap<>(refused);
            refused.clear();
            for (Map.Entry<String, Map<CounterMemory, Minimum>> each : byTable.entrySet()) {
                Map<CounterMemory, Outcome> outcomes = list.alignment(each.getKey())
                        .align(new Alignment.Request(
                                each.getValue(),
                                isTrial ? looked.keySet() : Set.of(),
                                false,
                                timeout,
                                (server, e) -> failed(callers, server, e, isTrial)));
                looked.forEach((server, counters) -> counters.stream()
                        .filter(of -> each.getValue().containsKey(of.memory()))
                        .forEach(of -> note(server, of, outcomes.get(of.memory()))));
            }
        }

        /** A counter of an answered request that was refused a moment ago can wait. */
        private boolean isDue(CounterServer server, CounterMemory memory) {
            CounterMemory.Judged last = memory.judged();
            return !last.isRefused(server.place())
                    || list.platform().nanoTime() - last.at() > REFUSED.toNanos()
                    || open.stream().anyMatch(each -> counter(each).memory() == memory);
        }

        private void note(CounterServer server, Counter counter, @Nullable Outcome outcome) {
            List<BlockRequest> of =
                    open.stream().filter(each -> counter(each) == counter).toList();
            if (outcome == null) {
                of.forEach(each -> each.postpone("Another client or thread changes the counter: " + counter.key()));
                return;
            }
            Refusal refusal = outcome.refusals().get(server.place());
            Exception failure = outcome.failures().get(server.place());
            if (failure != null) {
                reasons(counter).put(server, failure);
            } else if (refusal != null) {
                refuse(server, of, new IdConfigurationException(text.of(counter.key(), refusal)));
            }
        }

        private void end(List<CounterServer> order) {
            for (BlockRequest each : open) {
                Map<CounterServer, Exception> why = reasons(counter(each));
                ServerFailures failures = new ServerFailures();
                for (CounterServer server : order) {
                    Exception reason = why.get(server);
                    failures.add(server.label(), reason != null ? reason : unexplained(counter(each), server));
                }
                unasked.forEach(server -> failures.add(server.pause()));
                if (why.values().stream().anyMatch(ServerBusyException.class::isInstance)) {
                    each.postpone(failures.toString());
                } else if (!each.isPostponed()) {
                    each.fail(failure(failures));
                }
            }
        }

        private static SQLException unexplained(Counter counter, CounterServer server) {
            return new SQLException(
                    "The server gives no ids that can be trusted: " + counter.key() + " on " + server.label());
        }

        private static DistributedIdException failure(ServerFailures failures) {
            try {
                return failures.noneGivesIds();
            } catch (IdsExhaustedException e) {
                return e;
            }
        }
    }
}
