package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.counter.Alignment.Outcome;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.spi.Block;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One call of {@link Counters#reserve}: what is open, and what the servers said. Used once, by one thread. */
final class Attempt {

    /** How often a call looks at counters whose draws are refused: others may change them meanwhile. */
    private static final int LOOKS = 10;

    /** How long a call looks again for what may end by itself: its other counters wait, too. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    /** For how long a counter that was refused is not looked at again if another server gives ids. */
    private static final Duration REFUSED = Duration.ofSeconds(1);

    private final ServerList list;

    private final List<BlockRequest> all;

    private final List<BlockRequest> open;

    private final boolean isTrial;

    /** Why a server gives no ids of a counter: it is not asked again. */
    private final Map<CounterMemory, Map<CounterServer, Exception>> reasons = new HashMap<>();

    /** The counters that must be looked at on a server before ids are drawn. */
    private final Map<CounterServer, Set<CounterMemory>> refused = new LinkedHashMap<>();

    /** @param isTrial whether the servers are left out */
    Attempt(ServerList list, List<BlockRequest> requests, boolean isTrial) {
        this.list = list;
        this.all = requests;
        this.open = new ArrayList<>(requests);
        this.isTrial = isTrial;
    }

    /** Servers that were left out, unless other callers try them. */
    void tryAll(List<CounterServer> leftOut) throws InterruptedException {
        List<CounterServer> tried = leftOut.stream()
                .filter(server -> server.pause().beginTrial(false))
                .toList();
        try {
            run(tried);
        } finally {
            tried.forEach(server -> server.pause().endTrial());
        }
    }

    void run(List<CounterServer> order) throws InterruptedException {
        askAll(order);
        for (int look = 0; look < LOOKS && !refused.isEmpty(); look++) {
            Map<CounterServer, Set<CounterMemory>> looked = new LinkedHashMap<>(refused);
            refused.clear();
            align(looked);
            askAll(looked.keySet());
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
                for (Map<CounterMemory, List<BlockRequest>> batch : batches(server)) {
                    isShort |= draw(server, batch);
                }
                open.removeIf(BlockRequest::isAnswered);
            }
        } catch (SQLException e) {
            open.removeIf(BlockRequest::isAnswered);
            list.group().failed(open.stream().map(Counter::of).toList(), server, e, isTrial);
            open.forEach(each -> reasons(memory(each)).put(server, e));
        }
    }

    /**
     * The requests of each batch by counter, in the order of the counters' names. Of one counter, small requests come
     * first: all get some of a block.
     */
    private Collection<Map<CounterMemory, List<BlockRequest>>> batches(CounterServer server) {
        return open.stream()
                .filter(each -> !reasons(memory(each)).containsKey(server))
                .sorted(Comparator.comparing(
                                (BlockRequest each) -> Counter.of(each).key().ledgerRow())
                        .thenComparingLong(BlockRequest::wanted))
                .collect(Collectors.groupingBy(
                        each -> Counter.of(each).key().batch(),
                        LinkedHashMap::new,
                        Collectors.groupingBy(Attempt::memory, LinkedHashMap::new, Collectors.toList())))
                .values()
                .stream()
                .<Map<CounterMemory, List<BlockRequest>>>map(each -> each)
                .toList();
    }

    /** Returns whether a counter gave fewer ids than are wanted. */
    private boolean draw(CounterServer server, Map<CounterMemory, List<BlockRequest>> byCounter)
            throws SQLException, InterruptedException {
        Map<CounterMemory, Long> wanted = new LinkedHashMap<>();
        byCounter.forEach((memory, of) ->
                wanted.put(memory, of.stream().mapToLong(BlockRequest::wanted).sum()));
        Map<CounterMemory, Drawn> drawn;
        try {
            drawn = server.draw(wanted, list.servers(), list.rules());
        } catch (IdConfigurationException e) {
            // The other tables of the server may be good.
            byCounter.values().forEach(of -> refuse(server, of, e));
            return false;
        }
        boolean isShort = false;
        for (Map.Entry<CounterMemory, List<BlockRequest>> each : byCounter.entrySet()) {
            isShort |= take(server, requireNonNull(drawn.get(each.getKey())), each.getValue());
        }
        return isShort;
    }

    private boolean take(CounterServer server, Drawn drawn, List<BlockRequest> of) {
        CounterMemory memory = memory(of.get(0));
        CounterKey key = memory.counter();
        switch (drawn.outcome()) {
            case GIVEN -> {
                server.pause().succeeded();
                return divide(server, requireNonNull(drawn.block()), of);
            }
            case LOCKED ->
                of.forEach(each ->
                        each.postpone("Another transaction has locked the counter: " + key + " on " + server.label()));
            case EXHAUSTED -> refuse(server, of, RefusalText.exhausted(key, server.label()));
            case REFUSED ->
                refused.computeIfAbsent(server, each -> new LinkedHashSet<>()).add(memory);
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
            // First: who waits for the answer asks for the server.
            Counter.of(each).succeeded(server);
            if (each.answer(new Block(block.first() + taken * block.step(), block.step(), count))) {
                taken += count;
            }
        }
        return false;
    }

    /** It is not the server that failed, but one counter. */
    private void refuse(CounterServer server, List<BlockRequest> of, Exception reason) {
        for (BlockRequest each : of) {
            reasons(memory(each)).put(server, reason);
            Counter.of(each).failed(server, reason, false);
        }
        if (isTrial) {
            server.pause().succeeded();
        }
    }

    private static CounterMemory memory(BlockRequest request) {
        return Counter.of(request).memory();
    }

    private Map<CounterServer, Exception> reasons(CounterMemory memory) {
        return reasons.computeIfAbsent(memory, each -> new LinkedHashMap<>());
    }

    /** Looks at the counters that were refused. */
    private void align(Map<CounterServer, Set<CounterMemory>> looked) throws InterruptedException {
        Map<CounterMemory, Minimum> due = new LinkedHashMap<>();
        looked.forEach((server, counters) ->
                counters.stream().filter(each -> isDue(server, each)).forEach(each -> due.put(each, each.minimum())));
        List<Counter> callers = all.stream()
                .map(Counter::of)
                .filter(each -> due.containsKey(each.memory()))
                .toList();
        Map<CounterMemory, Outcome> outcomes = list.align(
                due,
                new Alignment.Request(
                        isTrial ? looked.keySet() : Set.of(),
                        false,
                        list.timeout(),
                        PATIENCE,
                        (server, e) -> list.group().failed(callers, server, e, isTrial)));
        looked.forEach((server, counters) ->
                counters.stream().filter(due::containsKey).forEach(each -> note(server, each, outcomes.get(each))));
    }

    /** A counter of an answered request that was refused a moment ago can wait. */
    private boolean isDue(CounterServer server, CounterMemory memory) {
        CounterMemory.Judged last = memory.judged();
        return !last.isRefused(server.place())
                || list.platform().nanoTime() - last.at() > REFUSED.toNanos()
                || !open(memory).isEmpty();
    }

    private List<BlockRequest> open(CounterMemory memory) {
        return open.stream().filter(each -> memory(each) == memory).toList();
    }

    private void note(CounterServer server, CounterMemory memory, @Nullable Outcome outcome) {
        List<BlockRequest> of = open(memory);
        if (outcome == null) {
            of.forEach(each -> each.postpone("Another client or thread changes the counter: " + memory.counter()));
            return;
        }
        Refusal refusal = outcome.refusals().get(server.place());
        Exception failure = outcome.failures().get(server.place());
        if (failure != null) {
            reasons(memory).put(server, failure);
        } else if (refusal != null) {
            refuse(server, of, new IdUnavailableException(list.text().of(memory.counter(), refusal)));
        }
    }

    private void end(List<CounterServer> order) {
        for (BlockRequest each : open) {
            Map<CounterServer, Exception> why = reasons(memory(each));
            ServerFailures failures = new ServerFailures();
            for (CounterServer server : order) {
                Exception reason = why.get(server);
                failures.add(server.label(), reason != null ? reason : unexplained(memory(each), server));
            }
            list.servers().stream()
                    .filter(server -> !order.contains(server))
                    .forEach(server -> failures.add(server.pause()));
            if (why.values().stream().anyMatch(ServerBusyException.class::isInstance)) {
                each.postpone(failures.toString());
            } else if (why.keySet().containsAll(list.servers())
                    && why.values().stream().allMatch(Attempt::isFinal)) {
                each.fail(why.values().iterator().next());
            } else if (!each.isPostponed()) {
                each.fail(failures.noneGivesIds());
            }
        }
    }

    private static SQLException unexplained(CounterMemory memory, CounterServer server) {
        return new SQLException(
                "The server gives no ids that can be trusted: " + memory.counter() + " on " + server.label());
    }

    /** Whether waiting does not help: the counter is at its end, or its table or a right must be set right. */
    private static boolean isFinal(Exception reason) {
        return reason instanceof IdsExhaustedException || reason instanceof IdConfigurationException;
    }
}
