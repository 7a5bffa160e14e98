package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The paths of Meituan's Leaf 1.0, for its clients: an id as plain text, and every error as status 500 with Spring
 * Boot's object of an error, whose message is {@code Result{id=-2, status=EXCEPTION}}. The number is -2 for an unknown
 * key, else -3. Parameters are ignored, as there. The member {@code detail} is ours.
 *
 * @param names of the sequences, by the keys of Leaf
 */
record LeafOperations(Sequences<ServedSequence> sequences, Map<String, String> names, InstantSource clock) {

    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain;charset=UTF-8");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=UTF-8");

    private static final int STATUS = 500;

    private static final int UNKNOWN_KEY = -2;

    private static final int NO_ID = -3;

    /** Both give ids of any sequence: its settings decide where they come from. */
    List<Route> routes() {
        return List.of(
                Route.get("/api/segment/get/{key}", Set.of(Right.IDS), this::next)
                        .withProblems(this::refuse),
                Route.get("/api/snowflake/get/{key}", Set.of(Right.IDS), this::next)
                        .withProblems(this::refuse));
    }

    private void next(Exchange exchange) {
        String key = exchange.value(0);
        sequences
                .named(names.getOrDefault(key, key), exchange.caller())
                .take(exchange, 1, ids -> exchange.text(TEXT, Long.toString(ids[0])));
    }

    private void refuse(Exchange exchange, Problem problem) {
        int id = problem.type() == ProblemType.UNKNOWN_SEQUENCE ? UNKNOWN_KEY : NO_ID;
        Buffer body = new JsonObject()
                .put("timestamp", clock.millis())
                .put("status", STATUS)
                .put("error", "Internal Server Error")
                .put("exception", "com.sankuai.inf.leaf.server.exception.LeafServerException")
                .put("message", "Result{id=" + id + ", status=EXCEPTION}")
                .put("path", exchange.request().path())
                .put("detail", problem.detail())
                .toBuffer();
        exchange.send(STATUS, JSON, body);
    }
}
