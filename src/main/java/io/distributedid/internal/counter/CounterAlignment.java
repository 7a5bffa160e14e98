package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Aligns one counter on all its servers, which divide its numbers between them and drift apart while one is away.
 *
 * <p>A counter is looked at on all servers that answer before the first id is drawn, and again whenever a connection is
 * new, a draw was refused, or a block is doubtful. {@link Plan} says what must be changed; each change is made by
 * compare-and-set, and looked at again, until there is nothing left to change. Two processes that do so at once end in
 * the same state.
 *
 * <p>Shared by all sequences that use the counter. Thread-safe.
 */
final class CounterAlignment<C extends CounterKey> {

    private static final Logger LOG = System.getLogger(CounterAlignment.class.getName());

    /** A first use takes five looks. More are needed only if other processes change the same counter meanwhile. */
    private static final int LOOKS = 30;

    private final C key;

    private final List<CounterServer<C>> servers;

    private final List<String> labels;

    private final DriftLimit distance;

    private final CounterHistory history;

    /** Held while servers are looked at and changed. */
    private final ReentrantLock looking = new ReentrantLock();

    private volatile CounterMinimum minimum = CounterMinimum.NONE;

    /** Does not connect to any server. */
    CounterAlignment(C key, List<CounterServer<C>> servers, DriftLimit distance) {
        this(key, servers, distance, new CounterHistory(servers.size(), distance));
    }

    private CounterAlignment(C key, List<CounterServer<C>> servers, DriftLimit distance, CounterHistory history) {
        this.key = key;
        this.servers = servers;
        this.labels = servers.stream().map(CounterServer::label).toList();
        this.distance = distance;
        this.history = history;
    }

    /** Goes on with what this knows, on new connections to the same servers. */
    CounterAlignment<C> continuedOn(List<CounterServer<C>> successors) {
        CounterAlignment<C> copy = new CounterAlignment<>(key, successors, distance, history.copy());
        copy.minimum = minimum;
        return copy;
    }

    CounterHistory history() {
        return history;
    }

    /** Asks every server, also one that is left out for now, whether the counter can be used there. Raises none. */
    List<CheckResult> check() throws InterruptedException {
        return CounterCheck.of(servers, key, history, minimum, distance);
    }

    /**
     * Looks at all servers that answer, and aligns them.
     *
     * @param asking is told of servers that fail
     * @param above what the counter must lie above from now on
     * @param raise whether all servers must answer: none may stay below
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer that must; no server is raised then
     */
    void align(Counter<C> asking, UnaryOperator<CounterMinimum> above, boolean raise) throws InterruptedException {
        looking.lockInterruptibly();
        try {
            CounterMinimum next = above.apply(minimum);
            Plan plan = look(asking, next, Optional.empty(), raise);
            if (!plan.refusals().isEmpty()) {
                throw plan.refusals().values().iterator().next();
            }
            minimum = next;
        } finally {
            looking.unlock();
        }
    }

    /** Looks, changes what must be changed, and looks again. Called with the lock of the counter. */
    private Plan look(
            Counter<C> asking, CounterMinimum required, Optional<CounterServer<C>> needed, boolean allMustAnswer)
            throws InterruptedException {
        boolean askAll = allMustAnswer;
        for (int attempt = 0; attempt < LOOKS; attempt++) {
            Looked looked = answers(asking, needed, askAll, allMustAnswer);
            Plan plan;
            try {
                plan = plan(required, looked);
            } catch (IdUnavailableException e) {
                if (askAll) {
                    throw e;
                }
                // One that was left out may answer.
                askAll = true;
                continue;
            }
            if (plan.changes().isEmpty()) {
                trust(asking, looked.answers, plan);
                return plan;
            }
            if (allMustAnswer && !plan.refusals().isEmpty()) {
                return plan;
            }
            // Their order matters: a table is opened on its first server last.
            for (Change change : plan.changes()) {
                if (!make(asking, change)) {
                    break;
                }
            }
        }
        throw new IdUnavailableException("The servers changed again and again while they were looked at: " + key);
    }

    /** A server that was refused did answer: that it was is the better message. */
    private Plan plan(CounterMinimum required, Looked looked) {
        try {
            Plan plan = Plan.of(key, labels, looked.answers, history, distance, required);
            plan.refusals().putAll(looked.refusals);
            return plan;
        } catch (IdUnavailableException e) {
            looked.refusals.values().stream().findFirst().ifPresent(refusal -> {
                throw refusal;
            });
            throw looked.failures.isEmpty() ? e : looked.failures.toException(String.valueOf(e.getMessage()), "");
        }
    }

    private record Looked(
            List<Seen> answers, Map<Integer, IdConfigurationException> refusals, ServerFailures failures) {}

    /** Asks all servers, or those that are not left out for now and the one that is needed. */
    private Looked answers(Counter<C> asking, Optional<CounterServer<C>> needed, boolean askAll, boolean allMustAnswer)
            throws InterruptedException {
        Looked looked = new Looked(new ArrayList<>(), new TreeMap<>(), new ServerFailures());
        Set<CounterServer<C>> asked = new LinkedHashSet<>();
        for (CounterServer<C> server : servers) {
            if (askAll || needed.equals(Optional.of(server)) || !server.isLeftOut()) {
                asked.add(server);
            }
        }
        for (CounterServer<C> server : asked.isEmpty() ? servers : asked) {
            ask(server, asking, looked).ifPresent(looked.answers::add);
        }
        // They were asked one after the other: one that gave ids meanwhile and told another has not lost them.
        for (Seen each : List.copyOf(looked.answers)) {
            if (Plan.isDoubtful(each, looked.answers)) {
                looked.answers.remove(each);
                ask(servers.get(each.place()), asking, looked)
                        .ifPresent(later -> looked.answers.add(each.seenAgain(later)));
            }
        }
        if (!looked.failures.isEmpty() && (allMustAnswer || (looked.answers.isEmpty() && looked.refusals.isEmpty()))) {
            throw allMustAnswer
                    ? looked.failures.toException(
                            "All servers must answer, so that none stays below: " + key,
                            ". Repeat the call when they do")
                    : looked.failures.noneGivesIds();
        }
        return looked;
    }

    private Optional<Seen> ask(CounterServer<C> server, Counter<C> asking, Looked looked) throws InterruptedException {
        try {
            return Optional.of(server.look(key, history));
        } catch (IdConfigurationException e) {
            looked.refusals.put(server.place(), e);
        } catch (SQLException | IdsExhaustedException e) {
            asking.noticed(server, e);
            looked.failures.add(server.label(), e);
        }
        return Optional.empty();
    }

    private void trust(Counter<C> asking, List<Seen> answers, Plan plan) throws InterruptedException {
        for (Seen each : answers) {
            if (!plan.refusals().containsKey(each.place())) {
                history.hear(each.place(), each.lastOrZero(), each.generation());
                unlessItFails(servers.get(each.place()), server -> server.trust(key, each), asking);
            }
        }
    }

    @FunctionalInterface
    private interface Step<C extends CounterKey> {

        boolean on(CounterServer<C> server) throws SQLException, InterruptedException;
    }

    /** A server that fails is left out, which is no error here. */
    private boolean unlessItFails(CounterServer<C> server, Step<C> step, Counter<C> asking)
            throws InterruptedException {
        try {
            return step.on(server);
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            asking.noticed(server, e);
            return false;
        }
    }

    /** A change that fails, or that somebody else was faster with, is planned anew. */
    private boolean make(Counter<C> asking, Change change) throws InterruptedException {
        int place = change.seen().place();
        boolean made = unlessItFails(servers.get(place), server -> server.make(key, change), asking);
        if (made && change.kind() == Change.Kind.RAISE) {
            boolean isMended = change.value() > 0 && !change.reason().isEmpty();
            history.raised(place, isMended || change.value() - change.seen().lastOrZero() > distance.max());
            if (!change.reason().isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "{0} on {1} {2}; {3}",
                        key,
                        change.seen().label(),
                        change.reason(),
                        change.value() > 0 ? "it was raised above " + change.value() : "it was accepted as it is");
            }
        }
        return made;
    }

    /** Looks at all servers before one of them is used. Only what is wrong with that one is an error. */
    void alignFor(CounterServer<C> server, Counter<C> asking) throws InterruptedException {
        looking.lockInterruptibly();
        try {
            Plan plan = look(asking, minimum, Optional.of(server), false);
            IdConfigurationException refusal = plan.refusals().get(server.place());
            if (refusal != null) {
                throw refusal;
            }
        } finally {
            looking.unlock();
        }
    }
}
