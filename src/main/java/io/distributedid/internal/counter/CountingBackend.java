package io.distributedid.internal.counter;

import static java.util.Objects.requireNonNull;

import io.distributedid.CapacityStatistics;
import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.counter.Alignment.Outcome;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The backend of all sequences that count. {@link CountingStore} holds what differs between ticket servers, sequence
 * tables and other stores. Sequences whose settings name the same servers share them. The class is long because it is
 * all that the registry and operators ask of a backend. Thread-safe.
 */
public final class CountingBackend implements Backend, Maintenance {

    private static final Logger LOG = System.getLogger(CountingBackend.class.getName());

    /** The identities of all fit into the text of a header. */
    static final int MOST_SERVERS = 16;

    private final BackendContext context;

    private final CountingStore store;

    private final Platform platform;

    /** By the label of the server. */
    private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();

    private final Map<CountingSettings.Values, ServerList> byConfiguration = new ConcurrentHashMap<>();

    /** Servers of the former backend, until a sequence needs them again. */
    private final Map<CountingSettings.Values, ServerList> former = new ConcurrentHashMap<>();

    /** @param largest the largest id of the sequence */
    private record Open(ServerList list, Counter counter, long largest) {

        SequenceStatistics statistics() {
            SequenceStatistics known = SequenceStatistics.NONE.withServers(counter.statistics());
            OptionalLong last = known.servers().stream()
                    .flatMapToLong(server -> server.counter().stream())
                    .max();
            return known.withCapacity(Optional.of(CapacityStatistics.ofCounter(largest, last)));
        }
    }

    private final Map<String, Open> bySequence = new ConcurrentHashMap<>();

    /** Does not connect to any server. A former backend in the context must have the same store. */
    public CountingBackend(BackendContext context, CountingStore store, Platform platform) {
        this.context = context;
        this.store = store;
        this.platform = platform;
        context.former().map(CountingBackend.class::cast).ifPresent(before -> {
            former.putAll(before.former);
            former.putAll(before.byConfiguration);
        });
    }

    /** Checks the counter on every server that answers, and on the others when they do. */
    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        ServerList list = servers(settings);
        Counter counter = list.counter(key(sequence), sequence.name());
        Minimum minimum = counter.memory().minimum().raisedAbove(store.start(settings) - 1);
        align(sequence, list, counter, minimum, false);
        long largest = Math.min(sequence.maxValue(), store.largest(settings));
        bySequence.put(sequence.name(), new Open(list, counter, largest));
        return context.buffer(sequence, counter);
    }

    @Override
    public void prepare(Map<Sequence, ? extends Collection<Long>> existing) {
        prepare(existing, false);
    }

    @Override
    public void prepareRaise(Map<Sequence, ? extends Collection<Long>> existing) {
        prepare(existing, true);
    }

    /** What is refused is refused again, and reported, when the sequence is opened or raised. */
    private void prepare(Map<Sequence, ? extends Collection<Long>> existing, boolean raise) {
        Map<ServerList, Map<CounterMemory, Minimum>> wanted = new LinkedHashMap<>();
        existing.forEach((sequence, ids) -> {
            try {
                ServerList list = servers(sequence.settings());
                if (raise) {
                    requireRoom(sequence, ids, true, list.step());
                }
                CounterMemory memory = list.memory(key(sequence));
                Map<CounterMemory, Minimum> minimums = wanted.computeIfAbsent(list, each -> new LinkedHashMap<>());
                Minimum least = minimums.getOrDefault(memory, memory.minimum())
                        .raisedAbove(store.start(sequence.settings()) - 1);
                minimums.put(memory, above(least, ids, list.step(), raise));
            } catch (DistributedIdException e) {
                LOG.log(Level.DEBUG, "A sequence can't be prepared: " + sequence, e);
            }
        });
        if (existing.size() > 1) {
            Sequence first = existing.keySet().iterator().next();
            wanted.forEach((list, minimums) -> align(first, list, List.of(), minimums, raise));
        }
    }

    private static Minimum above(Minimum least, Collection<Long> ids, long step, boolean raise) {
        Minimum minimum = least;
        for (long id : ids) {
            minimum = raise ? minimum.raisedAbove(id) : minimum.withExisting(id, step);
        }
        return minimum;
    }

    /** Throws why the counter is refused. */
    private void align(Sequence sequence, ServerList list, Counter counter, Minimum minimum, boolean isForAll) {
        align(sequence, list, List.of(counter), Map.of(counter.memory(), minimum), isForAll)
                .ifPresent(refused -> {
                    throw refused;
                });
    }

    /**
     * Aligns counters, and keeps the minimum of those that are not refused.
     *
     * @param isForAll whether all servers must answer, so that none stays below
     * @return why the first of those is refused that are
     */
    private Optional<DistributedIdException> align(
            Sequence sequence,
            ServerList list,
            List<Counter> callers,
            Map<CounterMemory, Minimum> wanted,
            boolean isForAll) {
        Duration limit = sequence.settings().get(CoreSettings.BLOCK_TIMEOUT);
        Map<CounterMemory, Outcome> outcomes;
        try {
            outcomes = list.align(
                    wanted,
                    new Alignment.Request(
                            Set.of(),
                            isForAll,
                            limit,
                            limit,
                            (server, e) -> list.group().failed(callers, server, e, false)));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        List<DistributedIdException> refused = new ArrayList<>();
        wanted.forEach((memory, minimum) -> list.text()
                .refused(memory.counter(), outcomes.get(memory), isForAll)
                .ifPresentOrElse(refused::add, () -> memory.require(minimum)));
        return refused.stream().findFirst();
    }

    private static IdUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while connecting to the servers of ids", e);
    }

    private ServerList servers(Settings settings) {
        CountingSettings.Values values = store.settings().read(settings, store.furtherConfiguration(settings));
        return byConfiguration.computeIfAbsent(values, key -> {
            List<? extends Link.Source<CounterSession>> sources = store.servers(settings);
            if (sources.size() > MOST_SERVERS) {
                throw settings.invalid(
                        store.settings().servers(),
                        sources.size() + " servers",
                        "1 to " + MOST_SERVERS + ". List fewer: any one is enough");
            }
            List<CounterServer> servers = new ArrayList<>();
            for (Link.Source<CounterSession> source : sources) {
                OutageLog log =
                        outages.computeIfAbsent(source.label(), label -> ServerPause.outages(platform::nanoTime));
                servers.add(new CounterServer(servers.size(), source, values.timeout(), log, platform));
            }
            ServerList created = new ServerList(List.copyOf(servers), values.rules(), values.timeout(), platform);
            Optional.ofNullable(former.remove(key)).ifPresent(created::learn);
            return created;
        });
    }

    private Optional<Open> find(Sequence sequence) {
        return Optional.ofNullable(bySequence.get(sequence.name()));
    }

    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        requireRoom(sequence, existing, raise, step(sequence));
        find(sequence).ifPresent(open -> {
            Minimum minimum = above(open.counter.memory().minimum(), existing, open.list.step(), raise);
            align(sequence, open.list, open.counter, minimum, raise);
        });
    }

    /**
     * A counter at its end would never give ids again. A sequence that has reached the end of a narrow type may still
     * start; only a raise is refused there.
     */
    private void requireRoom(Sequence sequence, Collection<Long> existing, boolean raise, long step) {
        long end = raise ? Math.min(sequence.maxValue(), store.largest(sequence.settings())) : Long.MAX_VALUE;
        long allowed = end - step;
        long most = Collections.max(existing);
        if (most > allowed) {
            throw new IdsExhaustedException("No ids are left above an existing id: seq=" + sequence.name()
                    + " existing=" + most
                    + ", allowed: up to " + allowed + ". If that id is not real (a test row, a placeholder), delete its"
                    + " row; else take ids of a wider type" + Pages.onCall("counter-no-room"));
        }
    }

    @Override
    public long step(Sequence sequence) {
        return find(sequence).map(open -> open.list.step()).orElse(1L);
    }

    @Override
    public long maxDistance(Sequence sequence) {
        return sequence.settings().get(CountingSettings.MAX_DISTANCE);
    }

    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        ServerList list = servers(sequence.settings());
        CounterMemory memory = list.memory(key(sequence));
        try {
            return CounterCheck.of(list, memory, memory.minimum().raisedAbove(above));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Moves a sequence with all others of its table; repairs them if the place is the same. See {@link RealignRules}.
     * Several places are merged: all but the first end before that moves, above their ids.
     */
    @Override
    public long move(List<Sequence> from, Sequence to, CounterMove move) {
        boolean isAnew = move.kind() == Kind.LOST || move.kind() == Kind.NEW_SPACE;
        if (isAnew && move.above() == 0) {
            throw new IdConfigurationException("A move with --lost or --new-space must name an id: " + to.name()
                    + " --above=0, allowed: the largest id in use");
        }
        Map<Sequence, String> remembered = agreed(from, to, move);
        if (move.isDryRun()) {
            return 0;
        }
        CounterKey named = key(from.get(0));
        Map<CounterKey, Long> reached = new HashMap<>();
        // The first moves last, above what the others gave.
        for (int i = from.size() - 1; i >= 0; i--) {
            String token = requireNonNull(remembered.get(from.get(i)));
            realign(i, from, to, move, token, Map.copyOf(reached))
                    .run()
                    .forEach((counter, id) -> reached.merge(counter.in(named.table()), id, Math::max));
        }
        return requireNonNull(reached.get(named));
    }

    private CounterKey key(Sequence sequence) {
        return store.key(sequence.settings(), sequence.name());
    }

    /**
     * Looks at all places before the first of them changes, and asks the operator. Returns which of the tokens that the
     * databases of the entities remember is that of each place; empty if none is. Throws if a token is that of none:
     * its ids would be given again.
     */
    private Map<Sequence, String> agreed(List<Sequence> from, Sequence to, CounterMove move) {
        Map<Sequence, String> remembered = new LinkedHashMap<>();
        Map<String, Long> last = new TreeMap<>();
        Set<String> tokens = new TreeSet<>();
        long highest = 0;
        for (int i = 0; i < from.size(); i++) {
            Sequence each = from.get(i);
            Jump jump = realign(i, from, to, move, "", Map.of()).judge();
            if (jump.tokens().stream().anyMatch(tokens::contains)) {
                throw new IdConfigurationException("A place is named twice, or one is a copy of another: " + key(each)
                        + " on " + servers(each.settings()) + " token=" + String.join(" and ", jump.tokens())
                        + ", allowed: each place once. First make a copy a space of its own: distributedid move "
                        + each.name() + " --new-space --above <largest id in use>");
            }
            jump.lastIds().forEach((server, id) -> last.merge(server, id, Math::max));
            tokens.addAll(jump.tokens());
            highest = Math.max(highest, jump.above());
            remembered.put(each, "");
        }
        for (String token : move.tokens()) {
            List<IdConfigurationException> refused = new ArrayList<>();
            for (int i = 0; i < from.size(); i++) {
                try {
                    Jump unused = realign(i, from, to, move, token, Map.of()).judge();
                    remembered.put(from.get(i), token);
                } catch (IdConfigurationException e) {
                    refused.add(e);
                }
            }
            if (refused.size() == from.size()) {
                throw refused.get(0);
            }
        }
        if (move.kind() != Kind.END) {
            requireRoom(to, List.of(highest), true, servers(to.settings()).step());
        }
        move.confirm().accept(new Jump(last, tokens, highest));
        return remembered;
    }

    /**
     * What becomes of one of the places: all but the first end; that one, too, if the ids do.
     *
     * @param merged how far the counters of the other places are, if they have ended
     */
    private Realign realign(
            int place, List<Sequence> from, Sequence to, CounterMove move, String token, Map<CounterKey, Long> merged) {
        boolean isEnd = place > 0 || move.kind() == Kind.END;
        Sequence source = from.get(place);
        Sequence target = isEnd ? source : to;
        return new Realign(new Realign.Order(
                servers(source.settings()),
                servers(target.settings()),
                key(source),
                key(target).table(),
                isEnd ? Map.of() : merged,
                isEnd ? Kind.END : move.kind(),
                context.clock().instant().getEpochSecond(),
                token,
                move));
    }

    @Override
    public Optional<String> token(Sequence sequence) {
        return find(sequence).map(open -> open.counter.memory().known().token()).filter(token -> !token.isEmpty());
    }

    /** Asks every server that is not left out. */
    @Override
    public Map<String, Long> counters(Sequence sequence) {
        return find(sequence).map(CountingBackend::counters).orElse(Map.of());
    }

    private static Map<String, Long> counters(Open open) {
        Map<String, Long> last = new LinkedHashMap<>();
        ServerFailures failures = new ServerFailures();
        CounterKey key = open.counter.key();
        for (CounterServer server : open.list.servers()) {
            if (!server.pause().isInUse() && !server.pause().isDue()) {
                failures.add(server.pause());
                continue;
            }
            try {
                last.put(
                        server.label(),
                        RefusalText.last(server.look(List.of(key)).seen(key)));
                server.pause().succeeded();
            } catch (SQLException e) {
                open.list.group().failed(List.of(open.counter), server, e, false);
                failures.add(server.label(), e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        if (last.isEmpty()) {
            throw failures.noneGivesIds();
        }
        return last;
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return find(sequence).map(Open::statistics);
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return store.decode(id, step(sequence));
    }

    @Override
    public void stopWaiting() {
        end(DedicatedConnection::stop);
    }

    @Override
    public void cut() {
        end(DedicatedConnection::cut);
    }

    @Override
    public void abandon() {
        end(DedicatedConnection::abandon);
    }

    @Override
    public void close() {
        end(DedicatedConnection::close);
    }

    private void end(Consumer<DedicatedConnection<?>> how) {
        byConfiguration.values().forEach(list -> list.end(how));
    }
}
