package io.distributedid.backend.remote;

import io.distributedid.CapacityStatistics;
import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the ids of all sequences from issuing services. A sequence in strict order takes each id when a call asks for
 * it; all others have a buffer. Sequences whose settings name the same servers share them. Thread-safe.
 *
 * <p>One class, though long: most of it implements the operations of {@link Backend} by one call each.
 */
final class RemoteBackend implements Backend, ComposedIds, Maintenance {

    private static final Logger LOG = System.getLogger(RemoteBackend.class.getName());

    /** Sequences that are prepared at the same time. */
    private static final int TOGETHER = 8;

    /** How long a prepared opening counts. */
    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();

    private final BackendContext context;

    private final LongSupplier nanoTime;

    /** What is logged of sequences in strict order that get no ids. */
    private final OutageLog strictOutages = new OutageLog(LOG);

    private final Map<ServiceSettings.Service, ServicePool> byConfiguration = new ConcurrentHashMap<>();

    private final Map<String, Open> bySequence = new ConcurrentHashMap<>();

    /** Sequences that are not open. While it is fresh, an opening asks nothing. */
    private final Map<String, Prepared> prepared = new ConcurrentHashMap<>();

    /** Of former backends. */
    private final Map<String, SequenceMemory> former = new ConcurrentHashMap<>();

    private record Open(
            RemoteSequence remote,
            Description description,
            @Nullable RemoteBlocks blocks,
            @Nullable StrictIds strict) {}

    private record Prepared(RemoteSequence remote, Description description, long at) {}

    /** Does not connect to any server. */
    RemoteBackend(BackendContext context, LongSupplier nanoTime) {
        this.context = context;
        this.nanoTime = nanoTime;
        context.former().map(RemoteBackend.class::cast).ifPresent(before -> {
            former.putAll(before.former);
            before.bySequence.forEach((name, open) -> former.put(name, open.remote.memory()));
        });
    }

    /** Asks every server about the sequence. A server that does not answer is compared with the others when it does. */
    @Override
    public IdSource open(Sequence sequence) {
        BlockPolicy policy = BlockPolicy.of(sequence.settings());
        Prepared known = prepared.remove(sequence.name());
        Prepared ready = known != null && nanoTime.getAsLong() - known.at < FRESH_NANOS ? known : prepared(sequence);
        RemoteSequence remote = ready.remote;
        Description description = ready.description;
        description
                .layout()
                .ifPresent(layout -> layout.requireFit(
                        sequence, "Map the property to a 64-bit type, or take its ids from another sequence"));
        if (description.kind() == Description.Kind.STRICT) {
            StrictIds ids = new StrictIds(
                    sequence,
                    remote,
                    Math.toIntExact(description.maxIds()),
                    policy.timeout(),
                    strictOutages,
                    new WaitStatistics(
                            sequence.name(), System::nanoTime, time -> context.waited(sequence.name(), time)),
                    nanoTime);
            bySequence.put(sequence.name(), new Open(remote, description, null, ids));
            return ids;
        }
        RemoteBlocks blocks = new RemoteBlocks(remote, description, policy, nanoTime);
        bySequence.put(sequence.name(), new Open(remote, description, blocks, null));
        return context.buffer(sequence, blocks);
    }

    private Prepared prepared(Sequence sequence) {
        RemoteSequence remote = remote(
                sequence, Optional.ofNullable(former.get(sequence.name())).orElseGet(SequenceMemory::empty));
        return new Prepared(remote, Questions.describe(remote), nanoTime.getAsLong());
    }

    private RemoteSequence remote(Sequence sequence, SequenceMemory memory) {
        ServicePool pool = byConfiguration.computeIfAbsent(
                RemoteSettings.read(sequence.settings()),
                service -> new ServicePool(RemoteSettings.SERVICE, service, "remote", nanoTime));
        return new RemoteSequence(sequence, pool, memory, nanoTime);
    }

    /** A sequence of which nothing is known. */
    private RemoteSequence unknown(Sequence sequence) {
        return remote(sequence, SequenceMemory.empty());
    }

    /** Asks for {@value #TOGETHER} sequences at a time: the service has no request for several. */
    @Override
    public void prepare(Map<Sequence, ? extends Collection<Long>> existing) {
        if (existing.size() < 2) {
            return;
        }
        Queue<Sequence> left = new ConcurrentLinkedQueue<>(existing.keySet());
        LibraryThread.Work<Boolean> work = () -> {
            for (Sequence each = left.poll(); each != null; each = left.poll()) {
                prepare(each, Objects.requireNonNull(existing.get(each)));
            }
            return true;
        };
        try {
            LibraryThread.callAll(Collections.nCopies(Math.min(TOGETHER, existing.size()), work));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepare(Sequence sequence, Collection<Long> existing) {
        try {
            if (find(sequence).isEmpty()) {
                prepared.put(sequence.name(), prepared(sequence));
            } else if (!existing.isEmpty()) {
                requireAbove(sequence, existing, false);
            }
        } catch (DistributedIdException e) {
            LOG.log(Level.DEBUG, "A sequence can't be prepared: " + sequence, e);
        }
    }

    private Optional<Open> find(Sequence sequence) {
        return Optional.ofNullable(bySequence.get(sequence.name()));
    }

    /** Of a sequence that is not open, asks the service once. */
    private Description description(Sequence sequence) {
        Optional<Description> known = find(sequence)
                .map(Open::description)
                .or(() -> Optional.ofNullable(prepared.get(sequence.name())).map(Prepared::description));
        return known.orElseGet(() -> {
            Prepared asked = prepared(sequence);
            prepared.put(sequence.name(), asked);
            return asked.description;
        });
    }

    /** A server that does not answer compares them before it gives ids. A raise needs an answer of each. */
    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        List<Long> ids = existing.stream().filter(id -> id != 0).toList();
        find(sequence).filter(open -> !ids.isEmpty()).ifPresent(open -> {
            ExistingIds.Note note = open.remote.memory().existing().add(ids, open.description.step());
            try {
                Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
                Questions.compare(open.remote, timeout, raise);
            } catch (IdConfigurationException | IdsExhaustedException e) {
                // The caller decides whether the sequence is used all the same.
                note.forget();
                throw e;
            } finally {
                note.keep();
                if (raise && open.blocks != null) {
                    open.blocks.discard();
                }
            }
        });
    }

    @Override
    public long step(Sequence sequence) {
        return description(sequence).step();
    }

    @Override
    public long maxDistance(Sequence sequence) {
        return description(sequence).maxDistance();
    }

    /** Asks also servers that are left out. */
    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        return Questions.answers(unknown(sequence), true).stream()
                .sorted(Comparator.comparingInt(each -> each.server().place()))
                .map(RemoteBackend::result)
                .toList();
    }

    private static CheckResult result(ServicePool.Ended<Description> each) {
        String label = each.server().label();
        return each.failure() == null
                ? CheckResult.ok("server", label, each.good().text())
                : CheckResult.failed("server", label, FailureText.of(each.failure()));
    }

    @Override
    public long move(List<Sequence> from, Sequence to, CounterMove move) {
        throw ofService(to, move.kind() == CounterMove.Kind.REPAIR ? "repair" : "move");
    }

    @Override
    public String changeLayout(Sequence sequence, boolean allStopped) {
        throw ofService(sequence, "change-layout");
    }

    private static IdConfigurationException ofService(Sequence sequence, String command) {
        return new IdConfigurationException("The ids of a sequence come from an issuing service, which has the servers"
                + " and leases: seq=" + sequence.name() + ". Run distributedid " + command
                + " with the settings of the service");
    }

    @Override
    public Optional<String> token(Sequence sequence) {
        return find(sequence).flatMap(open -> open.remote.token());
    }

    /** As the service names it, so that a database remembers the same for embedded applications. */
    @Override
    public String idSpace(Sequence sequence) {
        return description(sequence).idSpace();
    }

    @Override
    public Map<String, Long> counters(Sequence sequence) {
        return find(sequence)
                .map(open -> Questions.firstGood(Questions.answers(open.remote, false))
                        .good()
                        .counters())
                .orElse(Map.of());
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return find(sequence).map(open -> statistics(open, sequence));
    }

    private static SequenceStatistics statistics(Open open, Sequence sequence) {
        Optional<CapacityStatistics> capacity = open.description.layout().isPresent()
                ? Optional.empty()
                : Optional.of(CapacityStatistics.ofCounter(sequence.maxValue(), open.remote.largest()));
        StrictIds ids = open.strict;
        SequenceStatistics known = ids == null ? SequenceStatistics.NONE : ids.statistics();
        return known.withServers(open.remote.statistics()).withCapacity(capacity);
    }

    @Override
    public Optional<IdTime> time(Sequence sequence) {
        return description(sequence).layout().map(IdLayout::time);
    }

    /** By the layout, or by the service if ids have none. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        if (id < 1) {
            throw new IllegalArgumentException("An id must be positive: id=" + id);
        }
        return description(sequence)
                .layout()
                .map(layout -> layout.decode(id))
                .orElseGet(() ->
                        Questions.decode(find(sequence).map(Open::remote).orElseGet(() -> unknown(sequence)), id));
    }

    @Override
    public void stopWaiting() {
        byConfiguration.values().forEach(ServicePool::stop);
    }

    @Override
    public void cut() {
        byConfiguration.values().forEach(ServicePool::cut);
    }

    /** Gives nothing back, as {@link #close}: the service takes no ids back. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        bySequence.values().stream()
                .flatMap(open -> Stream.ofNullable(open.strict))
                .forEach(StrictIds::close);
        byConfiguration.values().forEach(ServicePool::close);
    }
}
