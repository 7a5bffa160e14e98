package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.ServerStatistics;
import io.distributedid.backend.remote.Description.Kind;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.failover.FailoverEvent;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.Outage;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.internal.service.Subject;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one sequence on each server.
 *
 * <p>The token of the id space must be that of the first answer, in every answer of every server that says it, and so
 * must the kind of the sequence. Before a server is asked for ids, and again after each failure, it says token and
 * kind, and compares its counters with the largest existing ids.
 *
 * <p>A server that can't be reached is left out for all sequences, see {@link ServiceServer#pause}. A server that has
 * no ids of this sequence now, or must not give them, is left out for this sequence only. Thread-safe.
 */
final class RemoteSequence implements Subject {

    private final Sequence sequence;

    private final ServicePool pool;

    private final SequenceMemory memory;

    /** How long calls wait, and a server for its clock to pass existing ids. */
    private final Duration timeout;

    private final Platform platform;

    /** In the order of the settings. */
    private final Map<ServiceServer, OnServer> servers = new LinkedHashMap<>();

    private final AtomicReference<@Nullable Kind> kind = new AtomicReference<>();

    /** What a server said last. */
    private volatile @Nullable Description description;

    private volatile long describedAt;

    /** The largest id that this process got. */
    private final AtomicLong largest = new AtomicLong();

    private final AtomicLong raises = new AtomicLong();

    private final Outage outage = new Outage();

    private volatile String lastServer = "";

    /** The server that gave the last ids of a strictly ordered sequence. */
    private volatile @Nullable ServiceServer active;

    private static final class OnServer {

        /** Whether it is left out for this sequence, without ids or with a refusal. */
        private final ServerPause pause;

        /** The existing ids that it compared since its last failure. */
        private volatile Set<Long> compared = Set.of();

        /** What it said since its last failure. */
        private volatile @Nullable Description said;

        private final LongAdder fetches = new LongAdder();

        private final LongAdder failures = new LongAdder();

        private final LongAdder failovers = new LongAdder();

        OnServer(ServiceServer server, Platform platform) {
            pause = new ServerPause(server.label(), server.unavailable(), platform::nanoTime);
        }
    }

    /** @param memory perhaps of a former backend */
    RemoteSequence(Sequence sequence, ServicePool pool, SequenceMemory memory, Platform platform) {
        this.sequence = sequence;
        this.pool = pool;
        this.memory = memory;
        this.platform = platform;
        timeout = BlockPolicy.of(sequence.settings()).timeout();
        pool.servers().forEach(server -> servers.put(server, new OnServer(server, platform)));
    }

    private OnServer on(ServiceServer server) {
        return Objects.requireNonNull(servers.get(server));
    }

    /** For messages. */
    String about() {
        return "seq=" + sequence.name();
    }

    String path(String rest) {
        return "/v1/sequences/" + sequence.name() + rest;
    }

    ServicePool pool() {
        return pool;
    }

    SequenceMemory memory() {
        return memory;
    }

    /** What a server said last. Only of a sequence that one has described. */
    Description description() {
        return Objects.requireNonNull(description);
    }

    /** Whether it was described a moment ago. */
    boolean isFresh(Duration moment) {
        return description != null && platform.nanoTime() - describedAt < moment.toNanos();
    }

    /** The label of the server that answered or failed last. */
    String lastServer() {
        return lastServer;
    }

    void setActive(ServiceServer server) {
        active = server;
    }

    /** What a server says of the sequence, if that agrees with what others have said. */
    CompletableFuture<Description> describe(ServiceServer server) {
        return server.get(path(""), about(), answer -> {
            Description said = Description.of(answer, sequence.name());
            memory.requireToken(server.label(), said.token());
            requireKind(server, said.kind());
            on(server).said = said;
            description = said;
            describedAt = platform.nanoTime();
            return said;
        });
    }

    private void requireKind(ServiceServer server, Kind said) {
        Kind first = kind.compareAndSet(null, said) ? said : Objects.requireNonNull(kind.get());
        if (said != first) {
            throw new IdConfigurationException("Servers of an issuing service issue a sequence in different ways: "
                    + about() + ", " + server.label() + " says kind=" + said.text()
                    + ", allowed: kind=" + first.text() + ", as the first server said. Give the servers the same"
                    + " settings, or remove one from " + RemoteBackendProvider.SERVERS
                    + ". If the service has changed, restart this application" + Pages.onCall("service-places"));
        }
    }

    /** Makes sure that ids may be taken from a server. */
    CompletableFuture<Description> ready(ServiceServer server) {
        Description known = on(server).said;
        return (known == null ? describe(server) : CompletableFuture.completedFuture(known))
                .thenCompose(said -> compare(server, false).thenApply(done -> said));
    }

    /** Has a server compare its counters with the largest existing ids, unless it did. */
    CompletableFuture<?> compare(ServiceServer server, boolean raise) {
        List<Long> ids = memory.existing();
        if (ids.isEmpty() || (!raise && on(server).compared.containsAll(ids))) {
            return CompletableFuture.completedFuture(null);
        }
        String list = ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
        String body = "{\"existing\":[" + list + "],\"raise\":" + raise + "}";
        return server.post(path("/above"), about(), body, timeout)
                .thenAccept(done -> on(server).compared = Set.copyOf(ids));
    }

    /** The counters were raised: blocks that were asked for before are not used any more. */
    void raised() {
        raises.incrementAndGet();
    }

    long raises() {
        return raises.get();
    }

    /** Takes ids of a server that is {@link #ready}. */
    <T> CompletableFuture<T> take(ServiceServer server, String rest, Function<Json, T> reader) {
        return server.post(path(rest), about(), answer -> {
            Description.requireSequence(answer, sequence.name());
            T read = reader.apply(answer);
            memory.requireToken(server.label(), answer.find("token"));
            return read;
        });
    }

    /** Notes the largest id of an answer. */
    void given(ServiceServer server, long id) {
        on(server).fetches.increment();
        largest.accumulateAndGet(id, Math::max);
    }

    /** The largest id that this process got; empty if it got none. */
    OptionalLong largest() {
        long id = largest.get();
        return id > 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    @Override
    public Optional<ServiceServer> likely() {
        return Optional.ofNullable(active);
    }

    @Override
    public Optional<ServerPause> pause(ServiceServer server) {
        return Stream.of(server.pause(), on(server).pause)
                .filter(each -> !each.isInUse())
                .findFirst();
    }

    @Override
    public void ended(ServiceServer server, @Nullable Exception failure, @Nullable ServerPause trial) {
        lastServer = server.label();
        // A standby is well.
        if (failure == null || ServiceException.isOf(ServiceException.Kind.ELSEWHERE, failure)) {
            on(server).pause.succeeded();
        } else {
            failed(server, failure, trial);
        }
    }

    private void failed(ServiceServer server, Exception failure, @Nullable ServerPause trial) {
        OnServer known = on(server);
        boolean isSwitched = trial == null && pause(server).isEmpty() && servers.size() > 1;
        known.said = null;
        known.compared = Set.of();
        if (!ServiceException.isOf(ServiceException.Kind.UNREACHABLE, failure)) {
            known.pause.failed(failure, known.pause.equals(trial));
        }
        known.failures.increment();
        if (isSwitched) {
            known.failovers.increment();
            FailoverEvent.emit(sequence.name(), server.label(), failure);
        }
    }

    /** What one server refuses, another one may give. */
    @Override
    public boolean isFinal(Exception failure) {
        return false;
    }

    @Override
    public Outage outage() {
        return outage;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    /** Requests in strict order go on without calls, so that calls and health find the service as it is. */
    @Override
    public boolean isGivenUp(long began, long now) {
        return false;
    }

    @Override
    public String none() {
        return "No server gives ids";
    }

    @Override
    public String toString() {
        return sequence.toString();
    }

    /** In the order of the servers. Asks none. No server has a counter of its own. */
    List<ServerStatistics> statistics() {
        return pool.servers().stream().map(this::statistics).toList();
    }

    private ServerStatistics statistics(ServiceServer server) {
        OnServer known = on(server);
        return new ServerStatistics(
                server.label(),
                known.fetches.sum(),
                known.failures.sum(),
                known.failovers.sum(),
                OptionalLong.empty(),
                pause(server)
                        .flatMap(each -> Optional.ofNullable(each.failure()))
                        .map(FailureText::of));
    }
}
