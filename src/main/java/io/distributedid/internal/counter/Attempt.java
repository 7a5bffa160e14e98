package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.counter.Alignment.Outcome;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.Pages;
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

/** One call of {@link Counters#reserve}: what is open, and what the servers said of it. Used by one thread. */
final class Attempt {

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

    /** Those without an answer. */
    private List<BlockRequest> open() {
        open.removeIf(BlockRequest::isAnswered);
        return open;
    }

    /** The server failed. */
    void failed(CounterServer server, SQLException e) {
        list.group().failed(open().stream().map(Counter::of).toList(), server, e, isTrial);
        open.forEach(each -> reasons(memory(each)).put(server, e));
    }

    /**
     * What to ask a server for: the requests of each batch by counter, in the order of the counters' names. Of one
     * counter, small requests come first: all get some of a block.
     */
    Collection<Map<CounterMemory, List<BlockRequest>>> batches(CounterServer server) {
        return open().stream()
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

    /** Takes what a counter gave. Returns whether that is less than is wanted of it. */
    boolean take(CounterServer server, Drawn drawn, List<BlockRequest> of) {
        CounterMemory memory = memory(of.get(0));
        CounterKey key = memory.counter();
        switch (drawn.outcome()) {
            case GIVEN -> {
                server.pause().succeeded();
                return divide(server, requireNonNull(drawn.block()), of);
            }
            case LOCKED ->
                of.forEach(each -> each.postpone("Another transaction has locked the counter: " + key + " on "
                        + server.label() + Pages.onCall("locked")));
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
    void refuse(CounterServer server, List<BlockRequest> of, Exception reason) {
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

    /** Whether counters must be looked at before ids are drawn. */
    boolean isLookDue() {
        return !refused.isEmpty();
    }

    /** Looks at the counters that were refused. Returns the servers to ask again. */
    Collection<CounterServer> look() throws InterruptedException {
        Map<CounterServer, Set<CounterMemory>> looked = new LinkedHashMap<>(refused);
        refused.clear();
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
                        // Another server on trial may show that this one lost ids.
                        isTrial ? Set.copyOf(list.servers()) : Set.of(),
                        false,
                        list.timeout(),
                        PATIENCE,
                        (server, e) -> list.group().failed(callers, server, e, isTrial && looked.containsKey(server))));
        looked.forEach((server, counters) ->
                counters.stream().filter(due::containsKey).forEach(each -> note(server, each, outcomes.get(each))));
        return looked.keySet();
    }

    /** A counter of an answered request that was refused a moment ago can wait. */
    private boolean isDue(CounterServer server, CounterMemory memory) {
        CounterMemory.Judged last = memory.judged();
        return !last.isRefused(server.place())
                || list.platform().nanoTime() - last.at() > REFUSED.toNanos()
                || !open(memory).isEmpty();
    }

    private List<BlockRequest> open(CounterMemory memory) {
        return open().stream().filter(each -> memory(each) == memory).toList();
    }

    private void note(CounterServer server, CounterMemory memory, @Nullable Outcome outcome) {
        List<BlockRequest> of = open(memory);
        if (outcome == null) {
            of.forEach(each -> each.postpone("Another client or thread keeps changing the counter: " + memory.counter()
                    + Pages.onCall("locked")));
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

    /** Requests that have no answer fail, or are postponed. {@code order}: the servers that were asked. */
    void end(List<CounterServer> order) {
        for (BlockRequest each : open()) {
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
