package io.distributedid.backend.remote;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.service.JsonObject;
import io.distributedid.internal.service.ServiceException;
import io.distributedid.internal.service.ServicePool.Ended;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is asked about a sequence, and what the answers of several servers mean together. Takes no ids. */
final class Questions {

    private Questions() {}

    /**
     * What the servers say of a sequence.
     *
     * @throws IdConfigurationException if one refuses, or they differ
     * @throws IdUnavailableException if none answers
     */
    static Description describe(RemoteSequence remote) {
        List<Ended<Description>> answers = answers(remote, false);
        Ended<Description> first = firstGood(answers);
        for (Ended<Description> each : answers) {
            if (each.failure() instanceof DistributedIdException refusal) {
                throw refusal;
            }
            if (each.failure() == null && each.good().kind() != first.good().kind()) {
                throw new IdConfigurationException("Servers of an issuing service issue a sequence in different ways: "
                        + remote.about() + ", " + each.server().label() + " says kind="
                        + each.good().kind()
                        + ", but " + first.server().label() + " says kind="
                        + first.good().kind()
                        + ". Give the servers the same settings, or remove one from " + RemoteSettings.SERVERS);
            }
        }
        return first.good();
    }

    static List<Ended<Description>> answers(RemoteSequence remote, boolean waitsForAll) {
        return remote.pool().askAll(remote, waitsForAll, remote::describe);
    }

    /** The first good answer. If there is none, throws what is wrong. */
    static <T> Ended<T> firstGood(List<Ended<T>> answers) {
        ServerFailures failures = new ServerFailures();
        for (Ended<T> each : answers) {
            if (each.failure() == null) {
                return each;
            }
        }
        for (Ended<T> each : answers) {
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
    static void compare(RemoteSequence remote, Duration timeout, boolean raise) {
        List<? extends Ended<?>> answers =
                remote.pool().askAll(remote, raise, server -> remote.compare(server, raise, timeout));
        boolean isAnswered = answers.stream().anyMatch(each -> each.failure() == null);
        ServerFailures failures = new ServerFailures();
        for (Ended<?> each : answers) {
            if (each.failure() instanceof DistributedIdException refusal) {
                throw refusal;
            }
            boolean isStandby = ServiceException.isOf(ServiceException.Kind.ELSEWHERE, each.failure());
            if (each.failure() != null && !(isAnswered && isStandby)) {
                failures.add(each.server().label(), each.failure());
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
    static DecodedId decode(RemoteSequence remote, long id) {
        return firstGood(remote.pool()
                        .askAll(
                                remote,
                                false,
                                server -> server.get(
                                        remote.path("/ids/" + id),
                                        remote.about(),
                                        answer -> decoded(remote, answer, id))))
                .good();
    }

    private static DecodedId decoded(RemoteSequence remote, JsonObject answer, long id) {
        Description.requireSequence(answer, remote.name());
        if (answer.id("id") != id) {
            throw new IllegalArgumentException("id must be " + id);
        }
        Map<String, Long> fields = new LinkedHashMap<>();
        answer.findObject("fields")
                .ifPresent(each ->
                        each.members().keySet().forEach(name -> fields.put(name.toString(), each.id(name.toString()))));
        return new DecodedId(id, answer.find("time").map(Instant::parse).orElse(null), fields);
    }
}
