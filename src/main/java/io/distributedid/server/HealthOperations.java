package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.TenureStatistics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells orchestrators and balancers whether to send requests here, and Prometheus how the server is doing. */
final class HealthOperations {

    private static final CharSequence PROMETHEUS =
            HttpHeaders.createOptimized("text/plain; version=0.0.4; charset=utf-8");

    private static final String STATUS = "status";

    private static final String SEQUENCES = "sequences";

    /** The reason of a sequence that was not opened, and did not fail to open either. */
    static final String NOT_OPEN = "it is not open yet";

    private final DistributedIds ids;

    private final ServedSequences sequences;

    private final KeyedSequences numbers;

    private final Traffic traffic;

    private final PrometheusMeterRegistry registry;

    private final Workers workers;

    private final Access access;

    private final PublicText publicText;

    HealthOperations(
            DistributedIds ids,
            ServedSequences sequences,
            KeyedSequences numbers,
            Traffic traffic,
            PrometheusMeterRegistry registry,
            Workers workers,
            Access access,
            PublicText publicText) {
        this.ids = ids;
        this.sequences = sequences;
        this.numbers = numbers;
        this.traffic = traffic;
        this.registry = registry;
        this.workers = workers;
        this.access = access;
        this.publicText = publicText;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/health/live", null, this::live),
                Route.get("/health/ready", null, this::ready),
                Route.get("/health/active", null, this::active),
                Route.get("/metrics", Right.METRICS, this::metrics));
    }

    private void live(Exchange exchange) {
        exchange.query(List.of());
        exchange.json(new JsonObject().put(STATUS, IdHealth.Status.UP.name()));
    }

    /** The health is read from memory, so it needs no worker and is answered when all of them wait. */
    private void ready(Exchange exchange) {
        exchange.query(List.of());
        IdHealth health = ids.health();
        Map<String, Object> members = access.reader(exchange.request())
                .map(reader -> members(reader, health))
                .orElse(Map.of());
        if (traffic.isLeaving()) {
            throw new Problem(
                    ProblemType.NOT_READY, "The server is about to stop. Send requests to another one", members);
        }
        if (!sequences.openings().areComplete()
                || !numbers.openings().areComplete()
                || health.status() == IdHealth.Status.DOWN) {
            throw new Problem(
                    ProblemType.NOT_READY,
                    "A sequence has no ids now. Its entry, for callers with the right read, says why, and what to do",
                    members);
        }
        JsonObject answer = new JsonObject()
                .put(
                        STATUS,
                        KeyedSequences.worst(health.status(), numbers.all()).name());
        members.forEach(answer::put);
        exchange.json(answer);
    }

    /** Each sequence that the reader may use. */
    private Map<String, Object> members(Caller reader, IdHealth health) {
        Map<String, Object> details = new LinkedHashMap<>();
        sequences.all().stream()
                .filter(each -> !each.isOpen())
                .forEach(each ->
                        details.put(each.name(), Map.of(STATUS, IdHealth.Status.DOWN.name(), "reason", NOT_OPEN)));
        health.details().forEach((name, entry) -> details.put(name, publicForm(entry)));
        details.keySet().removeIf(name -> !reader.mayUse(name));
        Map<String, Object> keyed = new LinkedHashMap<>();
        numbers.of(reader).forEach(each -> keyed.put(each.name(), entry(each)));
        return keyed.isEmpty() ? Map.of(SEQUENCES, details) : Map.of(SEQUENCES, details, "keyed", keyed);
    }

    private Map<String, Object> entry(ServedKeys each) {
        String status = each.status().name();
        return each.reason().isEmpty()
                ? Map.of(STATUS, status)
                : Map.of(STATUS, status, "reason", publicText.of(each.reason()));
    }

    /** Databases write what they like into their messages. */
    private Object publicForm(Object value) {
        if (value instanceof Map<?, ?> entries) {
            Map<String, Object> all = new LinkedHashMap<>();
            entries.forEach((name, entry) -> all.put(name.toString(), publicForm(entry)));
            return all;
        }
        if (value instanceof List<?> items) {
            return items.stream().map(this::publicForm).toList();
        }
        return value instanceof String text ? publicText.of(text) : value;
    }

    /** For a balancer of sequences in strict order. Without such a sequence, the same as {@link #ready}. */
    private void active(Exchange exchange) {
        Optional<TenureStatistics> standby = sequences.all().stream()
                .flatMap(each -> each.standby().stream())
                .findFirst();
        if (standby.isEmpty()) {
            ready(exchange);
            return;
        }
        exchange.query(List.of());
        Map<String, String> members = access.reader(exchange.request())
                .flatMap(reader -> standby.get().active())
                .map(active -> Map.of(Problem.ACTIVE, active))
                .orElse(Map.of());
        throw new Problem(
                ProblemType.STANDBY,
                "This server stands by, and another one gives the ids in strict order. Send requests there",
                members);
    }

    private void metrics(Exchange exchange) {
        exchange.query(List.of());
        workers.call(exchange, registry::scrape, text -> exchange.text(PROMETHEUS, text));
    }
}
