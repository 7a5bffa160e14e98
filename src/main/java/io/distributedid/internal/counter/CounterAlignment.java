package io.distributedid.internal.counter;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Aligns one counter on all its servers. They divide its numbers, and drift apart while one of them is away.
 *
 * <p>All servers that answer are looked at before the first id is drawn, and again whenever a connection is new, a draw
 * was refused, or a block is doubtful. {@link Plan} decides what to change. Each change is a compare-and-set. Then all
 * are looked at again, until no change is left. Two processes that do this at once end in the same state. If a
 * {@link Preparation} has just done all this, {@link #align} asks no server.
 *
 * <p>Shared by all sequences that use the counter. The class is long because one lock guards looks, changes and what is
 * prepared. Thread-safe.
 */
final class CounterAlignment<C extends CounterKey> {

    private static final Logger LOG = System.getLogger(CounterAlignment.class.getName());

    /** A first use takes five looks. More are needed only if other processes change the counter meanwhile. */
    private static final int LOOKS = 45;

    /** How long a counter must seem lost: while another process raises it, it looks like that for a moment. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    /** The same for a counter that was never there: another process may be creating hundreds of them, and be slow. */
    private static final Duration PATIENCE_WITH_NEW = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final C key;

    private final List<CounterServer<C>> servers;

    private final List<String> labels;

    private final DriftLimit driftLimit;

    private final Platform platform;

    private final CounterHistory history;

    /** Held while servers are looked at and changed, also by a {@link Preparation}. */
    final ReentrantLock lock;

    private volatile CounterMinimum minimum = CounterMinimum.NONE;

    /** Since when the counter seems lost, by {@link Platform#nanoTime}; null if it does not. Guarded by the lock. */
    private @Nullable Long seemsLostSince;

    /** Why a change or a draw failed during the last looks; null if none did. Guarded by the lock. */
    private @Nullable Exception lastFailure;

    /** The servers that would refuse a change again, by place: not asked again in this look. Guarded by the lock. */
    private final Map<Integer, SQLException> refusing = new TreeMap<>();

    /** Null if nothing is prepared. Guarded by the lock. */
    private @Nullable PreparedAnswers prepared;

    /** Does not connect to any server. */
    CounterAlignment(C key, List<CounterServer<C>> servers, DriftLimit driftLimit, Platform platform) {
        this(key, servers, driftLimit, platform, new CounterHistory(servers.size(), driftLimit, platform));
    }

    private CounterAlignment(
            C key, List<CounterServer<C>> servers, DriftLimit driftLimit, Platform platform, CounterHistory history) {
        this.key = key;
        this.servers = servers;
        this.labels = servers.stream().map(CounterServer::label).toList();
        this.driftLimit = driftLimit;
        this.platform = platform;
        this.lock = platform.lock();
        this.history = history;
    }

    /** A copy with the same knowledge, on new connections to the same servers. */
    CounterAlignment<C> continuedOn(List<CounterServer<C>> successors) {
        CounterAlignment<C> copy = new CounterAlignment<>(key, successors, driftLimit, platform, history.copy());
        copy.minimum = minimum;
        return copy;
    }

    CounterHistory history() {
        return history;
    }

    /** Checks every server, also those left out for now. Changes none. */
    List<CheckResult> check() throws InterruptedException {
        return CounterCheck.of(servers, key, history, minimum, driftLimit);
    }

    /**
     * Looks at all servers that answer, and aligns them.
     *
     * @param caller leaves out the servers that fail
     * @param above raises the minimum of the counter
     * @param raise whether all servers must answer, so that none stays below
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if a server does not answer that must; no server was raised then
     */
    void align(Counter<C> caller, UnaryOperator<CounterMinimum> above, boolean raise) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            CounterMinimum next = above.apply(minimum);
            if (!isPrepared(above, raise)) {
                Plan plan = look(caller, next, Optional.empty(), raise);
                if (!plan.refusals().isEmpty()) {
                    throw plan.refusals().values().iterator().next();
                }
            }
            minimum = next;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a {@link Preparation} has done all. If it seems not, only new answers can show what is wrong. */
    private boolean isPrepared(UnaryOperator<CounterMinimum> above, boolean allMustAnswer) {
        List<Seen> answers = prepared == null ? List.of() : prepared.take(servers, allMustAnswer);
        if (answers.isEmpty()) {
            return false;
        }
        try {
            Plan plan = plan(answers, above);
            return plan.changes().isEmpty() && plan.refusals().isEmpty();
        } catch (DistributedIdException e) {
            return false;
        }
    }

    /** Decides for answers that were given elsewhere. Under the lock. */
    Plan plan(List<Seen> answers, UnaryOperator<CounterMinimum> above) {
        Plan plan = Plan.of(key, labels, answers, history, driftLimit, above.apply(minimum));
        noteWhetherLost(plan);
        return plan;
    }

    /** Keeps answers for the next calls of {@link #align}. Under the lock. */
    void prepared(PreparedAnswers answers) {
        prepared = answers;
    }

    /** Looks, makes the changes, and looks again. Under the lock. */
    private Plan look(
            Counter<C> caller, CounterMinimum required, Optional<CounterServer<C>> needed, boolean allMustAnswer)
            throws InterruptedException {
        prepared = null;
        lastFailure = null;
        refusing.clear();
        boolean askAll = allMustAnswer;
        for (int attempt = 0; attempt < LOOKS; ) {
            LookResult result = answers(caller, needed, askAll, allMustAnswer);
            Plan plan;
            try {
                plan = plan(required, result);
            } catch (IdUnavailableException e) {
                if (askAll) {
                    throw e;
                }
                // A server that was left out may answer.
                askAll = true;
                attempt++;
                continue;
            }
            noteWhetherLost(plan);
            if (plan.changes().isEmpty()) {
                trust(caller, result.answers, plan);
                return plan;
            }
            if (allMustAnswer && !plan.refusals().isEmpty()) {
                return plan;
            }
            if (isTooSoon(plan)) {
                platform.pause(PAUSE.toNanos());
                continue;
            }
            attempt++;
            // Their order matters: a table is opened on its first server last.
            for (Change change : plan.changes()) {
                if (!make(caller, change)) {
                    break;
                }
            }
        }
        Exception last = lastFailure;
        throw last == null
                ? new IdUnavailableException("The servers changed again and again while they were looked at: " + key)
                : new IdUnavailableException(
                        "The servers could not be brought into line: " + key + ". The last failure: "
                                + FailureText.of(last),
                        last);
    }

    private void noteWhetherLost(Plan plan) {
        if (plan.changes().stream().noneMatch(Change::isRecovery)) {
            seemsLostSince = null;
        } else if (seemsLostSince == null) {
            seemsLostSince = platform.nanoTime();
        }
    }

    /** Whether to look again before a counter is taken for a lost one: another process may be about to change it. */
    private boolean isTooSoon(Plan plan) {
        Long since = seemsLostSince;
        if (since == null) {
            return false;
        }
        boolean mayBeNew = plan.changes().stream()
                .filter(Change::isRecovery)
                .map(Change::seen)
                .anyMatch(seen -> seen.counter().isEmpty() && seen.lastOrZero() == 0);
        return platform.nanoTime() - since < (mayBeNew ? PATIENCE_WITH_NEW : PATIENCE).toNanos();
    }

    /** If a server was refused, the refusal is a better message than its missing answer. */
    private Plan plan(CounterMinimum required, LookResult result) {
        try {
            Plan plan = Plan.of(key, labels, result.answers, history, driftLimit, required);
            plan.refusals().putAll(result.refusals);
            return plan;
        } catch (IdUnavailableException e) {
            result.refusals.values().stream().findFirst().ifPresent(refusal -> {
                throw refusal;
            });
            throw result.failures.isEmpty() ? e : result.failures.toException(String.valueOf(e.getMessage()), "");
        }
    }

    private record LookResult(
            List<Seen> answers, Map<Integer, IdConfigurationException> refusals, ServerFailures failures) {}

    /** Asks all servers, or {@code needed} and those that are not left out. */
    private LookResult answers(
            Counter<C> caller, Optional<CounterServer<C>> needed, boolean askAll, boolean allMustAnswer)
            throws InterruptedException {
        LookResult result = new LookResult(new ArrayList<>(), new TreeMap<>(), new ServerFailures());
        Set<CounterServer<C>> asked = new LinkedHashSet<>();
        for (CounterServer<C> server : servers) {
            if (askAll || needed.equals(Optional.of(server)) || !server.isLeftOut()) {
                asked.add(server);
            }
        }
        for (CounterServer<C> server : asked.isEmpty() ? servers : asked) {
            ask(server, caller, result).ifPresent(result.answers::add);
        }
        // Servers answer one after the other. A server that gave ids after its answer may be noted on the next
        // server with a higher id: it has not lost any.
        for (Seen each : List.copyOf(result.answers)) {
            if (Plan.isDoubtful(each, result.answers)) {
                result.answers.remove(each);
                ask(servers.get(each.place()), caller, result)
                        .ifPresent(later -> result.answers.add(each.seenAgain(later)));
            }
        }
        if (!result.failures.isEmpty() && (allMustAnswer || (result.answers.isEmpty() && result.refusals.isEmpty()))) {
            throw allMustAnswer
                    ? result.failures.toException(
                            "All servers must answer, so that none stays below: " + key,
                            ". Repeat the call when they do")
                    : result.failures.noneGivesIds();
        }
        return result;
    }

    private Optional<Seen> ask(CounterServer<C> server, Counter<C> caller, LookResult result)
            throws InterruptedException {
        SQLException refusal = refusing.get(server.place());
        if (refusal != null) {
            result.failures.add(server.label(), refusal);
            return Optional.empty();
        }
        try {
            return Optional.of(server.look(key, history));
        } catch (IdConfigurationException e) {
            result.refusals.put(server.place(), e);
        } catch (SQLException | IdsExhaustedException e) {
            caller.failedElsewhere(server, e);
            result.failures.add(server.label(), e);
        }
        return Optional.empty();
    }

    private void trust(Counter<C> caller, List<Seen> answers, Plan plan) throws InterruptedException {
        for (Seen each : answers) {
            if (!plan.refusals().containsKey(each.place())) {
                history.accept(each.place(), each.lastOrZero(), each.generation());
                unlessItFails(servers.get(each.place()), server -> server.trust(key, each), caller);
            }
        }
    }

    @FunctionalInterface
    private interface Step<C extends CounterKey> {

        boolean on(CounterServer<C> server) throws SQLException, InterruptedException;
    }

    /** Returns the result of the step. If the server fails, leaves it out and returns false. */
    private boolean unlessItFails(CounterServer<C> server, Step<C> step, Counter<C> caller)
            throws InterruptedException {
        try {
            return step.on(server);
        } catch (SQLException | IdConfigurationException | IdsExhaustedException e) {
            lastFailure = e;
            if (e instanceof SQLException failure
                    && (SqlErrors.isPermanent(failure) || SqlErrors.isReadOnly(failure))) {
                refusing.put(server.place(), failure);
            }
            if (servers.size() > 1 || !refusing.containsKey(server.place())) {
                caller.failedElsewhere(server, e);
            }
            return false;
        }
    }

    /** Returns whether the change was made. If it failed or another process was faster, the next look plans anew. */
    private boolean make(Counter<C> caller, Change change) throws InterruptedException {
        int place = change.seen().place();
        boolean made = unlessItFails(servers.get(place), server -> server.make(key, change), caller);
        if (made) {
            made(change);
        }
        return made;
    }

    /** Remembers a change that was made, and logs it. Under the lock. */
    void made(Change change) {
        if (change.kind() != Change.Kind.RAISE) {
            return;
        }
        Seen seen = change.seen();
        history.raised(seen.place(), change.isRecovery() || change.value() - seen.lastOrZero() > driftLimit.max());
        if (change.isMinimum()) {
            LOG.log(
                    Level.INFO,
                    key + " on " + seen.label() + " was raised from id=" + seen.lastOrZero() + " to above id="
                            + change.value());
        } else {
            LOG.log(
                    Level.WARNING,
                    "{0} on {1} {2}; {3}",
                    key,
                    seen.label(),
                    change.reason(),
                    change.value() > 0 ? "it was raised above " + change.value() : "it was accepted as it is");
        }
    }

    /** Looks at all servers before one of them is used. Throws only the refusal of that one. */
    void alignFor(CounterServer<C> server, Counter<C> caller) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Plan plan = look(caller, minimum, Optional.of(server), false);
            IdConfigurationException refusal = plan.refusals().get(server.place());
            if (refusal != null) {
                throw refusal;
            }
        } finally {
            lock.unlock();
        }
    }
}
