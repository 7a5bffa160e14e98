package io.distributedid.backend.remote;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.jdbc.OutageLog;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an issuing service, which can stand in for each other. One is in use: the first in an order that
 * begins at a random place in each process, so that processes spread over the servers. If it fails, the next one is
 * asked at once; if it does not answer within {@link #SLOW}, the next one is asked too, and the first good answer
 * counts. A server that failed is left out, and tried again in the background, see {@link ServerPause}. While all are
 * left out, callers try them. Thread-safe.
 */
final class RemoteServers implements AutoCloseable {

    /** After this time a server may hang. */
    static final Duration SLOW = Duration.ofMillis(300);

    private static final Logger LOG = System.getLogger(RemoteServers.class.getName());

    private final OutageLog outages = new OutageLog(LOG);

    private final HttpCalls http;

    private final List<RemoteServer> servers;

    /** The place of the server that is asked first. */
    private final int preferred;

    RemoteServers(HttpCalls http, List<RemoteServer> servers, int preferred) {
        this.http = http;
        this.servers = servers;
        this.preferred = preferred;
    }

    List<RemoteServer> all() {
        return servers;
    }

    /** The servers in messages. */
    String label() {
        return servers.stream().map(RemoteServer::label).collect(Collectors.joining(", "));
    }

    /** What is logged of sequences in strict order that get no ids. */
    OutageLog outages() {
        return outages;
    }

    /** The end of one request; either {@code answer} or {@code failure} is null. */
    record Ended<T>(
            RemoteServer server,
            @Nullable T answer,
            @Nullable Exception failure) {

        /** The answer, if there is no failure. */
        T good() {
            return Objects.requireNonNull(answer);
        }
    }

    /**
     * Asks one server after the other until one gives a good answer.
     *
     * @param question asks one server
     * @param trial asks one that was left out, in the background; costs little
     * @throws IdUnavailableException if all failed, with the message of each
     * @throws io.distributedid.IdsExhaustedException if no server has ids left
     */
    <T> Ended<T> ask(
            RemoteSequence sequence,
            Function<RemoteServer, CompletableFuture<T>> question,
            Function<RemoteServer, CompletableFuture<T>> trial)
            throws InterruptedException {
        Race<T> race = new Race<>(sequence, question);
        if (race.hasServersInUse()) {
            race.leftOut.forEach(server -> tryInBackground(sequence, server, trial));
        }
        return race.run();
    }

    /** Its result is what {@link RemoteSequence} then knows. */
    private static <T> void tryInBackground(
            RemoteSequence sequence, RemoteServer server, Function<RemoteServer, CompletableFuture<T>> question) {
        if (!server.pause().isClosing()) {
            ServerPause trial = sequence.beginTrial(server, true);
            if (trial != null) {
                new Attempt<T>(sequence, server, true, trial).begin(question, new LinkedBlockingQueue<>());
            }
        }
    }

    /** The requests for one answer. Used by one thread. */
    private final class Race<T> {

        private final RemoteSequence sequence;

        private final Function<RemoteServer, CompletableFuture<T>> question;

        private final Deque<RemoteServer> next = new ArrayDeque<>();

        private final Deque<RemoteServer> leftOut = new ArrayDeque<>();

        private final List<Attempt<T>> underWay = new ArrayList<>();

        private final BlockingQueue<Ended<T>> ended = new LinkedBlockingQueue<>();

        private final ServerFailures failures = new ServerFailures();

        Race(RemoteSequence sequence, Function<RemoteServer, CompletableFuture<T>> question) {
            this.sequence = sequence;
            this.question = question;
            List<RemoteServer> slow = new ArrayList<>();
            for (int i = 0; i < servers.size(); i++) {
                RemoteServer server = servers.get((preferred + i) % servers.size());
                if (!sequence.isInUse(server)) {
                    leftOut.add(server);
                } else if (server.isSlow()) {
                    slow.add(server);
                } else {
                    next.add(server);
                }
            }
            sequence.active().ifPresent(active -> {
                if (next.remove(active)) {
                    next.addFirst(active);
                }
            });
            next.addAll(slow);
        }

        boolean hasServersInUse() {
            return !next.isEmpty();
        }

        Ended<T> run() throws InterruptedException {
            while (true) {
                if (underWay.isEmpty() && !startNext()) {
                    throw failures.noneGivesIds();
                }
                Ended<T> result = next.isEmpty() && leftOut.isEmpty()
                        ? ended.take()
                        : ended.poll(SLOW.toNanos(), TimeUnit.NANOSECONDS);
                if (result == null) {
                    underWay.forEach(Attempt::late);
                    startNext();
                    continue;
                }
                if (result.failure == null) {
                    return result;
                }
                underWay.removeIf(each -> each.server().equals(result.server));
                failures.add(result.server.label(), result.failure);
                if (result.failure instanceof StandbyException standby) {
                    standby.active().ifPresent(this::preferActive);
                }
                startNext();
            }
        }

        /** Returns false if there is none to be asked. */
        private boolean startNext() {
            RemoteServer server = next.poll();
            if (server != null) {
                start(server, null);
                return true;
            }
            for (RemoteServer each = leftOut.poll(); each != null; each = leftOut.poll()) {
                ServerPause trial = sequence.beginTrial(each, false);
                if (trial != null) {
                    start(each, trial);
                    return true;
                }
                failures.add(sequence.pause(each));
            }
            return false;
        }

        private void start(RemoteServer server, @Nullable ServerPause trial) {
            Attempt<T> attempt = new Attempt<>(sequence, server, true, trial);
            underWay.add(attempt);
            attempt.begin(question, ended);
        }

        private void preferActive(String address) {
            for (Deque<RemoteServer> each : List.of(next, leftOut)) {
                each.stream().filter(server -> server.isAt(address)).findFirst().ifPresent(server -> {
                    each.remove(server);
                    each.addFirst(server);
                });
            }
        }
    }

    /**
     * Asks all servers at once, and not for ids. Those that are left out are asked only if all answers are wanted, or
     * if there is no other.
     *
     * @param waitsForAll if false, a good answer is enough: others are then waited for no longer than {@link #SLOW}
     * @return what the servers answered by then
     */
    <T> List<Ended<T>> askAll(
            RemoteSequence sequence, boolean waitsForAll, Function<RemoteServer, CompletableFuture<T>> question)
            throws InterruptedException {
        List<RemoteServer> inUse = servers.stream().filter(sequence::isInUse).toList();
        List<RemoteServer> which = waitsForAll || inUse.isEmpty() ? servers : inUse;
        BlockingQueue<Ended<T>> results = new LinkedBlockingQueue<>();
        List<Attempt<T>> attempts = which.stream()
                .map(server -> new Attempt<T>(sequence, server, false, null))
                .toList();
        attempts.forEach(each -> each.begin(question, results));
        List<Ended<T>> ended = new ArrayList<>();
        boolean isEnough = false;
        while (ended.size() < which.size()) {
            Ended<T> result = isEnough ? results.poll(SLOW.toNanos(), TimeUnit.NANOSECONDS) : results.take();
            if (result == null) {
                attempts.forEach(Attempt::late);
                break;
            }
            ended.add(result);
            isEnough |= result.failure == null && !waitsForAll;
        }
        return ended;
    }

    /** From now on, failures of the servers are not logged. */
    void stop() {
        servers.forEach(server -> server.pause().close());
    }

    /** Ends the requests under way, and does not wait. */
    void cut() {
        stop();
        http.cut();
    }

    @Override
    public void close() {
        stop();
        http.close();
    }
}
