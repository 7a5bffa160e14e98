package io.distributedid.server;

import io.distributedid.BlockStatistics;
import io.distributedid.CapacityStatistics;
import io.distributedid.IdHealth.SequenceHealth;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes the health and the figures of a sequence. Ids, and numbers of ids that may be left, are texts, since readers
 * of JSON round numbers above 2^53. Messages of databases are cut to what everyone may read. Immutable.
 */
record SequenceStatus(PublicText publicText) {

    private static final String FAILURE = "failure";

    /** @param isCounted whether there are statistics; otherwise only what is known without them */
    JsonObject of(SequenceHealth health, boolean isCounted) {
        JsonObject answer = new JsonObject().put("sequence", health.sequence()).mergeIn(brief(health));
        SequenceStatistics statistics = health.statistics();
        if (isCounted) {
            answer.put("issued", statistics.issued())
                    .put("waits", statistics.waits())
                    .put("waitMicros", micros(statistics.waitTime()));
        }
        statistics.blocks().ifPresent(blocks -> answer.put("blocks", of(blocks)));
        statistics.worker().ifPresent(worker -> answer.put("worker", of(worker)));
        statistics.tenure().ifPresent(tenure -> answer.put("tenure", of(tenure)));
        statistics.capacity().ifPresent(capacity -> answer.put("capacity", of(capacity)));
        JsonArray servers = new JsonArray();
        statistics.servers().forEach(server -> servers.add(of(server)));
        return answer.put("servers", servers);
    }

    /** Status and reason alone. */
    JsonObject brief(SequenceHealth health) {
        JsonObject answer = new JsonObject().put("status", health.status().name());
        return health.reason().isEmpty() ? answer : answer.put("reason", publicText.of(health.reason()));
    }

    private JsonObject of(BlockStatistics blocks) {
        JsonObject answer = new JsonObject()
                .put("reserve", blocks.reserve())
                .put("reserved", blocks.reserved())
                .put("dropped", blocks.dropped())
                .put("overdue", blocks.overdue())
                .put("fetched", blocks.fetched())
                .put("failedFetches", blocks.failedFetches())
                .put("fetchMicros", micros(blocks.fetchTime()));
        return withFailure(answer, blocks.failure());
    }

    private JsonObject of(WorkerStatistics worker) {
        JsonObject answer = new JsonObject().put("number", worker.number());
        worker.until().ifPresent(until -> answer.put("windowEnd", until.toString()));
        worker.left().ifPresent(left -> answer.put("windowLeftMillis", left.toMillis()));
        worker.clockOffset().ifPresent(offset -> answer.put("clockOffsetMillis", offset.toMillis()));
        return withFailure(answer, worker.failure());
    }

    private JsonObject of(TenureStatistics tenure) {
        JsonObject answer = new JsonObject().put("role", tenure.isActive() ? "active" : "standby");
        tenure.active().ifPresent(active -> answer.put("active", publicText.of(active)));
        tenure.left().ifPresent(left -> answer.put("leaseLeftMillis", left.toMillis()));
        return withFailure(answer.put("takeovers", tenure.takeovers()), tenure.failure());
    }

    private static JsonObject of(CapacityStatistics capacity) {
        JsonObject answer = new JsonObject().put("maxId", Long.toString(capacity.maxId()));
        capacity.idsLeft().ifPresent(left -> answer.put("idsLeft", Long.toString(left)));
        capacity.until().ifPresent(until -> answer.put("layoutEnd", until.toString()));
        return answer;
    }

    private JsonObject of(ServerStatistics server) {
        JsonObject answer = new JsonObject()
                .put("server", server.server())
                .put("inUse", server.failure().isEmpty())
                .put("fetches", server.fetches())
                .put("failures", server.failures())
                .put("failovers", server.failovers());
        server.counter().ifPresent(last -> answer.put("lastId", Long.toString(last)));
        return withFailure(answer, server.failure());
    }

    private JsonObject withFailure(JsonObject answer, Optional<String> failure) {
        failure.ifPresent(text -> answer.put(FAILURE, publicText.of(text)));
        return answer;
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }
}
