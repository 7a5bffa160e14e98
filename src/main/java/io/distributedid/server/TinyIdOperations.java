package io.distributedid.server;

import io.distributedid.spi.Block;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths of TinyID 0.1, for its clients. Every answer has status 200. {@code nextId} answers
 * {@code {"data":[1],"code":200,"message":""}}, with code 5 for a token that is not allowed and code 6 for any other
 * error. The others answer plain text, which is empty after an error; the header field {@code x-problem} then names it.
 * Parameters stand in the address or in a form. Unknown ones are ignored, as there, but {@code batchSize} is not
 * clamped.
 *
 * <p>A segment is {@code current,loading,max,delta,remainder}: the client gives the ids above {@code current} up to
 * {@code max} that leave {@code remainder} when divided by {@code delta}, and asks for the next segment from
 * {@code loading} on. It does not know how old a segment is, so {@code block.max_age} does not hold for its ids.
 */
final class TinyIdOperations {

    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain;charset=UTF-8");

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json;charset=UTF-8");

    private static final CharSequence X_PROBLEM = HttpHeaders.createOptimized("x-problem");

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

    private final Sequences<ServedSequence> sequences;

    private final Access access;

    private final int maxIds;

    private final int segment;

    TinyIdOperations(Sequences<ServedSequence> sequences, Access access, ServerSettings settings) {
        this.sequences = sequences;
        this.access = access;
        maxIds = settings.number(ServerSettings.MAX_IDS);
        segment = Math.min(SEGMENT, settings.number(ServerSettings.MAX_BLOCK));
    }

    /** The token is a parameter, so the operations look for it themselves. */
    List<Route> routes() {
        return Stream.of(
                        Route.get("/tinyid/id/nextId", Set.of(), this::nextId).withProblems(TinyIdOperations::refuse),
                        simple("nextIdSimple", this::nextIdSimple),
                        simple("nextSegmentIdSimple", this::nextSegment))
                .flatMap(get -> Stream.of(get, get.withBody(LARGEST_FORM)))
                .toList();
    }

    private static Route simple(String path, Consumer<Exchange> operation) {
        return Route.get("/tinyid/id/" + path, Set.of(), operation).withProblems(TinyIdOperations::refuseSimply);
    }

    private void nextId(Exchange exchange) {
        take(exchange, ids -> respond(exchange, new JsonArray(ids.boxed().toList()), OK, ""));
    }

    private void nextIdSimple(Exchange exchange) {
        take(exchange, ids -> exchange.text(TEXT, ids.mapToObj(Long::toString).collect(Collectors.joining(","))));
    }

    private void take(Exchange exchange, Consumer<LongStream> then) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.IDS)
                .take(exchange, query.number(BATCH_SIZE, 1, maxIds), ids -> then.accept(LongStream.of(ids)));
    }

    private void nextSegment(Exchange exchange) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.BLOCKS)
                .takeBlock(
                        exchange,
                        segment,
                        taken -> exchange.text(TEXT, segment(taken.reserved().block())));
    }

    static String segment(Block block) {
        long current = block.first() - block.step();
        long loading = current + (block.last() - current) * LOADING_PERCENT / 100;
        return current + "," + loading + "," + block.last() + "," + block.step() + "," + block.first() % block.step();
    }

    private ServedSequence sequence(Exchange exchange, Query query, Right right) {
        Caller caller = access.of(exchange.request(), query.text(TOKEN).orElse(null));
        caller.require(Set.of(right));
        exchange.calledBy(caller);
        return sequences.named(query.text(BIZ_TYPE).orElse(""), caller);
    }

    private static void respond(Exchange exchange, @Nullable Object data, int code, String message) {
        JsonObject answer = new JsonObject().put("data", data).put("code", code).put("message", message);
        exchange.send(OK, JSON, answer.toBuffer());
    }

    private static void refuse(Exchange exchange, Problem problem) {
        if (problem.type() == ProblemType.UNAUTHENTICATED || problem.type() == ProblemType.FORBIDDEN) {
            respond(exchange, null, TOKEN_ERROR, "token is error");
        } else {
            respond(exchange, null, OTHER_ERROR, problem.detail());
        }
    }

    private static void refuseSimply(Exchange exchange, Problem problem) {
        exchange.request().response().putHeader(X_PROBLEM, problem.type().uri());
        exchange.text(TEXT, "");
    }
}
