package io.distributedid.internal.counting;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counting.CounterMemory.Judged;
import io.distributedid.internal.counting.CounterServer.Look;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings the counters of one table into line on all their servers, before ids are drawn: at the first use, on each new
 * connection, after a refused draw, and when they must be raised.
 *
 * <ol>
 *   <li>All servers are read, side by side, each in one trip for all counters.
 *   <li>{@link CounterRules} judge each counter by what this process knew before the read: it draws meanwhile. Servers
 *       of which others know more are read once more: what happened between two reads looks like a loss. The evidence
 *       against them stays that of the first read.
 *   <li>The changes are made one after the other, each by compare-and-set, on the connection that was looked at. Equal
 *       changes of several counters are one. If one is not made, those that follow from it are not made either.
 *   <li>All are looked at again, until no change is left. Two processes that do this at once end in the same state.
 * </ol>
 *
 * <p>A server that fails is not asked again in the same call. One thread at a time aligns a table. Thread-safe.
 */
final class Alignment {

    private static final Logger LOG = System.getLogger(Alignment.class.getName());

    /** A first use takes a few. More are needed only if other processes change the counters meanwhile. */
    private static final int LOOKS = 45;

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** A look that left nothing to change is as good as a new one for a while: draws are refused after a change. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final List<CounterServer> servers;

    private final CounterRules rules;

    private final RefusalText text;

    private final Platform platform;

    private final ReentrantLock lock;

    /**
     * What is wanted.
     *
     * @param minimums by counter
     * @param also servers to ask although they are left out
     * @param isForAll whether all servers must answer and none may be refused: else nothing is changed
     * @param limit how long to wait for other threads
     * @param patience how long to look again for what may end by itself, such as the first use by another process
     * @param failed is told of servers that fail
     */
    record Request(
            Map<CounterMemory, Minimum> minimums,
            Set<CounterServer> also,
            boolean isForAll,
            Duration limit,
            Duration patience,
            BiConsumer<CounterServer, Exception> failed) {}

    /**
     * What came out for one counter.
     *
     * @param refusals by place; null if ids may be drawn there
     * @param failures by place, of servers that were asked and did not answer
     */
    record Outcome(List<@Nullable Refusal> refusals, Map<Integer, Exception> failures) {}

    Alignment(List<CounterServer> servers, CounterRules rules, Platform platform) {
        this.servers = servers;
        this.rules = rules;
        this.text = new RefusalText(servers.stream().map(CounterServer::label).toList(), rules);
        this.platform = platform;
        this.lock = platform.lock();
    }

    /** Returns what came out, by counter; empty if other threads or processes have held it up for too long. */
    Map<CounterMemory, Outcome> align(Request request) throws InterruptedException {
        long began = platform.nanoTime();
        if (!lock.tryLock(request.limit.toMillis(), TimeUnit.MILLISECONDS)) {
            return Map.of();
        }
        try {
            return new Run(request, began).run();
        } finally {
            lock.unlock();
        }
    }

    private final class Run {

        private final Request request;

        private final long began;

        private final Map<CounterMemory, Minimum> left = new LinkedHashMap<>();

        private final Map<CounterMemory, Outcome> outcomes = new LinkedHashMap<>();

        private final Map<Integer, Exception> failures = new TreeMap<>();

        private boolean asksAll;

        Run(Request request, long began) {
            this.request = request;
            this.began = began;
            this.asksAll = request.isForAll;
            request.minimums.forEach((memory, minimum) -> {
                if (isFresh(memory, minimum)) {
                    outcomes.put(memory, new Outcome(memory.judged().refusals(), Map.of()));
                } else {
                    left.put(memory, minimum);
                }
            });
        }

        private boolean isFresh(CounterMemory memory, Minimum minimum) {
            Judged last = memory.judged();
            return servers.stream().anyMatch(each -> last.isGood(each.place()))
                    && last.covers(minimum)
                    && platform.nanoTime() - last.at() < FRESH.toNanos()
                    && servers.stream()
                            .allMatch(each -> last.isGood(each.place())
                                    ? each.isReady(memory.counter())
                                    : each.isLeftOut() && !request.isForAll && !request.also.contains(each));
        }

        Map<CounterMemory, Outcome> run() throws InterruptedException {
            int looks = 0;
            while (looks < LOOKS && !left.isEmpty()) {
                looks += round() ? 1 : 0;
            }
            return outcomes;
        }

        /** Returns false if it only waited. */
        private boolean round() throws InterruptedException {
            Set<CounterServer> asked = asked();
            Map<CounterMemory, Known> known = new HashMap<>();
            left.keySet().forEach(memory -> known.put(memory, memory.known()));
            List<@Nullable Look> first = look(
                    asked, left.keySet().stream().map(CounterMemory::counter).toList());
            String token = platform.token();
            Map<CounterMemory, Case> cases = new LinkedHashMap<>();
            left.forEach((memory, minimum) -> cases.put(
                    memory, new Case(memory, requireNonNull(known.get(memory)), minimum, first, first, token, rules)));
            if (!readAgain(cases)) {
                return true;
            }
            boolean isWaiting = false;
            List<Case> toChange = new ArrayList<>();
            for (Case each : cases.values()) {
                if (!each.verdict().writes().isEmpty() && !(request.isForAll && each.isRefusedAnywhere())) {
                    toChange.add(each);
                } else if (each.isUsableNowhere() && asked.size() + failures.size() < servers.size() && !asksAll) {
                    // A server that was left out may answer.
                    asksAll = true;
                    return true;
                } else if (each.isPassing() && failures.isEmpty() && !isOver()) {
                    isWaiting = true;
                } else {
                    end(each);
                }
            }
            write(toChange);
            if (isWaiting && toChange.isEmpty()) {
                platform.pause(PAUSE.toNanos());
                return false;
            }
            return true;
        }

        private boolean isOver() {
            return platform.nanoTime() - began > request.patience.toNanos();
        }

        private Set<CounterServer> asked() {
            Set<CounterServer> asked = new LinkedHashSet<>(servers);
            if (!asksAll) {
                asked.removeIf(each -> each.isLeftOut() && !request.also.contains(each));
            }
            if (asked.isEmpty()) {
                asked.addAll(servers);
            }
            asked.removeIf(each -> failures.containsKey(each.place()));
            return asked;
        }

        /** By place; null for those that are not asked, or did not answer. */
        private List<@Nullable Look> look(Set<CounterServer> asked, Collection<CounterKey> counters)
                throws InterruptedException {
            List<LibraryThread.Work<Integer>> work = new ArrayList<>();
            @Nullable Look[] looks = new @Nullable Look[servers.size()];
            @Nullable Exception[] failed = new @Nullable Exception[servers.size()];
            for (CounterServer server : asked) {
                work.add(() -> {
                    try {
                        looks[server.place()] = server.look(counters);
                    } catch (SQLException | IdConfigurationException e) {
                        failed[server.place()] = e;
                    }
                    return server.place();
                });
            }
            callAll(work);
            for (CounterServer server : asked) {
                Exception failure = failed[server.place()];
                if (failure != null) {
                    failed(server, failure);
                }
            }
            return Arrays.asList(looks);
        }

        private void callAll(List<LibraryThread.Work<Integer>> work) throws InterruptedException {
            try {
                if (!work.isEmpty()) {
                    List<Integer> unused = platform.callAll(work);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** A table that must not be used is no failure of the server: its other tables may be good. */
        private void failed(CounterServer server, Exception failure) {
            failures.put(server.place(), failure);
            if (failure instanceof SQLException) {
                request.failed.accept(server, failure);
            }
        }

        /** Returns false if a server did not answer again: then all begins anew. */
        private boolean readAgain(Map<CounterMemory, Case> cases) throws InterruptedException {
            Map<CounterServer, Set<CounterKey>> doubted = new LinkedHashMap<>();
            cases.forEach((memory, each) -> each.verdict()
                    .doubts()
                    .forEach(place -> doubted.computeIfAbsent(servers.get(place), server -> new LinkedHashSet<>())
                            .add(memory.counter())));
            Map<CounterKey, Map<Integer, Look>> second = new HashMap<>();
            for (Map.Entry<CounterServer, Set<CounterKey>> each : doubted.entrySet()) {
                int place = each.getKey().place();
                Look look = look(Set.of(each.getKey()), each.getValue()).get(place);
                if (look == null) {
                    return false;
                }
                each.getValue()
                        .forEach(counter -> second.computeIfAbsent(counter, key -> new HashMap<>())
                                .put(place, look));
            }
            cases.replaceAll((memory, each) -> {
                Map<Integer, Look> again = second.get(memory.counter());
                return again == null ? each : each.with(again);
            });
            return true;
        }

        private void end(Case judged) {
            CounterMemory memory = judged.memory();
            List<@Nullable Refusal> before = memory.judged().refusals();
            List<@Nullable Refusal> refusals = judged.verdict().refusals();
            for (CounterServer server : servers) {
                Refusal refusal = refusals.get(server.place());
                Look look = judged.seen().get(server.place());
                if (refusal == null && look != null && judged.verdict().writes().isEmpty()) {
                    memory.learn(server.place(), look.seen(memory.counter()));
                    look.allowDraws(memory.counter());
                } else if (refusal != null
                        && !refusal.isPassing()
                        && !before.contains(refusal)
                        && !judged.isUsableNowhere()) {
                    LOG.log(Level.WARNING, "A counter is not used on a server. " + text.of(memory.counter(), refusal));
                }
            }
            if (judged.verdict().writes().isEmpty()) {
                memory.judged(new Judged(judged.minimum(), refusals, platform.nanoTime()));
            }
            outcomes.put(memory, new Outcome(refusals, Map.copyOf(failures)));
            left.remove(memory);
        }

        private void write(List<Case> cases) throws InterruptedException {
            Map<Write, Boolean> made = new HashMap<>();
            for (Case each : cases) {
                for (Write write : each.verdict().writes()) {
                    Boolean known = made.get(write);
                    boolean isMade = known == null ? write(each, write) : known;
                    made.put(write, isMade);
                    if (!isMade) {
                        break;
                    }
                }
            }
        }

        private boolean write(Case judged, Write write) throws InterruptedException {
            CounterServer server = servers.get(write.place());
            if (failures.containsKey(write.place())) {
                return false;
            }
            Look look = requireNonNull(judged.seen().get(write.place()));
            try {
                boolean isMade = server.write(look, write);
                if (isMade && write.change() instanceof Write.ToRow to) {
                    log(write, to, look.seen(to.counter()), judged.minimum());
                }
                return isMade;
            } catch (SQLException | IdConfigurationException e) {
                failed(server, e);
                return false;
            }
        }
    }

    private void log(Write write, Write.ToRow to, Seen seen, Minimum minimum) {
        boolean isMinimum = !to.isLoss() && to.above().orElse(0) == minimum.raiseAbove();
        String made = text.made(write.place(), to, seen, isMinimum);
        if (!made.isEmpty()) {
            LOG.log(isMinimum ? Level.INFO : Level.WARNING, made);
        }
    }
}
