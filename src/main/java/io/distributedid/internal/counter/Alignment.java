package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.CounterMemory.Judged;
import io.distributedid.internal.counter.CounterServer.Look;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
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
 *   <li>The changes of a counter are made one after the other, each by compare-and-set, on the connection that was
 *       looked at, and together with those of other counters. Equal changes of several counters are one. If one is not
 *       made, those that follow from it are not made either.
 *   <li>All are looked at again, until no change is left. Two processes that do this at once end in the same state.
 * </ol>
 *
 * <p>A server that fails is not asked again in the same call. One thread at a time aligns a table. The class is long
 * because the steps of one call share what failed and what is left. Thread-safe.
 */
final class Alignment {

    private static final Logger LOG = System.getLogger(Alignment.class.getName());

    /** A first use takes a few. More are needed only if other processes change the counters meanwhile. */
    private static final int LOOKS = 45;

    private static final Duration PAUSE = Duration.ofMillis(20);

    /** A look that left nothing to change is as good as a new one for a while: draws are refused after a change. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final ServerList list;

    private final List<CounterServer> servers;

    private final Platform platform;

    private final ReentrantLock lock;

    /**
     * What is wanted.
     *
     * @param also servers to ask although they are left out
     * @param isForAll whether all servers must answer and none may be refused: else nothing is changed
     * @param limit how long to wait for other threads
     * @param patience how long to look again for what may end by itself, such as the first use by another process
     * @param failed is told of servers that fail
     */
    record Request(
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

    /** A counter, what was seen of it, and the verdict. By place; null if a server did not answer. */
    private record Case(
            CounterMemory memory,
            Known known,
            Minimum minimum,
            List<@Nullable Look> first,
            List<@Nullable Look> seen,
            Verdict verdict) {

        boolean isRefused(Predicate<Refusal> how) {
            return verdict.refusals().stream().anyMatch(refusal -> refusal != null && how.test(refusal));
        }

        boolean isUsableNowhere() {
            return !verdict.refusals().contains(null);
        }
    }

    Alignment(ServerList list) {
        this.list = list;
        this.servers = list.servers();
        this.platform = list.platform();
        this.lock = platform.lock();
    }

    /**
     * Returns what came out, by counter; empty if other threads or processes have held it up for too long.
     *
     * @param minimums by counter, of this batch
     */
    Map<CounterMemory, Outcome> align(Map<CounterMemory, Minimum> minimums, Request request)
            throws InterruptedException {
        long began = platform.nanoTime();
        if (!lock.tryLock(request.limit.toMillis(), TimeUnit.MILLISECONDS)) {
            return Map.of();
        }
        try {
            Run run = new Run(request, minimums, began);
            Map<CounterMemory, Outcome> outcomes = run.run();
            if (run.failures.values().stream().noneMatch(IdConfigurationException.class::isInstance)) {
                return outcomes;
            }
            for (Map<CounterMemory, Minimum> ofTable : byTable(minimums)) {
                outcomes.putAll(new Run(request, ofTable, began).run());
            }
            return outcomes;
        } finally {
            lock.unlock();
        }
    }

    /** Of several tables, one that must not be used fails a look at all. Empty if there is one. */
    private static Collection<Map<CounterMemory, Minimum>> byTable(Map<CounterMemory, Minimum> minimums) {
        Map<String, Map<CounterMemory, Minimum>> tables = new LinkedHashMap<>();
        minimums.forEach(
                (memory, minimum) -> tables.computeIfAbsent(memory.counter().table(), table -> new LinkedHashMap<>())
                        .put(memory, minimum));
        return tables.size() > 1 ? tables.values() : List.of();
    }

    private final class Run {

        private final Request request;

        private final long began;

        private final Map<CounterMemory, Minimum> left = new LinkedHashMap<>();

        private final Map<CounterMemory, Outcome> outcomes = new LinkedHashMap<>();

        private final Map<Integer, Exception> failures = new ConcurrentSkipListMap<>();

        private boolean asksAll;

        Run(Request request, Map<CounterMemory, Minimum> minimums, long began) {
            this.request = request;
            this.began = began;
            this.asksAll = request.isForAll;
            minimums.forEach((memory, minimum) -> {
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
                    && (last.covers(minimum) || isPassed(memory, minimum))
                    && platform.nanoTime() - last.at() < FRESH.toNanos()
                    && servers.stream()
                            .allMatch(each -> last.isGood(each.place())
                                    ? each.isReady(memory.counter())
                                    : each.isLeftOut() && !request.isForAll && !request.also.contains(each));
        }

        /**
         * Numbers never fall: a draw that would give one that was seen is refused. Whoever asks for all servers needs a
         * look: only that finds one that joined, which may lie below.
         */
        private boolean isPassed(CounterMemory memory, Minimum minimum) {
            Known known = memory.known();
            return !request.isForAll
                    && servers.stream()
                            .filter(each -> memory.judged().isGood(each.place()))
                            .allMatch(each -> {
                                Numbering numbering = each.numbering();
                                return numbering != null
                                        && known.server(each.place())
                                                .filter(of -> minimum.isPassed(numbering, of.number()))
                                                .isPresent();
                            });
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
            List<@Nullable Look> first = look(asked);
            Map<String, String> tokens = new HashMap<>();
            List<Case> cases = new ArrayList<>();
            left.forEach((memory, minimum) ->
                    cases.add(judge(memory, requireNonNull(known.get(memory)), minimum, first, first, tokens)));
            if (!readAgain(cases, tokens)) {
                return true;
            }
            boolean isWaiting = false;
            List<Case> toChange = new ArrayList<>();
            for (Case each : cases) {
                if (!each.verdict().writes().isEmpty() && !(request.isForAll && each.isRefused(refusal -> true))) {
                    toChange.add(each);
                } else if (each.isUsableNowhere() && asked.size() + failures.size() < servers.size() && !asksAll) {
                    // A server that was left out may answer.
                    asksAll = true;
                    return true;
                } else if (each.isRefused(Refusal::isFirstUse) && failures.isEmpty() && !isOver()) {
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

        private Case judge(
                CounterMemory memory,
                Known known,
                Minimum minimum,
                List<@Nullable Look> first,
                List<@Nullable Look> seen,
                Map<String, String> tokens) {
            CounterKey counter = memory.counter();
            String token = tokens.computeIfAbsent(counter.table(), table -> platform.token());
            List<@Nullable Seen> now = of(counter, seen);
            Verdict verdict = list.rules().plan(counter, of(counter, first), now, known, minimum, token);
            return new Case(
                    memory, known, minimum, first, seen, request.isForAll ? reachingAll(verdict, now) : verdict);
        }

        /** A server that joined, and that this list does not name, would stay below. */
        private Verdict reachingAll(Verdict verdict, List<@Nullable Seen> seen) {
            for (int place = 0; place < seen.size(); place++) {
                Seen one = seen.get(place);
                Header header = one == null ? null : one.header();
                if (header != null && header.members().size() > seen.size()) {
                    Refusal more = Refusal.of(Refusal.Kind.MEMBERS, place, seen.size() + " servers", header.members());
                    return new Verdict(List.of(), Collections.nCopies(seen.size(), more), Set.of(), Set.of());
                }
            }
            return verdict;
        }

        private static List<@Nullable Seen> of(CounterKey counter, List<@Nullable Look> looks) {
            List<@Nullable Seen> all = new ArrayList<>();
            looks.forEach(look -> all.add(look == null ? null : look.seen(counter)));
            return all;
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
        private List<@Nullable Look> look(Set<CounterServer> asked) throws InterruptedException {
            List<CounterKey> counters =
                    left.keySet().stream().map(CounterMemory::counter).toList();
            List<LibraryThread.Work<Integer>> work = new ArrayList<>();
            @Nullable Look[] looks = new @Nullable Look[servers.size()];
            for (CounterServer server : asked) {
                work.add(() -> {
                    try {
                        looks[server.place()] = server.look(counters);
                    } catch (SQLException | IdConfigurationException e) {
                        failed(server, e);
                    }
                    return server.place();
                });
            }
            List<Integer> unused = callAll(work);
            return Arrays.asList(looks);
        }

        private <T> List<T> callAll(List<LibraryThread.Work<T>> work) throws InterruptedException {
            try {
                return work.isEmpty() ? List.of() : platform.callAll(work);
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

        /** Returns false if a server did not answer again, or another one is doubted now: then all begins anew. */
        private boolean readAgain(List<Case> cases, Map<String, String> tokens) throws InterruptedException {
            Set<CounterServer> doubted = new LinkedHashSet<>();
            cases.forEach(each -> each.verdict().doubts().forEach(place -> doubted.add(servers.get(place))));
            if (doubted.isEmpty()) {
                return true;
            }
            List<@Nullable Look> again = look(doubted);
            if (doubted.stream().anyMatch(each -> again.get(each.place()) == null)) {
                return false;
            }
            boolean isJudged = true;
            for (int i = 0; i < cases.size(); i++) {
                Case each = cases.get(i);
                List<@Nullable Look> seen = new ArrayList<>(each.first());
                each.verdict().doubts().forEach(place -> seen.set(place, again.get(place)));
                Case next = judge(each.memory(), each.known(), each.minimum(), each.first(), seen, tokens);
                isJudged &= each.verdict().doubts().containsAll(next.verdict().doubts());
                cases.set(i, next);
            }
            return isJudged;
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
                    LOG.log(
                            Level.WARNING,
                            "A counter is not used on a server. " + list.text().of(memory.counter(), refusal));
                }
            }
            if (judged.verdict().writes().isEmpty()) {
                memory.judged(new Judged(judged.minimum(), refusals, platform.nanoTime()));
            }
            outcomes.put(memory, new Outcome(refusals, new TreeMap<>(failures)));
            left.remove(memory);
        }

        /** The first changes of all counters, side by side on all servers, then the second ones, and so on. */
        private void write(List<Case> cases) throws InterruptedException {
            Set<Write> made = new HashSet<>();
            List<Case> going = cases;
            for (int step = 0; !going.isEmpty(); step++) {
                Map<Integer, Map<Write, Case>> byPlace = new TreeMap<>();
                for (Case each : going) {
                    Write write = each.verdict().writes().get(step);
                    byPlace.computeIfAbsent(write.place(), place -> new LinkedHashMap<>())
                            .putIfAbsent(write, each);
                }
                List<LibraryThread.Work<Set<Write>>> work = new ArrayList<>();
                byPlace.forEach((place, writes) -> work.add(() -> write(servers.get(place), writes)));
                callAll(work).forEach(made::addAll);
                int next = step + 1;
                going = going.stream()
                        .filter(each -> made.contains(each.verdict().writes().get(next - 1)))
                        .filter(each -> each.verdict().writes().size() > next)
                        .toList();
            }
        }

        private Set<Write> write(CounterServer server, Map<Write, Case> writes) throws InterruptedException {
            Map<Write, Look> looks = new LinkedHashMap<>();
            writes.forEach(
                    (write, of) -> looks.put(write, requireNonNull(of.seen().get(server.place()))));
            try {
                Set<Write> made = failures.containsKey(server.place()) ? Set.of() : server.write(looks);
                made.forEach(write -> log(write, requireNonNull(writes.get(write))));
                return made;
            } catch (SQLException | IdConfigurationException e) {
                failed(server, e);
                return Set.of();
            }
        }
    }

    private void log(Write write, Case of) {
        if (write.change() instanceof Write.ToRow to) {
            Seen seen = requireNonNull(of.seen().get(write.place())).seen(to.counter());
            String made = list.text().made(write, seen, of.minimum());
            if (!made.isEmpty()) {
                LOG.log(to.isRaisedTo(of.minimum()) ? Level.INFO : Level.WARNING, made);
            }
        }
    }
}
