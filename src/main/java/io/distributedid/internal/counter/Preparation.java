package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Does for several counters of one {@linkplain CounterKey#group group} what {@link CounterAlignment#align} would do for
 * each: in a number of trips to each server that does not grow with the counters. Afterwards {@code align} finds
 * {@link PreparedAnswers}.
 *
 * <ol>
 *   <li>All servers in use are asked for all counters, side by side, see {@link JointLook}.
 *   <li>{@link Plan} decides for each counter. A counter whose plan changes nothing is done. The first one with an
 *       unusual plan, for example to claim a table that it shares, is aligned alone. So is one after the first failure:
 *       that leaves out a server that is down.
 *   <li>The first changes of all other plans are made together, then the second ones of those whose first was made. So
 *       each counter's changes keep their order.
 *   <li>All servers are asked again for the counters that were not done, until none is left.
 * </ol>
 *
 * <p>If the process stops after a counter's mark was removed and before it was created, the counter counts as lost, as
 * {@link Plan} says: its next client raises it. Here this may be up to 200 counters at once. No id is given twice.
 *
 * <p>Counters that are refused, changed meanwhile or otherwise unusual are left to {@code align}, with its checks and
 * messages. Used once, by one thread.
 */
final class Preparation<C extends CounterKey> {

    private static final Logger LOG = System.getLogger(Preparation.class.getName());

    /** The most rows that one statement writes. */
    private static final int MAX_ROWS = 600;

    /** Each server takes a round, and claims take three; the others are for what other processes change meanwhile. */
    private static final int MORE_ROUNDS = 11;

    /**
     * A counter to prepare.
     *
     * @param above the minimum that is required next
     * @param raise whether all servers must answer, so that none stays below
     * @param uses how many sequences require it
     */
    record Wanted<C extends CounterKey>(
            Counter<C> counter, UnaryOperator<CounterMinimum> above, boolean raise, int uses) {

        /** The same counter, also for another sequence. */
        Wanted<C> and(Wanted<C> other) {
            return new Wanted<>(
                    counter,
                    minimum -> other.above.apply(above.apply(minimum)),
                    raise || other.raise,
                    uses + other.uses);
        }
    }

    /** @param answered when the servers had answered */
    private record Done(List<Seen> answers, long answered) {}

    private final List<CounterServer<C>> servers;

    private final Map<C, Wanted<C>> wanted;

    private final Platform platform;

    /** Those that are not done. */
    private final Map<C, Wanted<C>> left = new LinkedHashMap<>();

    private final Map<C, Done> done = new LinkedHashMap<>();

    private boolean alignedOne;

    /** Prepares counters again, which have a minimum already. */
    static <C extends CounterKey> void run(
            List<CounterServer<C>> servers, Collection<Counter<C>> counters, Platform platform)
            throws InterruptedException {
        Map<C, Wanted<C>> wanted = new LinkedHashMap<>();
        counters.forEach(each -> wanted.put(each.key(), new Wanted<>(each, minimum -> minimum, false, 0)));
        run(servers, wanted, platform);
    }

    /** Those of each group together. */
    static <C extends CounterKey> void run(List<CounterServer<C>> servers, Map<C, Wanted<C>> wanted, Platform platform)
            throws InterruptedException {
        Map<String, Map<C, Wanted<C>>> byGroup = new LinkedHashMap<>();
        wanted.forEach((key, each) -> byGroup.computeIfAbsent(key.group(), group -> new LinkedHashMap<>())
                .put(key, each));
        for (Map<C, Wanted<C>> each : byGroup.values()) {
            new Preparation<>(servers, each, platform).run();
        }
    }

    /** {@code wanted} are counters of one group. */
    Preparation(List<CounterServer<C>> servers, Map<C, Wanted<C>> wanted, Platform platform) {
        this.servers = servers;
        this.wanted = wanted;
        this.platform = platform;
    }

    /** Returns normally whatever fails: {@link CounterAlignment#align} will report it. */
    void run() throws InterruptedException {
        boolean allAnswer = servers.stream().noneMatch(CounterServer::isLeftOut);
        wanted.forEach((key, each) -> {
            if ((allAnswer || !each.raise) && alignment(key).lock.tryLock()) {
                left.put(key, each);
            }
        });
        Set<C> begun = Set.copyOf(left.keySet());
        try {
            runRounds();
            trust();
        } catch (SQLException | DistributedIdException e) {
            LOG.log(Level.DEBUG, "Counters are opened one by one: " + wanted.keySet(), e);
        } finally {
            begun.forEach(key -> alignment(key).lock.unlock());
        }
    }

    private CounterAlignment<C> alignment(C key) {
        return counter(key).alignment();
    }

    private Counter<C> counter(C key) {
        return requireNonNull(wanted.get(key)).counter;
    }

    private void runRounds() throws SQLException, InterruptedException {
        for (int round = 0; round < servers.size() + MORE_ROUNDS && !left.isEmpty(); round++) {
            try {
                runRound();
            } catch (SQLException | DistributedIdException e) {
                if (alignedOne || e instanceof DistributedIdException) {
                    LOG.log(Level.DEBUG, "Counters are opened one by one: " + left.keySet(), e);
                    return;
                }
                alignAlone(left.keySet().iterator().next());
            }
        }
    }

    private void runRound() throws SQLException, InterruptedException {
        Map<C, List<Seen>> answers = look();
        long answered = platform.nanoTime();
        left.keySet().retainAll(answers.keySet());
        Map<C, List<Change>> changes = new LinkedHashMap<>();
        List<C> unusual = new ArrayList<>();
        answers.forEach((key, seen) -> {
            Optional<Plan> plan = plan(key, seen);
            if (plan.isEmpty() || !plan.get().changes().stream().allMatch(change -> isUsual(key, change))) {
                unusual.add(key);
            } else if (!plan.get().refusals().isEmpty()) {
                left.remove(key);
            } else if (plan.get().changes().isEmpty()) {
                left.remove(key);
                done.put(key, new Done(seen, answered));
            } else {
                changes.put(key, plan.get().changes());
            }
        });
        make(changes);
        if (alignedOne) {
            left.keySet().removeAll(unusual);
        } else if (!unusual.isEmpty()) {
            alignAlone(unusual.get(0));
        }
    }

    /** Whether a change can be made together with those of other counters. */
    private static boolean isUsual(CounterKey counter, Change change) {
        boolean changesTogether = change.seen().changesTogether();
        return switch (change.kind()) {
            case CLAIM, OPEN -> changesTogether && counter.isAloneInItsTable();
            case CREATE -> changesTogether && (change.seen().last().isEmpty() || counter.isAloneInItsTable());
            case WITNESS, FLOOR -> true;
            case RAISE ->
                changesTogether
                        && change.isMinimum()
                        && change.seen().counter().isPresent()
                        && change.seen().last().isPresent();
        };
    }

    /** Asks all servers in use. */
    private Map<C, List<Seen>> look() throws SQLException, InterruptedException {
        List<CounterServer<C>> asked =
                servers.stream().filter(server -> !server.isLeftOut()).toList();
        if (asked.size() < servers.size()) {
            left.values().removeIf(Wanted::raise);
        }
        return new JointLook<>(asked, key -> alignment(key).history(), platform).at(List.copyOf(left.keySet()));
    }

    /** Empty if a server can't be used: perhaps only because others change the counter now. */
    private Optional<Plan> plan(C key, List<Seen> answers) {
        try {
            return Optional.of(alignment(key).plan(answers, requireNonNull(wanted.get(key)).above));
        } catch (DistributedIdException e) {
            return Optional.empty();
        }
    }

    /** Some counters after the others: if the process stops in the middle, few are in between two changes. */
    private void make(Map<C, List<Change>> changes) throws SQLException, InterruptedException {
        int most = Math.max(1, MAX_ROWS / (1 + servers.size()));
        List<C> keys = List.copyOf(changes.keySet());
        for (int from = 0; from < keys.size(); from += most) {
            makeSteps(new LinkedHashSet<>(keys.subList(from, Math.min(keys.size(), from + most))), changes);
        }
    }

    private void makeSteps(Set<C> keys, Map<C, List<Change>> changes) throws SQLException, InterruptedException {
        Set<C> made = keys;
        for (int step = 0; !made.isEmpty(); step++) {
            Map<Integer, Map<C, Change>> byPlace = new TreeMap<>();
            for (C key : made) {
                if (step < requireNonNull(changes.get(key)).size()) {
                    Change next = requireNonNull(changes.get(key)).get(step);
                    byPlace.computeIfAbsent(next.seen().place(), place -> new LinkedHashMap<>())
                            .put(key, next);
                }
            }
            List<LibraryThread.Work<Set<C>>> work = new ArrayList<>();
            byPlace.forEach((place, some) -> work.add(() -> servers.get(place).makeTogether(some)));
            made = new LinkedHashSet<>();
            Iterator<Map<C, Change>> next = byPlace.values().iterator();
            for (Set<C> some : platform.callAll(work)) {
                Map<C, Change> planned = next.next();
                some.forEach(key -> alignment(key).made(requireNonNull(planned.get(key))));
                made.addAll(some);
            }
        }
    }

    /** Leaves the counter to a later call if it is refused. */
    private void alignAlone(C key) throws InterruptedException {
        alignedOne = true;
        try {
            alignment(key)
                    .align(counter(key), requireNonNull(wanted.get(key)).above, requireNonNull(wanted.get(key)).raise);
        } catch (DistributedIdException e) {
            LOG.log(Level.DEBUG, "A counter is not prepared: " + key, e);
            left.remove(key);
        }
    }

    /** A counter is prepared if all servers that answered are trusted. */
    private void trust() throws SQLException, InterruptedException {
        for (CounterServer<C> server : servers) {
            Map<C, Seen> good = new LinkedHashMap<>();
            done.forEach((key, each) -> each.answers.stream()
                    .filter(seen -> seen.place() == server.place())
                    .forEach(seen -> good.put(key, seen)));
            if (!good.isEmpty()) {
                good.forEach((key, seen) ->
                        alignment(key).history().accept(seen.place(), seen.lastOrZero(), seen.generation()));
                Set<C> trusted = server.trustTogether(good);
                done.keySet().removeIf(key -> good.containsKey(key) && !trusted.contains(key));
            }
        }
        done.forEach((key, each) -> alignment(key)
                .prepared(new PreparedAnswers(
                        each.answers, platform::nanoTime, each.answered, requireNonNull(wanted.get(key)).uses)));
    }
}
