package io.distributedid.backend.remote;

import io.distributedid.IdConfigurationException;
import io.distributedid.ServerStatistics;
import io.distributedid.backend.remote.SequenceMemory.First;
import io.distributedid.internal.failover.FailoverEvent;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.FailureText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one sequence on each server.
 *
 * <p>The token of the id space must be that of the first answer, in every answer of every server that says it. A server
 * that has not compared its counters with the largest existing ids, since it was down, is asked to before it is asked
 * for ids.
 *
 * <p>A server that can't be reached is left out for all sequences, see {@link RemoteServer#pause}. A server that has no
 * ids of this sequence now, or must not give them, is left out for this sequence only. Thread-safe.
 */
final class RemoteSequence {

    private final String name;

    private final List<RemoteServer> servers;

    /** Why a server may be left out, most general first, by its place. */
    private final List<List<ServerPause>> pauses;

    private final SequenceMemory memory;

    /** The existing ids that each server compared last. */
    private final Map<RemoteServer, Set<Long>> compared = new ConcurrentHashMap<>();

    private final AtomicLongArray fetches;

    private final AtomicLongArray failures;

    private final AtomicLongArray failovers;

    /** The largest id that this process got. */
    private final AtomicLong largest = new AtomicLong();

    private volatile String lastServer = "";

    /** What the servers are whose descriptions were compared since they were unreachable last. */
    private final Map<RemoteServer, Description.Kind> verified = new ConcurrentHashMap<>();

    /** The server that gave the last ids of a strictly ordered sequence. */
    private volatile @Nullable RemoteServer active;

    /** A sequence of which nothing is known. */
    RemoteSequence(String name, List<RemoteServer> servers, LongSupplier nanoTime) {
        this(name, servers, SequenceMemory.empty(), nanoTime);
    }

    /** @param memory perhaps of a former backend */
    RemoteSequence(String name, List<RemoteServer> servers, SequenceMemory memory, LongSupplier nanoTime) {
        this.name = name;
        this.servers = servers;
        this.memory = memory;
        pauses = servers.stream()
                .map(server -> List.of(
                        server.pause(),
                        new ServerPause(server.label(), server.unavailable(), nanoTime),
                        // A refusal is a warning for each sequence.
                        new ServerPause(server.label(), ServerPause.outages(nanoTime), nanoTime)))
                .toList();
        fetches = new AtomicLongArray(servers.size());
        failures = new AtomicLongArray(servers.size());
        failovers = new AtomicLongArray(servers.size());
    }

    String name() {
        return name;
    }

    List<RemoteServer> servers() {
        return servers;
    }

    /** The label of the server that answered or failed last. */
    String lastServer() {
        return lastServer;
    }

    Optional<RemoteServer> active() {
        return Optional.ofNullable(active);
    }

    void setActive(RemoteServer server) {
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

    /**
     * Compares the token of an answer with that of the first one.
     *
     * @throws IdConfigurationException if they differ
     */
    void requireToken(RemoteServer server, Optional<String> token) {
        First said = new First(server.label(), token);
        First known =
                memory.first().compareAndSet(null, said) ? said : memory.first().get();
        if (known != null && !known.token().equals(token)) {
            throw new IdConfigurationException("Servers of an issuing service give ids from different places: seq="
                    + name
                    + ", " + server.label() + " says " + text(token) + ", but " + known.server() + " said "
                    + text(known.token())
                    + ". Both would give the same ids. Check the backend, servers and tables in the"
                    + " settings of " + server.label() + ", or remove it from " + RemoteSettings.SERVERS);
        }
    }

    /**
     * Compares the token of a description with that of the first answer, and notes the kind.
     *
     * @throws IdConfigurationException if the tokens differ
     */
    void verify(RemoteServer server, Description description) {
        requireToken(server, description.token());
        verified.put(server, description.kind());
    }

    /** Whether a server said that it is of this kind since it was unreachable last. */
    boolean isVerified(RemoteServer server, Description.Kind kind) {
        return verified.get(server) == kind;
    }

    private static String text(Optional<String> token) {
        return token.map(each -> "token=" + each).orElse("that there is no token");
    }

    /** Compares the counters of a server with the largest existing ids, unless that was done. */
    CompletableFuture<?> compared(RemoteServer server, boolean raise, Duration more) {
        List<Long> ids = memory.existing().all();
        if (ids.isEmpty() || (!raise && compared.getOrDefault(server, Set.of()).containsAll(ids))) {
            return CompletableFuture.completedFuture(null);
        }
        String list = ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
        return server.post(name, "/above", "{\"existing\":[" + list + "],\"raise\":" + raise + "}", more)
                .thenAccept(done -> compared.put(server, Set.copyOf(ids)));
    }

    boolean isInUse(RemoteServer server) {
        return pauses.get(server.place()).stream().allMatch(ServerPause::isInUse);
    }

    /**
     * Begins a trial of a server that is left out.
     *
     * @param others whether others are in use: then the full back-off applies
     * @return what to end; null if it must not be asked now
     */
    @Nullable
    ServerPause beginTrial(RemoteServer server, boolean others) {
        ServerPause pause = pause(server);
        return pause.beginTrial(others) ? pause : null;
    }

    /** Why it is left out; the last one if it is in use. */
    ServerPause pause(RemoteServer server) {
        List<ServerPause> all = pauses.get(server.place());
        return all.stream().filter(each -> !each.isInUse()).findFirst().orElse(all.get(all.size() - 1));
    }

    private ServerPause pause(RemoteServer server, Exception failure) {
        int kind = failure instanceof UnreachableException ? 0 : failure instanceof RemoteException ? 1 : 2;
        return pauses.get(server.place()).get(kind);
    }

    /** It gave ids. */
    void succeeded(RemoteServer server) {
        lastServer = server.label();
        pauses.get(server.place()).forEach(ServerPause::succeeded);
    }

    /** It can be reached. */
    void answered(RemoteServer server) {
        lastServer = server.label();
        server.pause().succeeded();
    }

    /** Leaves it out. {@code trial}: the pause under which it was tried; null if it was in use. */
    void failed(RemoteServer server, Exception e, @Nullable ServerPause trial) {
        if (server.pause().isClosing()) {
            return;
        }
        if (e instanceof UnreachableException) {
            verified.remove(server);
        }
        boolean wasInUse = isInUse(server);
        ServerPause pause = pause(server, e);
        if (!pause.equals(server.pause())) {
            answered(server);
        }
        pause.failed(e, pause.equals(trial));
        lastServer = server.label();
        failures.incrementAndGet(server.place());
        if (wasInUse && trial == null && servers.size() > 1) {
            failovers.incrementAndGet(server.place());
            FailoverEvent.emit(name, server.label(), e);
        }
    }

    /** Notes the largest id of an answer. */
    void given(RemoteServer server, long id) {
        fetches.incrementAndGet(server.place());
        largest.accumulateAndGet(id, Math::max);
    }

    /** The largest id that this process got; empty if it got none. */
    OptionalLong largest() {
        long id = largest.get();
        return id > 0 ? OptionalLong.of(id) : OptionalLong.empty();
    }

    /** In the order of the servers. Asks none. No server has a counter of its own. */
    List<ServerStatistics> statistics() {
        return servers.stream().map(this::statistics).toList();
    }

    private ServerStatistics statistics(RemoteServer server) {
        int place = server.place();
        return new ServerStatistics(
                server.label(),
                fetches.get(place),
                failures.get(place),
                failovers.get(place),
                OptionalLong.empty(),
                Optional.ofNullable(pause(server).failure()).map(FailureText::of));
    }
}
