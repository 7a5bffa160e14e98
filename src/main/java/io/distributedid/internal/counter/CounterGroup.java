package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reserves blocks of several sequences together, on servers that can stand in for each other. A call asks one server
 * for all of them. Sequences that share a counter, as in a ticket table, share one block, which is divided.
 *
 * <p>What the first server does not give, the next one is asked for: a server that is in use again after a failure must
 * first be looked at, for each counter. If a server fails, it is left out, and the next one is asked for all.
 * Thread-safe.
 */
final class CounterGroup<C extends CounterKey> implements BlockGroup {

    private final List<CounterServer<C>> servers;

    /** So that the first blocks of several sequences come from different servers. */
    private final AtomicInteger turn = new AtomicInteger();

    /** {@code servers} are in the order of their places. */
    CounterGroup(List<CounterServer<C>> servers) {
        this.servers = servers;
    }

    List<CounterServer<C>> servers() {
        return servers;
    }

    @Override
    public int parallel() {
        return servers.size();
    }

    /** Round robin; servers that may hang come last. */
    void sort(List<CounterServer<C>> inUse, List<CounterServer<C>> leftOut) {
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

    @Override
    public void reserve(List<BlockRequest> requests) throws InterruptedException {
        List<CounterServer<C>> inUse = new ArrayList<>();
        List<CounterServer<C>> leftOut = new ArrayList<>();
        sort(inUse, leftOut);
        if (!inUse.isEmpty()) {
            leftOut.forEach(counter(requests.get(0))::tryInBackground);
        }
        List<BlockRequest> open = new ArrayList<>(requests);
        for (CounterServer<C> server : inUse) {
            ask(server, open);
            open.removeIf(BlockRequest::isAnswered);
            if (open.isEmpty()) {
                return;
            }
        }
    }

    /** Asks again while a server gives fewer ids than are wanted of a counter that several sequences share. */
    private void ask(CounterServer<C> server, List<BlockRequest> requests) throws InterruptedException {
        List<BlockRequest> open = new ArrayList<>(requests);
        boolean isAnswered = true;
        while (isAnswered && !open.isEmpty()) {
            Map<C, List<BlockRequest>> byCounter = byCounter(open);
            Map<C, CounterServer.Wanted<C>> wanted = wanted(byCounter);
            try {
                server.reserve(wanted, servers);
                server.pause().succeeded();
            } catch (ServerBusyException e) {
                return;
            } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
                open.forEach(each -> counter(each).failedElsewhere(server, e));
                isAnswered = false;
            }
            wanted.forEach((key, each) -> answer(server, each, byCounter.getOrDefault(key, List.of())));
            isAnswered &= open.removeIf(BlockRequest::isAnswered);
        }
    }

    /**
     * In the order of the counters, in which all processes draw from them. Of one counter, small requests come first:
     * one hot sequence must not use up the block.
     */
    private Map<C, List<BlockRequest>> byCounter(List<BlockRequest> requests) {
        Map<C, List<BlockRequest>> found = new LinkedHashMap<>();
        requests.stream()
                .sorted(Comparator.comparing(
                                (BlockRequest each) -> counter(each).key().toString())
                        .thenComparingLong(BlockRequest::wanted))
                .forEach(each -> found.computeIfAbsent(counter(each).key(), first -> new ArrayList<>())
                        .add(each));
        return found;
    }

    private Map<C, CounterServer.Wanted<C>> wanted(Map<C, List<BlockRequest>> byCounter) {
        Map<C, CounterServer.Wanted<C>> wanted = new LinkedHashMap<>();
        byCounter.forEach((key, requests) -> wanted.put(
                key,
                new CounterServer.Wanted<>(
                        key,
                        counter(requests.get(0)).alignment().history(),
                        requests.stream().mapToLong(BlockRequest::wanted).sum())));
        return wanted;
    }

    private void answer(CounterServer<C> server, CounterServer.Wanted<C> wanted, List<BlockRequest> requests) {
        Block block = wanted.block();
        if (block == null) {
            if (wanted.isLocked()) {
                requests.forEach(each -> each.postpone("Another transaction has locked the counter: "
                        + counter(each).key() + " on " + server.label()));
            }
            return;
        }
        long taken = 0;
        for (BlockRequest each : requests) {
            long count = Math.min(each.wanted(), block.count() - taken);
            if (count > 0 && each.answer(new Block(block.first() + taken * block.step(), block.step(), count))) {
                taken += count;
                counter(each).succeeded(server);
            }
        }
    }

    /** The requests of this group come from its counters. */
    @SuppressWarnings("unchecked")
    private Counter<C> counter(BlockRequest request) {
        return (Counter<C>) request.source();
    }
}
