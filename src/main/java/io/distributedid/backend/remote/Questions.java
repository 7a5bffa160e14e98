package io.distributedid.backend.remote;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.http.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** What is asked about a sequence, and what the answers of several servers mean together. Takes no ids. */
final class Questions {

    private Questions() {}

    static IdUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while asking the servers of ids", e);
    }

    /**
     * What the servers say of a sequence.
     *
     * @throws IdConfigurationException if one refuses, or they differ
     * @throws IdUnavailableException if none answers
     */
    static Description describe(RemoteServers servers, RemoteSequence remote) {
        List<RemoteServers.Ended<Description>> answers = answers(servers, remote, false);
        RemoteServers.Ended<Description> first = firstGood(answers);
        for (RemoteServers.Ended<Description> each : answers) {
            if (each.failure() instanceof DistributedIdException refusal) {
                throw refusal;
            }
            if (each.failure() == null && each.good().kind() != first.good().kind()) {
                throw new IdConfigurationException("Servers of an issuing service issue a sequence in different ways:"
                        + " seq=" + remote.name() + ", " + each.server().label() + " says kind="
                        + each.good().kind()
                        + ", but " + first.server().label() + " says kind="
                        + first.good().kind()
                        + ". Give the servers the same settings, or remove one from " + RemoteSettings.SERVERS);
            }
        }
        return first.good();
    }

    static List<RemoteServers.Ended<Description>> answers(
            RemoteServers servers, RemoteSequence remote, boolean waitsForAll) {
        return askAll(
                servers,
                remote,
                waitsForAll,
                server -> server.get(remote.name(), "").thenApply(answer -> described(server, remote, answer)));
    }

    /** What one server says of a sequence, if it is in the id space of the others. */
    static Description described(RemoteServer server, RemoteSequence remote, JsonObject answer) {
        Description description;
        try {
            description = Description.of(answer, remote.name());
        } catch (IllegalArgumentException e) {
            throw new CompletionException(server.malformed(e));
        }
        remote.verify(server, description);
        return description;
    }

    static <T> List<RemoteServers.Ended<T>> askAll(
            RemoteServers servers,
            RemoteSequence remote,
            boolean waitsForAll,
            Function<RemoteServer, CompletableFuture<T>> question) {
        try {
            return servers.askAll(remote, waitsForAll, question);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The first good answer. If there is none, throws what is wrong. */
    static <T> RemoteServers.Ended<T> firstGood(List<RemoteServers.Ended<T>> answers) {
        ServerFailures failures = new ServerFailures();
        for (RemoteServers.Ended<T> each : answers) {
            if (each.failure() == null) {
                return each;
            }
        }
        for (RemoteServers.Ended<T> each : answers) {
            if (each.failure() instanceof IdConfigurationException refusal) {
                throw refusal;
            }
            failures.add(each.server().label(), Objects.requireNonNull(each.failure()));
        }
        throw failures.noneGivesIds();
    }

    /**
     * Has the servers compare their counters with the existing ids that the sequence knows.
     *
     * @param timeout how long one may wait for its clock
     * @param raise whether all must answer, and raise counters that lie below. Those that stand by need not: the active
     *     server raises for its successors
     */
    static void compare(RemoteServers servers, RemoteSequence remote, Duration timeout, boolean raise) {
        List<? extends RemoteServers.Ended<?>> answers =
                askAll(servers, remote, raise, server -> remote.compared(server, raise, timeout));
        boolean isAnswered = answers.stream().anyMatch(each -> each.failure() == null);
        ServerFailures failures = new ServerFailures();
        for (RemoteServers.Ended<?> each : answers) {
            if (each.failure() instanceof DistributedIdException refusal) {
                throw refusal;
            }
            if (each.failure() != null && !(isAnswered && each.failure() instanceof StandbyException)) {
                failures.add(each.server().label(), Objects.requireNonNull(each.failure()));
            }
        }
        if (raise && !failures.isEmpty()) {
            throw failures.toException("All servers must answer", ". Repeat the call when they do");
        }
        if (!isAnswered) {
            throw failures.noneGivesIds();
        }
    }

    /** An id that the service decodes. */
    static DecodedId decode(RemoteServers servers, RemoteSequence remote, long id) {
        return firstGood(askAll(
                        servers,
                        remote,
                        false,
                        server -> server.get(remote.name(), "/ids/" + id)
                                .thenApply(answer -> decoded(server, answer, remote.name(), id))))
                .good();
    }

    private static DecodedId decoded(RemoteServer server, JsonObject answer, String sequence, long id) {
        try {
            Description.requireSequence(answer, sequence);
            if (answer.id("id") != id) {
                throw new IllegalArgumentException("id must be " + id);
            }
            Map<String, Long> fields = new LinkedHashMap<>();
            answer.findObject("fields")
                    .ifPresent(each -> each.members()
                            .keySet()
                            .forEach(name -> fields.put(name.toString(), each.id(name.toString()))));
            return new DecodedId(id, answer.find("time").map(Instant::parse).orElse(null), fields);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new CompletionException(server.malformed(e));
        }
    }
}
