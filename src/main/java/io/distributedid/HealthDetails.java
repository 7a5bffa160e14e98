package io.distributedid;

import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.IdHealth.Status;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the health of a sequence as a map, see {@link IdHealth#details}. */
final class HealthDetails {

    private static final String STATUS = "status";

    private static final String FAILURE = "failure";

    private final Map<String, Object> entries = new LinkedHashMap<>();

    static Map<String, Object> of(SequenceHealth health) {
        HealthDetails details = new HealthDetails();
        details.entries.put(STATUS, health.status().name());
        details.add("reason", Optional.of(health.reason()).filter(text -> !text.isEmpty()));
        details.add(health.statistics());
        return details.map();
    }

    private Map<String, Object> map() {
        return Collections.unmodifiableMap(entries);
    }

    private void add(String name, Optional<?> value) {
        value.ifPresent(present -> entries.put(name, present));
    }

    /** Messages of servers may have several lines. */
    private void addFailure(Optional<String> failure) {
        add(FAILURE, failure.map(text -> text.replaceAll("\\s+", " ").strip()));
    }

    private void add(SequenceStatistics statistics) {
        add("reserve", statistics.blocks().map(BlockStatistics::reserve));
        addFailure(statistics.blocks().flatMap(BlockStatistics::failure));
        add("servers", Optional.of(servers(statistics.servers())).filter(servers -> !servers.isEmpty()));
        add("worker", statistics.worker().map(HealthDetails::of));
        add("tenure", statistics.tenure().map(HealthDetails::of));
        add(
                "layoutEnd",
                statistics.capacity().flatMap(CapacityStatistics::until).map(Object::toString));
        statistics.capacity().ifPresent(capacity -> capacity.idsLeft().ifPresent(left -> entries.put("idsLeft", left)));
    }

    private static Map<String, Object> servers(List<ServerStatistics> servers) {
        Map<String, Object> all = new LinkedHashMap<>();
        servers.forEach(server -> all.put(server.server(), of(server)));
        return Collections.unmodifiableMap(all);
    }

    private static Map<String, Object> of(ServerStatistics server) {
        HealthDetails details = new HealthDetails();
        details.entries.put(STATUS, (server.failure().isPresent() ? Status.DOWN : Status.UP).name());
        server.counter().ifPresent(last -> details.entries.put("lastId", last));
        details.addFailure(server.failure());
        return details.map();
    }

    private static Map<String, Object> of(TenureStatistics tenure) {
        HealthDetails details = new HealthDetails();
        details.entries.put("role", tenure.isActive() ? "active" : "standby");
        details.add("active", tenure.active());
        details.add("leaseLeft", tenure.left().map(left -> left.toMillis()));
        details.entries.put("takeovers", tenure.takeovers());
        details.addFailure(tenure.failure());
        return details.map();
    }

    private static Map<String, Object> of(WorkerStatistics worker) {
        HealthDetails details = new HealthDetails();
        details.entries.put("number", worker.number());
        details.add("windowEnd", worker.until().map(Object::toString));
        details.add("clockOffset", worker.clockOffset().map(offset -> offset.toMillis()));
        details.addFailure(worker.failure());
        return details.map();
    }
}
