package io.distributedid.internal.counter;

import io.distributedid.CapacityStatistics;
import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The backend of all sequences that count. {@link CounterStore} holds what differs between ticket servers, sequence
 * tables and other stores. Sequences whose settings name the same servers share them. Thread-safe.
 *
 * @param <C> names a counter
 */
public final class CountingBackend<C extends CounterKey> implements Backend {

    private static final Logger LOG = System.getLogger(CountingBackend.class.getName());

    private final BackendContext context;

    private final CounterStore<C> store;

    private final Platform platform;

    /** By the label of the server. */
    private final Map<String, OutageLog> outages = new ConcurrentHashMap<>();

    private final Map<Lane, CounterServers<C>> byConfiguration = new ConcurrentHashMap<>();

    /** Servers of the former backend, until a sequence needs them again. */
    private final Map<Lane, CounterServers<C>> former = new ConcurrentHashMap<>();

    private final Map<Object, CounterStore.Connector<C>> connectors = new ConcurrentHashMap<>();

    /** Of the former backend, with the facts that a connector keeps of its servers. */
    private final Map<Object, CounterStore.Connector<C>> formerConnectors = new ConcurrentHashMap<>();

    /** @param largest the largest id of the sequence */
    private record Open<C extends CounterKey>(CounterServers<C> servers, Counter<C> counter, long largest) {

        Optional<String> token() {
            return counter.alignment().history().token();
        }

        SequenceStatistics statistics() {
            SequenceStatistics known = SequenceStatistics.NONE.withServers(counter.statistics());
            OptionalLong last = known.servers().stream()
                    .flatMapToLong(server -> server.counter().stream())
                    .max();
            return known.withCapacity(Optional.of(CapacityStatistics.ofCounter(largest, last)));
        }
    }

    private final Map<String, Open<C>> bySequence = new ConcurrentHashMap<>();

    /** Does not connect to any server. A former backend in the context must have the same store. */
    @SuppressWarnings("unchecked")
    public CountingBackend(BackendContext context, CounterStore<C> store, Platform platform) {
        this.context = context;
        this.store = store;
        this.platform = platform;
        context.former().map(each -> (CountingBackend<C>) each).ifPresent(before -> {
            former.putAll(before.former);
            former.putAll(before.byConfiguration);
            formerConnectors.putAll(before.formerConnectors);
            formerConnectors.putAll(before.connectors);
        });
    }

    /** Checks the counter on every server that answers, and on the others when they do. */
    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        C key = store.key(settings, sequence.name());
        long start = store.start(settings);
        CounterServers<C> servers = servers(settings, key);
        Counter<C> counter = servers.counter(key, sequence.name());
        align(counter, minimum -> minimum.raisedAbove(start - 1), false);
        long largest = Math.min(sequence.maxValue(), store.largest(key));
        bySequence.put(sequence.name(), new Open<>(servers, counter, largest));
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

    private void prepare(Map<Sequence, ? extends Collection<Long>> existing, boolean raise) {
        if (existing.size() < 2) {
            return;
        }
        Map<CounterServers<C>, Map<C, Preparation.Wanted<C>>> wanted = new LinkedHashMap<>();
        existing.forEach((sequence, ids) -> {
            try {
                C key = store.key(sequence.settings(), sequence.name());
                CounterServers<C> servers = servers(sequence.settings(), key);
                wanted.computeIfAbsent(servers, each -> new LinkedHashMap<>())
                        .merge(key, wanted(sequence, key, ids, servers, raise), Preparation.Wanted::and);
            } catch (DistributedIdException e) {
                LOG.log(Level.DEBUG, "A sequence can't be prepared: " + sequence, e);
            }
        });
        try {
            for (Map.Entry<CounterServers<C>, Map<C, Preparation.Wanted<C>>> each : wanted.entrySet()) {
                each.getKey().prepare(each.getValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Preparation.Wanted<C> wanted(
            Sequence sequence, C key, Collection<Long> existing, CounterServers<C> servers, boolean raise) {
        if (raise) {
            RaiseLimit.check(sequence, existing, true, step(sequence), store.largest(key));
        }
        long start = store.start(sequence.settings());
        Counter<C> counter =
                find(sequence).map(open -> open.counter).orElseGet(() -> servers.counter(key, sequence.name()));
        return new Preparation.Wanted<>(
                counter, minimum -> minimum.raisedAbove(start - 1).above(existing, servers.step(), raise), raise, 1);
    }

    private static <C extends CounterKey> void align(
            Counter<C> counter, UnaryOperator<CounterMinimum> above, boolean raise) {
        try {
            counter.alignment().align(counter, above, raise);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IdUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while connecting to the servers of ids", e);
    }

    /**
     * One of several sets of connections to the same servers.
     *
     * @param number 0 to {@code connections - 1}
     */
    private record Lane(CountingSettings.Values values, int number) {}

    /** The connections for a counter: always the same ones, since its blocks must be judged in their order. */
    private CounterServers<C> servers(Settings settings, C counter) {
        CountingSettings names = store.settings();
        CountingSettings.Values values = names.read(settings, store.furtherConfiguration(settings));
        Lane lane = new Lane(values, Math.floorMod(counter.hashCode(), values.connections()));
        return byConfiguration.computeIfAbsent(lane, key -> {
            List<Link.Source<CounterSession<C>>> sources = connectors
                    .computeIfAbsent(
                            values,
                            same -> store.connector(
                                    settings, Optional.ofNullable(formerConnectors.get(same)), values.createTables()))
                    .servers();
            List<CounterServer<C>> each = IntStream.range(0, sources.size())
                    .mapToObj(place -> new CounterServer<>(
                            place,
                            sources.get(place),
                            values.timeout(),
                            outages.computeIfAbsent(
                                    sources.get(place).label(), label -> ServerPause.outages(platform::nanoTime)),
                            platform))
                    .toList();
            CounterServers<C> created = new CounterServers<>(each, values.driftLimit(), platform);
            Optional.ofNullable(former.remove(key)).ifPresent(created::learn);
            return created;
        });
    }

    private Optional<Open<C>> find(Sequence sequence) {
        return Optional.ofNullable(bySequence.get(sequence.name()));
    }

    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        long largest = store.largest(store.key(sequence.settings(), sequence.name()));
        long step = step(sequence);
        RaiseLimit.check(sequence, existing, raise, step, largest);
        find(sequence)
                .ifPresent(open ->
                        align(open.counter, minimum -> minimum.above(existing, open.servers.step(), raise), raise));
    }

    @Override
    public long step(Sequence sequence) {
        return find(sequence).map(open -> open.servers.step()).orElse(1L);
    }

    @Override
    public long maxDistance(Sequence sequence) {
        return store.settings().driftLimit(sequence.settings()).max();
    }

    @Override
    public List<CheckResult> check(Sequence sequence) {
        C key = store.key(sequence.settings(), sequence.name());
        return servers(sequence.settings(), key).check(key);
    }

    @Override
    public Map<String, Long> repair(Sequence sequence, long above, LongConsumer confirm) {
        C key = store.key(sequence.settings(), sequence.name());
        CounterServers<C> servers = servers(sequence.settings(), key);
        return servers.repair(
                key,
                above,
                target -> RaiseLimit.check(sequence, List.of(target), true, servers.step(), store.largest(key)),
                confirm);
    }

    @Override
    public long end(List<Sequence> from, CounterMove move) {
        move.confirm().accept(0);
        if (move.isDryRun()) {
            return 0;
        }
        long highest = 0;
        for (Sequence each : from) {
            C key = store.key(each.settings(), each.name());
            Map<String, Long> last = servers(each.settings(), key).retire(key);
            highest = Math.max(highest, Collections.max(last.values()));
        }
        return highest;
    }

    @Override
    public Optional<String> token(Sequence sequence) {
        return find(sequence).flatMap(Open::token);
    }

    @Override
    public Map<String, Long> counters(Sequence sequence) {
        Open<C> open = bySequence.get(sequence.name());
        try {
            return open == null ? Map.of() : open.counter.last();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
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
        byConfiguration.values().forEach(CounterServers::stop);
    }

    @Override
    public void cut() {
        byConfiguration.values().forEach(CounterServers::cut);
    }

    @Override
    public void abandon() {
        byConfiguration.values().forEach(CounterServers::abandon);
    }

    @Override
    public void close() {
        byConfiguration.values().forEach(CounterServers::close);
    }
}
