package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.block.BlockGroup;
import io.distributedid.internal.block.BlockRequest;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Reserves blocks of several sequences together, on servers that can stand in for each other. A call asks one server
 * for all of them. Sequences that share a counter, as in a ticket table, share one block, which is divided.
 *
 * <p>What the first server does not give, the next one is asked for: a server that is in use again after a failure must
 * first be looked at, for each counter. If a server fails, it is left out, and the next one is asked for all.
 * Thread-safe.
 */
final class CounterGroup<C extends CounterKey> implements BlockGroup {

    private static final Logger LOG = System.getLogger(CounterGroup.class.getName());

    /** A call looks at no more counters after this time. */
    private static final Duration LONGEST_ALIGNMENT = Duration.ofMillis(100);

    private final List<CounterServer<C>> servers;

    private final Platform platform;

    /** So that the first blocks of several sequences come from different servers. */
    private final AtomicInteger turn = new AtomicInteger();

    /** {@code servers} are in the order of their places. */
    CounterGroup(List<CounterServer<C>> servers, Platform platform) {
        this.servers = servers;
        this.platform = platform;
    }

    List<CounterServer<C>> servers() {
        return servers;
    }

    Platform platform() {
        return platform;
    }

    @Override
    public String label() {
        return servers.stream().map(CounterServer::label).collect(Collectors.joining(", "));
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
        if (requests.size() == 1 && !requests.get(0).wasPostponed()) {
            // Its source reserves what is not answered, in fewer trips.
            return;
        }
        List<CounterServer<C>> inUse = new ArrayList<>();
        List<CounterServer<C>> leftOut = new ArrayList<>();
        sort(inUse, leftOut);
        if (!inUse.isEmpty()) {
            leftOut.forEach(counter(requests.get(0))::tryInBackground);
        }
        Attempt attempt = new Attempt(requests);
        for (CounterServer<C> server : inUse) {
            if (!attempt.open.isEmpty()) {
                attempt.ask(server, false);
            }
        }
        if (inUse.isEmpty()) {
            for (CounterServer<C> server : leftOut) {
                attempt.tryAgain(server);
            }
        }
        if (!attempt.hasAsked) {
            attempt.fail();
        }
        attempt.align();
    }

    /** What is open of a call, and what its servers said. */
    private final class Attempt {

        private final List<BlockRequest> open;

        private final ServerFailures failures = new ServerFailures();

        /** The counters that must be looked at on a server before it is used. */
        private final Map<CounterServer<C>, Map<C, Counter<C>>> untrusted = new LinkedHashMap<>();

        /** Whether a server has answered. */
        private boolean hasAsked;

        /** Whether a server answers another call. */
        private boolean isBusy;

        Attempt(List<BlockRequest> requests) {
            this.open = new ArrayList<>(requests);
        }

        /** A server that was left out, unless another caller tries it. */
        void tryAgain(CounterServer<C> server) throws InterruptedException {
            if (open.isEmpty() || !server.pause().beginTrial(false)) {
                failures.add(server.pause());
                return;
            }
            try {
                ask(server, true);
            } finally {
                server.pause().endTrial();
            }
        }

        /** Asks again while a server gives fewer ids than are wanted of a counter that several sequences share. */
        void ask(CounterServer<C> server, boolean isTrial) throws InterruptedException {
            boolean isAnswered = true;
            while (isAnswered && !open.isEmpty()) {
                Map<C, List<BlockRequest>> byCounter = byCounter(open);
                Map<C, CounterServer.Wanted<C>> wanted = wanted(byCounter);
                boolean failed = false;
                try {
                    server.reserve(wanted, servers);
                    hasAsked = true;
                    if (wanted.values().stream().anyMatch(each -> each.block() != null)) {
                        server.pause().succeeded();
                    }
                } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
                    failed = true;
                    isBusy |= e instanceof ServerBusyException;
                    failures.add(server.label(), e);
                    open.forEach(each -> counter(each).failedInGroup(server, e, isTrial));
                }
                wanted.forEach((key, each) -> {
                    List<BlockRequest> of = requireNonNull(byCounter.get(key));
                    answer(server, each, of);
                    if (!each.isTrusted()) {
                        untrusted
                                .computeIfAbsent(server, first -> new LinkedHashMap<>())
                                .put(key, counter(of.get(0)));
                    }
                });
                isAnswered = open.removeIf(BlockRequest::isAnswered) && !failed;
            }
        }

        /** First those of open requests, which are then sent again. The others may be left for later. */
        void align() throws InterruptedException {
            long began = platform.nanoTime();
            prepare();
            for (CounterServer<C> server : List.copyOf(untrusted.keySet())) {
                if (!open.isEmpty()) {
                    alignOpen(server);
                    ask(server, false);
                }
            }
            for (Map.Entry<CounterServer<C>, Map<C, Counter<C>>> each : untrusted.entrySet()) {
                for (Counter<C> counter : each.getValue().values()) {
                    if (platform.nanoTime() - began > LONGEST_ALIGNMENT.toNanos()) {
                        return;
                    }
                    align(each.getKey(), counter);
                }
            }
        }

        /** Several counters are looked at together. */
        private void prepare() throws InterruptedException {
            Map<C, Counter<C>> counters = new LinkedHashMap<>();
            untrusted.values().forEach(counters::putAll);
            if (counters.size() > 1) {
                Preparation.run(servers, counters.values(), platform);
                for (CounterServer<C> server : List.copyOf(untrusted.keySet())) {
                    untrusted.remove(server);
                    if (!open.isEmpty()) {
                        ask(server, false);
                    }
                }
            }
        }

        private void alignOpen(CounterServer<C> server) throws InterruptedException {
            Map<C, Counter<C>> counters = requireNonNull(untrusted.get(server));
            for (BlockRequest each : open) {
                Counter<C> counter = counters.remove(counter(each).key());
                if (counter != null) {
                    align(server, counter);
                }
            }
        }

        /** If it fails, the counter is asked alone, and its caller gets the reason. */
        private void align(CounterServer<C> server, Counter<C> counter) throws InterruptedException {
            try {
                if (!server.isLeftOut()) {
                    counter.alignment().alignFor(server, counter);
                }
            } catch (IdConfigurationException | IdsExhaustedException | IdUnavailableException e) {
                LOG.log(Level.DEBUG, "A counter can't be used yet: " + counter.key() + " on " + server.label(), e);
            }
        }

        /** If a server is only busy, the requests are sent again. */
        void fail() {
            DistributedIdException failure = failure();
            String reason = String.valueOf(failure.getMessage());
            open.forEach(isBusy ? each -> each.postpone(reason) : each -> each.fail(failure));
        }

        private DistributedIdException failure() {
            try {
                return failures.noneGivesIds();
            } catch (IdsExhaustedException e) {
                return e;
            }
        }
    }

    @Override
    public Set<Rest> giveBack(List<Rest> rests) throws InterruptedException {
        return CounterReturns.giveBack(servers, rests);
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

    private Counter<C> counter(BlockRequest request) {
        return Counter.of(request.source());
    }
}
