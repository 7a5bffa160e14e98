package io.distributedid.server;

import io.distributedid.IdHealth;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.TenureStatistics;
import io.distributedid.internal.process.HostName;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

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

    private final Sequences<ServedSequence> sequences;

    private final Sequences<ServedKeys> numbers;

    private final Traffic traffic;

    private final PrometheusMeterRegistry registry;

    private final Workers workers;

    private final Access access;

    private final SequenceStatus form;

    private final InstantSource clock;

    private final long began = System.nanoTime();

    private final String instance = UUID.randomUUID().toString();

    private final String host = HostName.find().orElse("unknown");

    HealthOperations(
            Sequences<ServedSequence> sequences,
            Sequences<ServedKeys> numbers,
            Traffic traffic,
            PrometheusMeterRegistry registry,
            Workers workers,
            Access access,
            SequenceStatus form,
            InstantSource clock) {
        this.sequences = sequences;
        this.numbers = numbers;
        this.traffic = traffic;
        this.registry = registry;
        this.workers = workers;
        this.access = access;
        this.form = form;
        this.clock = clock;
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
        Map<ServedSequence, SequenceHealth> ofIds = health(sequences.all());
        Map<ServedKeys, SequenceHealth> ofNumbers = health(numbers.all());
        Map<String, Object> members = access.reader(exchange.request())
                .map(reader -> members(brief(ofIds, reader), brief(ofNumbers, reader)))
                .orElse(Map.of());
        if (traffic.isLeaving()) {
            throw new Problem(
                    ProblemType.NOT_READY, "The server is about to stop. Send requests to another one", members);
        }
        IdHealth.Status status = worst(ofIds, ofNumbers);
        if (status == IdHealth.Status.DOWN) {
            throw new Problem(
                    ProblemType.NOT_READY,
                    "A sequence has no ids now. Its entry, for callers with the right read, says why, and what to do",
                    members);
        }
        JsonObject answer = new JsonObject().put(STATUS, status.name());
        members.forEach(answer::put);
        exchange.json(answer);
    }

    /** Read once, so that all parts of an answer agree. */
    private static <T extends Served> Map<T, SequenceHealth> health(Collection<T> all) {
        Map<T, SequenceHealth> health = new LinkedHashMap<>();
        all.forEach(each -> health.put(each, each.health()));
        return health;
    }

    private static IdHealth.Status worst(
            Map<ServedSequence, SequenceHealth> ofIds, Map<ServedKeys, SequenceHealth> ofNumbers) {
        return Stream.concat(ofIds.values().stream(), ofNumbers.values().stream())
                .map(SequenceHealth::status)
                .max(Comparator.naturalOrder())
                .orElse(IdHealth.Status.UP);
    }

    private static Map<String, Object> members(JsonObject ofIds, JsonObject ofNumbers) {
        return ofNumbers.isEmpty() ? Map.of(SEQUENCES, ofIds) : Map.of(SEQUENCES, ofIds, KEYED, ofNumbers);
    }

    /** Status and reason of each sequence that the reader may use. */
    private JsonObject brief(Map<? extends Served, SequenceHealth> all, Caller reader) {
        JsonObject brief = new JsonObject();
        all.forEach((each, health) -> {
            if (reader.mayUse(each.name())) {
                brief.put(each.name(), form.brief(health));
            }
        });
        return brief;
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
        exchange.query();
        Map<String, String> members = access.reader(exchange.request())
                .flatMap(reader -> standby.get().active())
                .map(active -> Map.of(Problem.ACTIVE, active))
                .orElse(Map.of());
        throw new Problem(
                ProblemType.STANDBY,
                "This server stands by, and another one gives the ids in strict order. Send requests there",
                members);
    }

    private void status(Exchange exchange) {
        exchange.query();
        Map<ServedSequence, SequenceHealth> ofIds = health(sequences.of(exchange.caller()));
        Map<ServedKeys, SequenceHealth> ofNumbers = health(numbers.of(exchange.caller()));
        JsonArray figures = new JsonArray();
        ofIds.forEach((each, health) -> figures.add(form.of(health, each.isCounted())));
        JsonArray keyed = new JsonArray();
        ofNumbers.forEach((each, health) -> keyed.add(new JsonObject()
                .put("sequence", each.name())
                .mergeIn(form.brief(health))
                .put("issued", each.issued())));
        JsonObject answer = new JsonObject()
                .put("instance", instance)
                .put("host", host)
                .put("time", clock.instant().toString())
                .put("uptimeMillis", Duration.ofNanos(System.nanoTime() - began).toMillis())
                .put("leaving", traffic.isLeaving())
                .put("waiting", traffic.waiting().count())
                .put(STATUS, worst(ofIds, ofNumbers).name())
                .put(SEQUENCES, figures);
        exchange.json(keyed.isEmpty() ? answer : answer.put(KEYED, keyed));
    }

    private void metrics(Exchange exchange) {
        exchange.query();
        workers.call(exchange, registry::scrape, text -> exchange.text(PROMETHEUS, text));
    }
}
