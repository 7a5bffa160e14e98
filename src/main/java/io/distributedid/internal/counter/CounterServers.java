package io.distributedid.internal.counter;

import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.ServerStatistics;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Servers that divide the numbers of their counters between them, so that one of them is enough. They are asked in turn, and drift
 * apart while one is away.
 *
 * <p>A counter is looked at on all servers that answer before the first id is drawn, and again whenever a connection is new, a draw
 * was refused, or a block is doubtful. {@link Plan} says what must be changed; each change is made by compare-and-set, and looked at
 * again, until there is nothing left to change. Two processes that do so at once end in the same state.
 *
 * <p>Thread-safe.
 *
 * @param <C> names a counter
 */
public final class CounterServers<C extends CounterKey> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(CounterServers.class.getName());

    /** A first use takes five looks. More are needed only if other processes change the same counter meanwhile. */
    private static final int LOOKS = 30;

    /**
     * Opens sessions.
     *
     * @param <C> names a counter
     */
    @FunctionalInterface
    public interface SessionOpener<C extends CounterKey> {

        /**
         * Checks a new connection.
         *
         * @param connection in autocommit mode; not to be closed
         * @param place of the server, from 0
         * @return counts on it
         * @throws SQLException if the server failed
         * @throws IdConfigurationException if the server must not be used
         */
        CounterSession<C> open(Connection connection, int place) throws SQLException;
    }

    private final List<CounterServer<C>> servers = new ArrayList<>();

    private final ServerGroup<CounterServer<C>> group;

    private final List<String> labels;

    private final DriftLimit distance;

    private final Map<C, Known> known = new ConcurrentHashMap<>();

    /** What this process knows of a counter, and what it must lie above. */
    private static final class Known {

        private final ReentrantLock looking = new ReentrantLock();

        private final CounterHistory history;

        private volatile CounterMinimum minimum;

        Known(CounterHistory history, CounterMinimum minimum) {
            this.history = history;
            this.minimum = minimum;
        }
    }

    /**
     * Connects to nobody yet.
     *
     * @param accesses lend connections, one for each server
     * @param timeout bound for each answer of a server
     * @param distance how far they may drift apart
     * @param opener is shown every new connection
     */
    public CounterServers(
            List<ConnectionAccess> accesses, Duration timeout, DriftLimit distance, SessionOpener<C> opener) {
        for (int place = 0; place < accesses.size(); place++) {
            servers.add(new CounterServer<>(place, accesses.get(place), timeout, opener));
        }
        this.labels = servers.stream().map(CounterServer::label).toList();
        this.group = new ServerGroup<>(servers, CounterServer::label, CounterServer::isBusy);
        this.distance = distance;
    }

    /**
     * Checks a counter on every server that answers. The others are checked when they do.
     *
     * @param counter to be used
     * @param start the least id wanted; a counter that lies below is raised
     * @param sequence that will use it
     * @return reserves ids of it
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if none answers, or all must and one does not
     */
    CounterSource<C> open(C counter, long start, String sequence) {
        CounterSource<C> source = new CounterSource<>(this, counter, sequence, servers.size());
        interruptibly(() -> lookAll(source, minimum -> minimum.raisedAbove(start - 1), false));
        return source;
    }

    /**
     * Ids of a counter must lie above those that exist, from now on.
     *
     * @param source of a counter
     * @param existing ids that exist
     * @param raise whether all servers are raised above them, all of which must answer; else one that gives such ids is refused
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer that must; no server is raised then
     */
    void requireAbove(CounterSource<C> source, Collection<Long> existing, boolean raise) {
        interruptibly(() -> lookAll(source, minimum -> minimum.above(existing, step(), raise), raise));
    }

    /**
     * Asks every server how far it has come.
     *
     * @param source of a counter
     * @return the last id of each server that answers, by its label
     * @throws IdUnavailableException if none answers
     */
    Map<String, Long> last(CounterSource<C> source) {
        Map<String, Long> last = new LinkedHashMap<>();
        interruptibly(() -> group.callAll(
                server -> last.put(
                        server.label(),
                        server.look(source.counter(), known(source.counter()).history)
                                .lastOrZero()),
                source));
        return last;
    }

    /** What is known of every server, in order. Asks nobody. */
    List<ServerStatistics> statistics(CounterSource<C> source) {
        CounterHistory history = known(source.counter()).history;
        return servers.stream()
                .map(server -> source.statistics(server, history.heard(server.place()), group.failure(server.place())))
                .toList();
    }

    /**
     * Asks every server, also one that is left out for now, whether the counter can be used there. Raises none.
     *
     * @param counter need not be open
     * @return what was found of each
     * @throws IdUnavailableException if interrupted
     */
    public List<Finding> check(C counter) {
        try {
            return CounterCheck.of(servers, counter, known(counter).history, known(counter).minimum, distance);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking the servers of ids", e);
        }
    }

    /**
     * Brings every server into line, as an operator has decided: see {@link Repair}.
     *
     * @param counter need not be open
     * @param above no id up to this one is in use that the servers don't know of; 0 if there is none to tell
     * @param limit throws if the counter can't be raised above an id
     * @return the last id of each server, by its label
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer; repeat the call when it does
     */
    public Map<String, Long> repair(C counter, long above, LongConsumer limit) {
        return operate(() -> new Repair<>(servers, counter, above, distance, limit).run());
    }

    /**
     * Ends the use of a counter for good: no id is ever drawn from it again.
     *
     * @param counter need not be open
     * @return the last id of each server, by its label
     * @throws IdConfigurationException if a server must not be used
     * @throws IdUnavailableException if one does not answer; repeat the call when it does
     */
    public Map<String, Long> retire(C counter) {
        return operate(() -> Retirement.run(servers, counter));
    }

    @FunctionalInterface
    private interface Operation {

        Map<String, Long> run() throws SQLException, InterruptedException;
    }

    private static Map<String, Long> operate(Operation operation) {
        try {
            return operation.run();
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "All servers must answer: " + e.getMessage() + ". Repeat the call when they do", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the call", e);
        }
    }

    /**
     * The token of the id space that a counter belongs to.
     *
     * @param source of a counter
     * @return empty if no server keeps a record
     */
    Optional<String> token(CounterSource<C> source) {
        return known(source.counter()).history.token();
    }

    /**
     * The distance between two ids of one server.
     *
     * @return at least the number of servers; that number before any was connected to
     */
    public long step() {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(server.numbering()))
                .mapToLong(Numbering::increment)
                .findFirst()
                .orElse(servers.size());
    }

    private Known known(C counter) {
        return known.computeIfAbsent(
                counter, key -> new Known(new CounterHistory(servers.size(), distance), CounterMinimum.NONE));
    }

    private void lookAll(CounterSource<C> source, UnaryOperator<CounterMinimum> above, boolean raise)
            throws InterruptedException {
        Known counter = known(source.counter());
        counter.looking.lockInterruptibly();
        try {
            CounterMinimum minimum = above.apply(counter.minimum);
            Plan plan = look(source, counter, minimum, Optional.empty(), raise);
            if (!plan.refusals().isEmpty()) {
                throw plan.refusals().values().iterator().next();
            }
            counter.minimum = minimum;
        } finally {
            counter.looking.unlock();
        }
    }

    /** Looks, changes what must be changed, and looks again. Called with the lock of the counter. */
    private Plan look(
            CounterSource<C> source,
            Known known,
            CounterMinimum minimum,
            Optional<CounterServer<C>> needed,
            boolean allMustAnswer)
            throws InterruptedException {
        boolean askAll = allMustAnswer;
        for (int attempt = 0; attempt < LOOKS; attempt++) {
            Looked looked = answers(source, needed, askAll, allMustAnswer);
            Plan plan;
            try {
                plan = plan(source, known, minimum, looked);
            } catch (IdUnavailableException e) {
                if (askAll) {
                    throw e;
                }
                // One that was left out may answer.
                askAll = true;
                continue;
            }
            if (plan.changes().isEmpty()) {
                trust(source, known, looked.answers, plan);
                return plan;
            }
            if (allMustAnswer && !plan.refusals().isEmpty()) {
                return plan;
            }
            // Their order matters: a table is opened on its first server last.
            for (Change change : plan.changes()) {
                if (!make(source, known, change)) {
                    break;
                }
            }
        }
        throw new IdUnavailableException(
                "The servers changed again and again while they were looked at: " + source.counter());
    }

    /** A server that was refused did answer: that it was is the better message. */
    private Plan plan(CounterSource<C> source, Known known, CounterMinimum minimum, Looked looked) {
        try {
            Plan plan = Plan.of(source.counter(), labels, looked.answers, known.history, distance, minimum);
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
    private Looked answers(
            CounterSource<C> source, Optional<CounterServer<C>> needed, boolean askAll, boolean allMustAnswer)
            throws InterruptedException {
        Looked looked = new Looked(new ArrayList<>(), new TreeMap<>(), new ServerFailures());
        Set<CounterServer<C>> asked = new LinkedHashSet<>();
        for (CounterServer<C> server : servers) {
            if (askAll || needed.equals(Optional.of(server)) || !group.isLeftOut(server.place())) {
                asked.add(server);
            }
        }
        for (CounterServer<C> server : asked.isEmpty() ? servers : asked) {
            ask(server, source, looked).ifPresent(looked.answers::add);
        }
        // They were asked one after the other: one that gave ids meanwhile and told another has not lost them.
        for (Seen each : List.copyOf(looked.answers)) {
            if (Plan.isDoubtful(each, looked.answers)) {
                looked.answers.remove(each);
                ask(servers.get(each.place()), source, looked)
                        .ifPresent(later -> looked.answers.add(each.seenAgain(later)));
            }
        }
        if (!looked.failures.isEmpty() && (allMustAnswer || (looked.answers.isEmpty() && looked.refusals.isEmpty()))) {
            throw allMustAnswer
                    ? looked.failures.toException(
                            "All servers must answer, so that none stays below: " + source.counter(),
                            ". Repeat the call when they do")
                    : looked.failures.noneGivesIds();
        }
        return looked;
    }

    private Optional<Seen> ask(CounterServer<C> server, CounterSource<C> source, Looked looked)
            throws InterruptedException {
        try {
            return Optional.of(server.look(source.counter(), known(source.counter()).history));
        } catch (IdConfigurationException e) {
            looked.refusals.put(server.place(), e);
        } catch (SQLException | IdsExhaustedException e) {
            group.failed(server, e, source);
            looked.failures.add(server.label(), e);
        }
        return Optional.empty();
    }

    private void trust(CounterSource<C> source, Known known, List<Seen> answers, Plan plan)
            throws InterruptedException {
        for (Seen each : answers) {
            if (!plan.refusals().containsKey(each.place())) {
                known.history.hear(each.place(), each.lastOrZero(), each.generation());
                group.callOne(servers.get(each.place()), server -> server.trust(source.counter(), each), source);
            }
        }
    }

    /** A change that fails, or that somebody else was faster with, is planned anew. */
    private boolean make(CounterSource<C> source, Known known, Change change) throws InterruptedException {
        int place = change.seen().place();
        boolean made = group.callOne(servers.get(place), server -> server.make(source.counter(), change), source)
                .orElse(false);
        if (made && change.kind() == Change.Kind.RAISE) {
            boolean isMended = change.value() > 0 && !change.reason().isEmpty();
            known.history.raised(
                    place, isMended || change.value() - change.seen().lastOrZero() > distance.max());
            if (!change.reason().isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "{0} on {1} {2}; {3}",
                        source.counter(),
                        change.seen().label(),
                        change.reason(),
                        change.value() > 0 ? "it was raised above " + change.value() : "it was accepted as it is");
            }
        }
        return made;
    }

    Block reserve(CounterSource<C> source, long wanted) throws InterruptedException {
        Known known = known(source.counter());
        return group.call(
                server -> reserve(server, source, known, wanted),
                // An id is the price: only a draw shows that the server can write.
                server -> reserve(server, source, known, 1),
                source);
    }

    private Block reserve(CounterServer<C> server, CounterSource<C> source, Known known, long wanted)
            throws SQLException, InterruptedException {
        for (int attempt = 0; attempt < LOOKS; attempt++) {
            Optional<Block> block = server.reserve(source.counter(), wanted, known.history, this);
            if (block.isPresent()) {
                return block.get();
            }
            try {
                lookFor(server, source, known);
            } catch (IdUnavailableException e) {
                // Another server may do.
                throw new SQLException(e.getMessage(), e);
            }
        }
        throw new SQLException(
                "The server gives no ids that can be trusted: " + source.counter() + " on " + server.label());
    }

    /** Looks at all servers before one of them is used. Only what is wrong with that one is an error. */
    private void lookFor(CounterServer<C> server, CounterSource<C> source, Known known) throws InterruptedException {
        known.looking.lockInterruptibly();
        try {
            Plan plan = look(source, known, known.minimum, Optional.of(server), false);
            IdConfigurationException refusal = plan.refusals().get(server.place());
            if (refusal != null) {
                throw refusal;
            }
        } finally {
            known.looking.unlock();
        }
    }

    /** How far the servers have come, for the record of one of them; empty if there is nothing to tell. */
    Optional<WitnessNote> note(Fence fence, CounterHistory history, boolean isFree) {
        Map<Long, Witness> witnesses = new TreeMap<>();
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering();
            if (numbering != null && (isFree || servers.size() > 1)) {
                history.witness(server.place()).ifPresent(witness -> witnesses.put(numbering.offset(), witness));
            }
        }
        return witnesses.isEmpty()
                ? Optional.empty()
                : Optional.of(new WitnessNote(fence.table(), fence.key(), witnesses));
    }

    /** Gives the end of a block back to its server: the remainder of the ids tells whose they are. */
    boolean giveBack(C counter, Block rest) throws SQLException, InterruptedException {
        for (CounterServer<C> server : servers) {
            Numbering numbering = server.numbering();
            if (numbering != null && numbering.holds(rest.first())) {
                return server.giveBack(counter, rest, known(counter).history);
            }
        }
        return false;
    }

    @FunctionalInterface
    private interface Interruptible {

        void run() throws SQLException, InterruptedException;
    }

    private static void interruptibly(Interruptible call) {
        try {
            call.run();
        } catch (SQLException e) {
            throw new IdUnavailableException("A server failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to the servers of ids", e);
        }
    }

    /**
     * Takes over what others of the same servers knew when they were abandoned: how far each counter had come, and what it must lie above.
     *
     * @param former not asked any more
     */
    public void learn(CounterServers<C> former) {
        former.known.forEach((counter, each) -> known.put(counter, new Known(each.history.copy(), each.minimum)));
    }

    /** The end is near: a server that hangs is waited for no longer than for a moment. */
    public void stop() {
        group.close();
        servers.forEach(CounterServer::stop);
    }

    /** Ends calls that are under way, and waits for nothing. */
    public void cut() {
        servers.forEach(CounterServer::cut);
    }

    /** Ends calls that are under way, and cuts the connections. */
    public void abandon() {
        group.close();
        servers.forEach(CounterServer::abandon);
    }

    /** Ends calls that are under way, and gives the connections back. */
    @Override
    public void close() {
        group.close();
        servers.forEach(CounterServer::close);
    }
}
