package io.distributedid.server;

import io.distributedid.spi.Block;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths of other products, for their clients.
 *
 * <p>Meituan's Leaf 1.0: an id as plain text, and every error as status 500 with Spring Boot's object of an error,
 * whose message is {@code Result{id=-2, status=EXCEPTION}}. The number is -2 for an unknown key, else -3. Parameters
 * are ignored, as there. The member {@code detail} is ours.
 *
 * <p>TinyID 0.1: every answer has status 200. {@code nextId} answers {@code {"data":[1],"code":200,"message":""}}, with
 * code 5 for a token that is not allowed and code 6 for any other error. The others answer plain text, which is empty
 * after an error; the header field {@code x-problem} then names it. Parameters stand in the address or in a form.
 * Unknown ones are ignored, as there, but {@code batchSize} is not clamped.
 *
 * <p>A segment of TinyID is {@code current,loading,max,delta,remainder}: the client gives the ids above {@code current}
 * up to {@code max} that leave {@code remainder} when divided by {@code delta}, and asks for the next segment from
 * {@code loading} on. It does not know how old a segment is, so {@code block.max_age} does not hold for its ids.
 */
record DropInOperations(Service service) {

    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain;charset=UTF-8");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=UTF-8");

    private static final CharSequence X_PROBLEM = HttpHeaders.createOptimized("x-problem");

    private static final int LEAF_STATUS = 500;

    private static final int UNKNOWN_KEY = -2;

    private static final int NO_ID = -3;

    private static final String BIZ_TYPE = "bizType";

    private static final String BATCH_SIZE = "batchSize";

    private static final String TOKEN = "token";

    private static final List<String> PARAMETERS = List.of(BIZ_TYPE, BATCH_SIZE, TOKEN);

    /** In bytes. It is read before the caller is known. */
    private static final int LARGEST_FORM = 1_024;

    private static final int OK = 200;

    private static final int TOKEN_ERROR = 5;

    private static final int OTHER_ERROR = 6;

    private static final int SEGMENT = 1_000;

    /** Of a segment, after which a client asks for the next one. */
    private static final int LOADING_PERCENT = 20;

    List<Route> routes() {
        return Stream.concat(
                        // Both give ids of any sequence: its settings decide where they come from.
                        Stream.of("segment", "snowflake")
                                .map(kind -> Route.get("/api/" + kind + "/get/{key}", Set.of(Right.IDS), this::leafId)
                                        .withProblems(this::refuseLeaf)),
                        Stream.of(
                                        tiny("nextId", this::tinyIds, DropInOperations::refuseTiny),
                                        tiny("nextIdSimple", this::tinyTexts, DropInOperations::refuseTinyText),
                                        tiny("nextSegmentIdSimple", this::segment, DropInOperations::refuseTinyText))
                                .flatMap(get -> Stream.of(get, get.withBody(LARGEST_FORM))))
                .toList();
    }

    /** The token is a parameter, so the operations look for it themselves. */
    private static Route tiny(String path, Consumer<Exchange> operation, BiConsumer<Exchange, Problem> problems) {
        return Route.get("/tinyid/id/" + path, Set.of(), operation).withProblems(problems);
    }

    private void leafId(Exchange exchange) {
        String key = exchange.value("key");
        service.sequences()
                .named(service.settings().leafKeys().getOrDefault(key, key), exchange.caller())
                .take(exchange, 1, ids -> exchange.text(TEXT, Long.toString(ids[0])));
    }

    private void refuseLeaf(Exchange exchange, Problem problem) {
        int id = problem.type() == ProblemType.UNKNOWN_SEQUENCE ? UNKNOWN_KEY : NO_ID;
        JsonObject body = new JsonObject()
                .put("timestamp", service.clock().millis())
                .put("status", LEAF_STATUS)
                .put("error", "Internal Server Error")
                .put("exception", "com.sankuai.inf.leaf.server.exception.LeafServerException")
                .put("message", "Result{id=" + id + ", status=EXCEPTION}")
                .put("path", exchange.request().path())
                .put("detail", problem.detail());
        exchange.send(LEAF_STATUS, JSON, body.toBuffer());
    }

    private void tinyIds(Exchange exchange) {
        take(exchange, ids -> respond(exchange, new JsonArray(ids.boxed().toList()), OK, ""));
    }

    private void tinyTexts(Exchange exchange) {
        take(exchange, ids -> exchange.text(TEXT, ids.mapToObj(Long::toString).collect(Collectors.joining(","))));
    }

    private void take(Exchange exchange, Consumer<LongStream> then) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.IDS)
                .take(
                        exchange,
                        query.number(BATCH_SIZE, 1, service.settings().number(ServerSettings.MAX_IDS)),
                        ids -> then.accept(LongStream.of(ids)));
    }

    private void segment(Exchange exchange) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.BLOCKS)
                .takeBlock(
                        exchange,
                        Math.min(SEGMENT, service.settings().number(ServerSettings.MAX_BLOCK)),
                        taken -> exchange.text(TEXT, segment(taken.reserved().block())));
    }

    static String segment(Block block) {
        long current = block.first() - block.step();
        long loading = current + (block.last() - current) * LOADING_PERCENT / 100;
        return current + "," + loading + "," + block.last() + "," + block.step() + "," + block.first() % block.step();
    }

    private ServedSequence sequence(Exchange exchange, Query query, Right right) {
        Caller caller =
                service.access().of(exchange.request(), query.text(TOKEN).orElse(null));
        caller.require(Set.of(right));
        exchange.calledBy(caller);
        return service.sequences().named(query.text(BIZ_TYPE).orElse(""), caller);
    }

    private static void respond(Exchange exchange, @Nullable Object data, int code, String message) {
        JsonObject answer = new JsonObject().put("data", data).put("code", code).put("message", message);
        exchange.send(OK, JSON, answer.toBuffer());
    }

    private static void refuseTiny(Exchange exchange, Problem problem) {
        if (problem.type() == ProblemType.UNAUTHENTICATED || problem.type() == ProblemType.FORBIDDEN) {
            respond(exchange, null, TOKEN_ERROR, "token is error");
        } else {
            respond(exchange, null, OTHER_ERROR, problem.detail());
        }
    }

    private static void refuseTinyText(Exchange exchange, Problem problem) {
        exchange.request().response().putHeader(X_PROBLEM, problem.type().uri());
        exchange.text(TEXT, "");
    }
}
