package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdHealth;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.process.HostName;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The figures of the status page: health and statistics of the sequences that the caller may use. They are read from
 * memory, so they need no worker, and are there when no store answers.
 *
 * <p>Counts are those since the start. The caller computes rates from two answers of the same {@code instance}, and
 * divides by the difference of their {@code uptimeMillis}.
 */
final class StatusOperations {

    private final DistributedIds ids;

    private final ServedSequences sequences;

    private final KeyedSequences numbers;

    private final Traffic traffic;

    private final PublicText publicText;

    private final SequenceStatus form;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final long began;

    private final String instance = UUID.randomUUID().toString();

    private final String host = HostName.find().orElse("unknown");

    /** @param nanoTime a monotonic clock */
    StatusOperations(
            DistributedIds ids,
            ServedSequences sequences,
            KeyedSequences numbers,
            Traffic traffic,
            PublicText publicText,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.ids = ids;
        this.sequences = sequences;
        this.numbers = numbers;
        this.traffic = traffic;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.publicText = publicText;
        form = new SequenceStatus(publicText);
        began = nanoTime.getAsLong();
    }

    List<Route> routes() {
        return List.of(Route.get("/v1/status", Right.READ, this::status));
    }

    private void status(Exchange exchange) {
        exchange.query(List.of());
        List<SequenceHealth> own = healthOf(exchange.caller());
        Collection<ServedKeys> ownKeyed = numbers.of(exchange.caller());
        JsonArray figures = new JsonArray();
        own.forEach(each ->
                figures.add(form.of(each, ids.statistics(each.sequence()).isPresent())));
        JsonObject answer = new JsonObject()
                .put("instance", instance)
                .put("host", host)
                .put("time", clock.instant().toString())
                .put(
                        "uptimeMillis",
                        Duration.ofNanos(nanoTime.getAsLong() - began).toMillis())
                .put("leaving", traffic.isLeaving())
                .put("waiting", sequences.waiting().get())
                .put(
                        "status",
                        KeyedSequences.worst(IdHealth.of(own).status(), ownKeyed)
                                .name())
                .put("sequences", figures);
        JsonArray keyed = new JsonArray();
        ownKeyed.forEach(each -> keyed.add(of(each)));
        exchange.json(keyed.isEmpty() ? answer : answer.put("keyed", keyed));
    }

    private JsonObject of(ServedKeys each) {
        JsonObject entry = new JsonObject()
                .put("sequence", each.name())
                .put("status", each.status().name())
                .put("issued", each.issued());
        return each.reason().isEmpty() ? entry : entry.put("reason", publicText.of(each.reason()));
    }

    /** In the order of the setting. */
    private List<SequenceHealth> healthOf(Caller caller) {
        Map<String, SequenceHealth> known = ids.health().sequences().stream()
                .collect(Collectors.toMap(SequenceHealth::sequence, Function.identity()));
        return sequences.names(caller).stream()
                .map(name -> known.getOrDefault(name, unopened(name)))
                .toList();
    }

    private static SequenceHealth unopened(String name) {
        return new SequenceHealth(name, IdHealth.Status.DOWN, HealthOperations.NOT_OPEN, SequenceStatistics.NONE);
    }
}
