package io.distributedid.server;

import io.distributedid.IdHealth;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.process.HostName;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tells orchestrators and balancers whether to send requests here, the status page what callers may know of each
 * sequence, and Prometheus how the server is doing. Health and figures are read from memory, so they need no worker,
 * and are there when no store answers.
 *
 * <p>Counts are those since the start. The caller computes rates from two answers of the same {@code instance}, and
 * divides by the difference of their {@code uptimeMillis}.
 */
final class HealthOperations {

    private static final CharSequence PROMETHEUS =
            HttpHeaders.createOptimized("text/plain; version=0.0.4; charset=utf-8");

    private static final String STATUS = "status";

    private static final String SEQUENCES = "sequences";

    private static final String KEYED = "keyed";

    private final Service service;

    private final long began = System.nanoTime();

    private final String instance = UUID.randomUUID().toString();

    private final String host = HostName.find().orElse("unknown");

    HealthOperations(Service service) {
        this.service = service;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/health/live", Set.of(), this::live),
                Route.get("/health/ready", Set.of(), this::ready),
                Route.get("/health/active", Set.of(), this::active),
                Route.get("/v1/status", Set.of(Right.READ), this::status),
                Route.get("/metrics", Set.of(Right.METRICS), this::metrics));
    }

    private void live(Exchange exchange) {
        exchange.query();
        exchange.json(new JsonObject().put(STATUS, IdHealth.Status.UP.name()));
    }

    private void ready(Exchange exchange) {
        exchange.query();
        IdHealth ofIds = service.sequences().health();
        IdHealth ofNumbers = service.numbers().health();
        Map<String, Object> members = service.access()
                .reader(exchange.request())
                .map(reader -> members(brief(ofIds, reader), brief(ofNumbers, reader)))
                .orElse(Map.of());
        if (service.traffic().isLeaving()) {
            throw new Problem(
                    ProblemType.NOT_READY, "The server is about to stop. Send requests to another one", members);
        }
        IdHealth.Status status = worst(ofIds, ofNumbers);
        if (status == IdHealth.Status.DOWN) {
            throw new Problem(
                    ProblemType.NOT_READY,
                    "A sequence has no ids now. Its entry says why and what to do, to callers with the right read",
                    members);
        }
        JsonObject answer = new JsonObject().put(STATUS, status.name());
        members.forEach(answer::put);
        exchange.json(answer);
    }

    private static IdHealth.Status worst(IdHealth ofIds, IdHealth ofNumbers) {
        return Collections.max(List.of(ofIds.status(), ofNumbers.status()));
    }

    private static Map<String, Object> members(JsonObject ofIds, JsonObject ofNumbers) {
        return ofNumbers.isEmpty() ? Map.of(SEQUENCES, ofIds) : Map.of(SEQUENCES, ofIds, KEYED, ofNumbers);
    }

    /** Status and reason of each sequence that the reader may use. */
    private JsonObject brief(IdHealth health, Caller reader) {
        JsonObject brief = new JsonObject();
        for (SequenceHealth each : health.sequences()) {
            if (reader.mayUse(each.sequence())) {
                JsonObject entry = new JsonObject().put(STATUS, each.status().name());
                brief.put(
                        each.sequence(),
                        each.reason().isEmpty()
                                ? entry
                                : entry.put("reason", service.text().of(each.reason())));
            }
        }
        return brief;
    }

    /** For a balancer of sequences in strict order. Without such a sequence, the same as {@link #ready}. */
    private void active(Exchange exchange) {
        Optional<TenureStatistics> standby = service.sequences().all().stream()
                .flatMap(each -> each.standby().stream())
                .findFirst();
        if (standby.isEmpty()) {
            ready(exchange);
            return;
        }
        exchange.query();
        Map<String, String> members = service.access()
                .reader(exchange.request())
                .flatMap(reader -> standby.get().active())
                .map(active -> Map.of(Problem.ACTIVE, active))
                .orElse(Map.of());
        throw new Problem(
                ProblemType.STANDBY,
                "This server is on standby. Another one issues the ids in strict order. Send requests there",
                members);
    }

    private void status(Exchange exchange) {
        exchange.query();
        IdHealth ofIds = service.sequences().health(exchange.caller());
        IdHealth ofNumbers = service.numbers().health(exchange.caller());
        JsonObject answer = new JsonObject()
                .put("instance", instance)
                .put("host", host)
                .put("time", service.clock().instant().toString())
                .put("uptimeMillis", Duration.ofNanos(System.nanoTime() - began).toMillis())
                .put("leaving", service.traffic().isLeaving())
                .put("waiting", service.traffic().waiting().count())
                .put(STATUS, worst(ofIds, ofNumbers).name())
                .put(SEQUENCES, figures(ofIds));
        JsonArray keyed = figures(ofNumbers);
        exchange.json(keyed.isEmpty() ? answer : answer.put(KEYED, keyed));
    }

    private JsonArray figures(IdHealth health) {
        JsonArray figures = new JsonArray();
        health.details()
                .forEach((name, details) -> figures.add(new JsonObject()
                        .put("sequence", name)
                        .mergeIn(service.text().of(details))));
        return figures;
    }

    private void metrics(Exchange exchange) {
        exchange.query();
        // Vert.x's own worker: stores that hang must not keep the meters from anyone.
        exchange.context()
                .executeBlocking(() -> service.registry().scrape(), false)
                .onSuccess(text -> exchange.attempt(() -> exchange.text(PROMETHEUS, text)))
                .onFailure(exchange::fail);
    }
}
