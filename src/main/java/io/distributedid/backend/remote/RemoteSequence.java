package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.ServerStatistics;
import io.distributedid.backend.remote.SequenceMemory.First;
import io.distributedid.internal.failover.FailoverEvent;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServiceException.Kind;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.internal.service.Subject;
import io.distributedid.spi.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one sequence on each server.
 *
 * <p>The token of the id space must be that of the first answer, in every answer of every server that says it. Before a
 * server is asked for ids, and again after it was away, it says token and kind, and compares its counters with the
 * largest existing ids.
 *
 * <p>A server that can't be reached is left out for all sequences, see {@link ServiceServer#pause}. A server that has
 * no ids of this sequence now, or must not give them, is left out for this sequence only. Thread-safe.
 */
final class RemoteSequence implements Subject {

    private final Sequence sequence;

    private final String name;

    private final ServicePool pool;

    private final SequenceMemory memory;

    /** By their places. */
    private final List<OnServer> servers;

    /** The largest id that this process got. */
    private final AtomicLong largest = new AtomicLong();

    private volatile String lastServer = "";

    /** The server that gave the last ids of a strictly ordered sequence. */
    private volatile @Nullable ServiceServer active;

    private static final class OnServer {

        /** Why it may be left out, most general first: unreachable, without ids, refusing. */
        private final List<ServerPause> pauses;

        /** The existing ids that it compared last. */
        private volatile Set<Long> compared = Set.of();

        /** What it said since it was unreachable last. */
        private volatile Description.@Nullable Kind kind;

        private final LongAdder fetches = new LongAdder();

        private final LongAdder failures = new LongAdder();

        private final LongAdder failovers = new LongAdder();

        OnServer(ServiceServer server, LongSupplier nanoTime) {
            pauses = List.of(
                    server.pause(),
                    new ServerPause(server.label(), server.unavailable(), nanoTime),
                    // A refusal is a warning for each sequence.
                    new ServerPause(server.label(), ServerPause.outages(nanoTime), nanoTime));
        }
    }

    /** @param memory perhaps of a former backend */
    RemoteSequence(Sequence sequence, ServicePool pool, SequenceMemory memory, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.name = sequence.name();
        this.pool = pool;
        this.memory = memory;
        servers = pool.servers().stream()
                .map(server -> new OnServer(server, nanoTime))
                .toList();
    }

    private OnServer on(ServiceServer server) {
        return servers.get(server.place());
    }

    String name() {
        return name;
    }

    /** For messages. */
    String about() {
        return "seq=" + name;
    }

    String path(String rest) {
        return "/v1/sequences/" + name + rest;
    }

    ServicePool pool() {
        return pool;
    }

    /** The label of the server that answered or failed last. */
    String lastServer() {
        return lastServer;
    }

    void setActive(ServiceServer server) {
        active = server;
    }

    /** The token of the id space; empty if there is none or no server has answered. */
    Optional<String> token() {
        First known = memory.first().get();
        return known == null ? Optional.empty() : known.token();
    }

    SequenceMemory memory() {
        return memory;
    }

    /** What a server says of the sequence, if it is in the id space of the others. */
    CompletableFuture<Description> describe(ServiceServer server) {
        return server.get(path(""), about(), answer -> {
            Description description = Description.of(answer, name);
            requireToken(server, description.token());
            on(server).kind = description.kind();
            return description;
        });
    }

    /**
     * Compares the token of an answer with that of the first one.
     *
     * @throws IdConfigurationException if they differ
     */
    void requireToken(ServiceServer server, Optional<String> token) {
        First said = new First(server.label(), token);
        First known =
                memory.first().compareAndSet(null, said) ? said : memory.first().get();
        if (known != null && !known.token().equals(token)) {
            throw new IdConfigurationException("Servers of an issuing service give ids from different places: "
                    + about() + ", " + server.label() + " says " + text(token) + ", but " + known.server() + " said "
                    + text(known.token())
                    + ". Both would give the same ids. Check the backend, servers and tables in the"
                    + " settings of " + server.label() + ", or remove it from " + RemoteSettings.SERVERS);
        }
    }

    private static String text(Optional<String> token) {
        return token.map(each -> "token=" + each).orElse("that there is no token");
    }

    /**
     * Makes sure that ids may be taken from a server.
     *
     * @param kind what the sequence was when this process opened it
     * @param more the time that the server may wait for its clock to pass existing ids
     */
    CompletableFuture<?> ready(ServiceServer server, Description.Kind kind, Duration more) {
        CompletableFuture<?> said = on(server).kind == kind
                ? CompletableFuture.completedFuture(null)
                : describe(server).thenAccept(description -> requireKind(server, description, kind));
        return said.thenCompose(done -> compare(server, false, more));
    }

    void requireKind(ServiceServer server, Description description, Description.Kind kind) {
        if (description.kind() != kind) {
            throw new IdConfigurationException("A server of an issuing service issues a sequence in another way than"
                    + " when this application started: " + about() + ", " + server.label() + " says kind="
                    + description.kind().text() + ", allowed: kind=" + kind.text()
                    + ". Give the servers the same settings, or remove one from " + RemoteSettings.SERVERS);
        }
    }

    /** Has a server compare its counters with the largest existing ids, unless it did. */
    CompletableFuture<?> compare(ServiceServer server, boolean raise, Duration more) {
        List<Long> ids = memory.existing().all();
        if (ids.isEmpty() || (!raise && on(server).compared.containsAll(ids))) {
            return CompletableFuture.completedFuture(null);
        }
        String list = ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
        String body = "{\"existing\":[" + list + "],\"raise\":" + raise + "}";
        return server.post(path("/above"), about(), body, more)
                .thenAccept(done -> on(server).compared = Set.copyOf(ids));
    }

    @Override
    public Optional<ServiceServer> likely() {
        return Optional.ofNullable(active);
    }

    @Override
    public Optional<ServerPause> pause(ServiceServer server) {
        return on(server).pauses.stream().filter(each -> !each.isInUse()).findFirst();
    }

    @Override
    public void ended(ServiceServer server, @Nullable Exception failure, @Nullable ServerPause trial) {
        lastServer = server.label();
        if (failure == null) {
            on(server).pauses.forEach(ServerPause::succeeded);
        } else if (ServiceException.isOf(Kind.ELSEWHERE, failure)) {
            server.pause().succeeded();
        } else {
            failed(server, failure, trial);
        }
    }

    private void failed(ServiceServer server, Exception failure, @Nullable ServerPause trial) {
        OnServer known = on(server);
        boolean isSwitched = trial == null && pause(server).isEmpty() && servers.size() > 1;
        int which = failure instanceof ServiceException ? 1 : 2;
        if (ServiceException.isOf(Kind.UNREACHABLE, failure)) {
            known.kind = null;
            which = 0;
        } else {
            server.pause().succeeded();
        }
        ServerPause pause = known.pauses.get(which);
        pause.failed(failure, pause.equals(trial));
        known.failures.increment();
        if (isSwitched) {
            known.failovers.increment();
            FailoverEvent.emit(name, server.label(), failure);
        }
    }

    /** What one server refuses, another one may give. */
    @Override
    public boolean isFinal(Exception failure) {
        return false;
    }

    @Override
    public Object place() {
        return name;
    }

    @Override
    public String none() {
        return "No server gives ids";
    }

    @Override
    public String toString() {
        return sequence.toString();
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
