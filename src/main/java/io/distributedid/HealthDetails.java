package io.distributedid;

import io.distributedid.IdHealth.SequenceHealth;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Writes the health of a sequence as a map, see {@link IdHealth#details}. */
final class HealthDetails {

    private final Map<String, Object> entries = new LinkedHashMap<>();

    static Map<String, Object> of(SequenceHealth health) {
        SequenceStatistics statistics = health.statistics();
        return new HealthDetails()
                .put("status", health.status().name())
                .put("reason", Optional.of(health.reason()).filter(text -> !text.isEmpty()))
                .put("issued", statistics.issued())
                .put("waits", statistics.waits())
                .put("waitMicros", micros(statistics.waitTime()))
                .put("blocks", statistics.blocks().map(HealthDetails::of))
                .put("worker", statistics.worker().map(HealthDetails::of))
                .put("tenure", statistics.tenure().map(HealthDetails::of))
                .put("capacity", statistics.capacity().map(HealthDetails::of))
                .put(
                        "servers",
                        statistics.servers().stream().map(HealthDetails::of).toList())
                .map();
    }

    private static Map<String, Object> of(BlockStatistics blocks) {
        return new HealthDetails()
                .put("reserve", blocks.reserve())
                .put("reserved", blocks.reserved())
                .put("dropped", blocks.dropped())
                .put("overdue", blocks.overdue())
                .put("fetched", blocks.fetched())
                .put("failedFetches", blocks.failedFetches())
                .put("fetchMicros", micros(blocks.fetchTime()))
                .putFailure(blocks.failure())
                .map();
    }

    private static Map<String, Object> of(WorkerStatistics worker) {
        return new HealthDetails()
                .put("number", worker.number())
                .put("windowEnd", worker.until().map(Object::toString))
                .put("windowLeftMillis", worker.left().map(Duration::toMillis))
                .put("clockOffsetMillis", worker.clockOffset().map(Duration::toMillis))
                .putFailure(worker.failure())
                .map();
    }

    private static Map<String, Object> of(TenureStatistics tenure) {
        return new HealthDetails()
                .put("role", tenure.isActive() ? "active" : "standby")
                .put("active", tenure.active())
                .put("leaseLeftMillis", tenure.left().map(Duration::toMillis))
                .put("takeovers", tenure.takeovers())
                .putFailure(tenure.failure())
                .map();
    }

    private static Map<String, Object> of(CapacityStatistics capacity) {
        HealthDetails details = new HealthDetails().put("maxId", Long.toString(capacity.maxId()));
        capacity.idsLeft().ifPresent(left -> details.put("idsLeft", Long.toString(left)));
        return details.put("layoutEnd", capacity.until().map(Object::toString)).map();
    }

    private static Map<String, Object> of(ServerStatistics server) {
        HealthDetails details = new HealthDetails()
                .put("server", server.server())
                .put("inUse", server.failure().isEmpty())
                .put("fetches", server.fetches())
                .put("failures", server.failures())
                .put("failovers", server.failovers());
        server.counter().ifPresent(last -> details.put("lastId", Long.toString(last)));
        return details.putFailure(server.failure()).map();
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }

    private HealthDetails put(String name, Object value) {
        entries.put(name, value);
        return this;
    }

    private HealthDetails put(String name, Optional<?> value) {
        value.ifPresent(present -> entries.put(name, present));
        return this;
    }

    /** Messages of servers may have several lines. */
    private HealthDetails putFailure(Optional<String> failure) {
        return put("failure", failure.map(text -> text.replaceAll("\\s+", " ").strip()));
    }

    private Map<String, Object> map() {
        return Collections.unmodifiableMap(entries);
    }
}
