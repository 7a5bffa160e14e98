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
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServicePool.Ended;
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
import java.time.Instant;
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
import java.util.function.Function;

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

    /** How long an opening asks nothing after the sequence was prepared. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final BackendContext context;

    private final Platform platform;

    private final Function<ServiceSettings.Service, ServicePool> opened;

    /** What is logged of sequences in strict order that get no ids. */
    private final OutageLog strictOutages = new OutageLog(LOG);

    private final Map<ServiceSettings.Service, ServicePool> pools = new ConcurrentHashMap<>();

    /** Those that the service has described, whether they are open or not. */
    private final Map<String, RemoteSequence> sequences = new ConcurrentHashMap<>();

    private final Map<String, StrictIds> strict = new ConcurrentHashMap<>();

    /** Of open sequences, those of former backends included. */
    private final Map<String, SequenceMemory> memories = new ConcurrentHashMap<>();

    /**
     * Does not connect to any server.
     *
     * @param opened makes the servers of an issuing service
     */
    RemoteBackend(BackendContext context, Platform platform, Function<ServiceSettings.Service, ServicePool> opened) {
        this.context = context;
        this.platform = platform;
        this.opened = opened;
        context.former().map(RemoteBackend.class::cast).ifPresent(before -> memories.putAll(before.memories));
    }

    /** Asks every server about the sequence. A server that does not answer is compared with the others when it does. */
    @Override
    public IdSource open(Sequence sequence) {
        String name = sequence.name();
        RemoteSequence known = sequences.get(name);
        RemoteSequence remote = known != null && known.isFresh(FRESH) ? known : described(sequence);
        remote.description()
                .layout()
                .ifPresent(layout -> layout.requireFit(
                        sequence, "Map the property to a 64-bit type, or take its ids from another sequence"));
        memories.put(name, remote.memory());
        if (remote.description().kind() == Description.Kind.STRICT) {
            StrictIds ids = new StrictIds(
                    sequence,
                    remote,
                    strictOutages,
                    new WaitStatistics(name, platform::nanoTime, time -> context.waited(name, time)),
                    platform);
            strict.put(name, ids);
            return ids;
        }
        return context.buffer(
                sequence,
                new RemoteBlocks(remote, BlockPolicy.of(sequence.settings()).maxAge(), platform));
    }

    /** Of a sequence that the service has not described, asks once. */
    private RemoteSequence find(Sequence sequence) {
        RemoteSequence known = sequences.get(sequence.name());
        return known == null ? described(sequence) : known;
    }

    private RemoteSequence described(Sequence sequence) {
        SequenceMemory memory = memories.get(sequence.name());
        RemoteSequence asked = remote(sequence, memory == null ? new SequenceMemory(sequence.name()) : memory);
        List<Ended<Description>> answers = asked.pool().askAll(asked, false, asked::describe);
        answers.forEach(RemoteBackend::requireNoRefusal);
        firstGood(answers);
        sequences.put(sequence.name(), asked);
        return asked;
    }

    private RemoteSequence remote(Sequence sequence, SequenceMemory memory) {
        ServicePool pool = pools.computeIfAbsent(RemoteBackendProvider.service(sequence.settings()), opened);
        return new RemoteSequence(sequence, pool, memory, platform);
    }

    private static void requireNoRefusal(Ended<?> end) {
        if (end.failure() instanceof DistributedIdException refusal) {
            throw refusal;
        }
    }

    /** The first good answer. If there is none, throws what is wrong. */
    private static <T> T firstGood(List<Ended<T>> answers) {
        ServerFailures failures = new ServerFailures();
        for (Ended<T> each : answers) {
            if (each.failure() == null) {
                return each.good();
            }
            failures.add(each.server().label(), each.failure());
        }
        answers.forEach(RemoteBackend::requireNoRefusal);
        throw failures.noneGivesIds();
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
            platform.callAll(Collections.nCopies(Math.min(TOGETHER, existing.size()), work));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepare(Sequence sequence, Collection<Long> existing) {
        try {
            if (!sequences.containsKey(sequence.name())) {
                described(sequence);
            } else if (!existing.isEmpty()) {
                requireAbove(sequence, existing, false);
            }
        } catch (DistributedIdException e) {
            LOG.log(Level.DEBUG, "A sequence can't be prepared: " + sequence, e);
        }
    }

    /** A server that does not answer compares them before it gives ids. A raise needs an answer of each. */
    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        List<Long> ids = existing.stream().filter(id -> id != 0).toList();
        RemoteSequence remote = sequences.get(sequence.name());
        if (ids.isEmpty() || remote == null) {
            return;
        }
        SequenceMemory memory = remote.memory();
        SequenceMemory.Existing call = memory.add(ids, remote.description().step());
        try {
            compare(remote, raise);
        } catch (IdConfigurationException | IdsExhaustedException e) {
            // The caller decides whether the sequence is used all the same.
            memory.end(call, false);
            throw e;
        } finally {
            memory.end(call, true);
            if (raise) {
                remote.raised();
            }
        }
    }

    /** To raise, all servers must answer, but those that stand by: the active one raises for its successors. */
    private static void compare(RemoteSequence remote, boolean raise) {
        List<? extends Ended<?>> answers = remote.pool().askAll(remote, raise, server -> remote.compare(server, raise));
        answers.forEach(RemoteBackend::requireNoRefusal);
        boolean isAnswered = answers.stream().anyMatch(each -> each.failure() == null);
        ServerFailures failures = new ServerFailures();
        answers.stream()
                .filter(each -> each.failure() != null)
                .filter(each -> !isAnswered || !ServiceException.isOf(ServiceException.Kind.ELSEWHERE, each.failure()))
                .forEach(each -> failures.add(each.server().label(), Objects.requireNonNull(each.failure())));
        if (raise && !failures.isEmpty()) {
            throw failures.toException(
                    "All servers must answer",
                    ". Repeat the call when they do" + Pages.onCall("counter-not-all-answer"));
        }
        if (!isAnswered) {
            throw failures.noneGivesIds();
        }
    }

    @Override
    public long step(Sequence sequence) {
        return find(sequence).description().step();
    }

    @Override
    public long maxDistance(Sequence sequence) {
        return find(sequence).description().maxDistance();
    }

    /** Asks also servers that are left out. Compares none with what is known of the sequence. */
    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        RemoteSequence unknown = remote(sequence, new SequenceMemory(sequence.name()));
        List<Ended<Description>> answers = unknown.pool().askAll(unknown, true, unknown::describe);
        return answers.stream()
                .sorted(Comparator.comparingInt(each -> unknown.pool().servers().indexOf(each.server())))
                .map(RemoteBackend::result)
                .toList();
    }

    private static CheckResult result(Ended<Description> each) {
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
        return Optional.ofNullable(sequences.get(sequence.name()))
                .flatMap(remote -> remote.memory().token());
    }

    /** As the service names it, so that a database remembers the same for embedded applications. */
    @Override
    public String idSpace(Sequence sequence) {
        return find(sequence).description().idSpace();
    }

    @Override
    public Map<String, Long> counters(Sequence sequence) {
        RemoteSequence remote = sequences.get(sequence.name());
        return remote == null
                ? Map.of()
                : firstGood(remote.pool().askAll(remote, false, remote::describe))
                        .counters();
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.ofNullable(sequences.get(sequence.name())).map(remote -> {
            Optional<CapacityStatistics> capacity =
                    remote.description().layout().isPresent()
                            ? Optional.empty()
                            : Optional.of(CapacityStatistics.ofCounter(sequence.maxValue(), remote.largest()));
            StrictIds ids = strict.get(sequence.name());
            SequenceStatistics known = ids == null ? SequenceStatistics.NONE : ids.statistics();
            return known.withServers(remote.statistics()).withCapacity(capacity);
        });
    }

    @Override
    public Optional<IdTime> time(Sequence sequence) {
        return find(sequence).description().layout().map(IdLayout::time);
    }

    /** By the layout, or by the service if ids have none. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        if (id < 1) {
            throw new IllegalArgumentException("An id must be positive: id=" + id);
        }
        RemoteSequence remote = find(sequence);
        return remote.description()
                .layout()
                .map(layout -> layout.decode(id))
                .orElseGet(() -> firstGood(remote.pool()
                        .askAll(
                                remote,
                                false,
                                server -> server.get(
                                        remote.path("/ids/" + id),
                                        remote.about(),
                                        answer -> decoded(answer, sequence.name(), id)))));
    }

    private static DecodedId decoded(Json answer, String sequence, long id) {
        Description.requireSequence(answer, sequence);
        if (answer.id("id") != id) {
            throw new IllegalArgumentException("id must be " + id);
        }
        Map<String, Long> fields = answer.findObject("fields").map(Json::allIds).orElse(Map.of());
        return new DecodedId(id, answer.find("time").map(Instant::parse).orElse(null), fields);
    }

    @Override
    public void stopWaiting() {
        pools.values().forEach(ServicePool::stop);
    }

    @Override
    public void cut() {
        pools.values().forEach(ServicePool::cut);
    }

    /** Gives nothing back, as {@link #close}: the service takes no ids back. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        strict.values().forEach(StrictIds::close);
        pools.values().forEach(ServicePool::close);
    }
}
