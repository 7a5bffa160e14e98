package io.distributedid.server;

import io.distributedid.spi.Block;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
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

    private final ServedSequences sequences;

    private final Access access;

    private final int maxIds;

    private final int segment;

    TinyIdOperations(ServedSequences sequences, Access access, int maxIds, int maxBlock) {
        this.sequences = sequences;
        this.access = access;
        this.maxIds = maxIds;
        segment = Math.min(SEGMENT, maxBlock);
    }

    List<Route> routes() {
        return Stream.of(HttpMethod.GET, HttpMethod.POST)
                .flatMap(method -> Stream.of(
                        route(method, "/tinyid/id/nextId", TinyIdOperations::refuse, this::nextId),
                        route(method, "/tinyid/id/nextIdSimple", TinyIdOperations::refuseSimply, this::nextIdSimple),
                        route(
                                method,
                                "/tinyid/id/nextSegmentIdSimple",
                                TinyIdOperations::refuseSimply,
                                this::nextSegment)))
                .toList();
    }

    /** The token is a parameter, so the operation looks for it itself. */
    private static Route route(HttpMethod method, String path, ProblemForm problems, Operation operation) {
        return new Route(
                method, path, Set.of(), method.equals(HttpMethod.POST) ? LARGEST_FORM : 0, problems, operation);
    }

    private void nextId(Exchange exchange) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.IDS).take(exchange, query.number(BATCH_SIZE, 1, maxIds), ids -> {
            JsonArray data = new JsonArray(Arrays.stream(ids).boxed().collect(Collectors.toList()));
            exchange.send(OK, JSON, response(data, OK, "").toBuffer());
        });
    }

    private void nextIdSimple(Exchange exchange) {
        Query query = exchange.knownParameters(PARAMETERS);
        sequence(exchange, query, Right.IDS)
                .take(
                        exchange,
                        query.number(BATCH_SIZE, 1, maxIds),
                        ids -> exchange.text(
                                TEXT,
                                LongStream.of(ids).mapToObj(Long::toString).collect(Collectors.joining(","))));
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

    private static JsonObject response(@Nullable Object data, int code, String message) {
        return new JsonObject().put("data", data).put("code", code).put("message", message);
    }

    private static void refuse(Exchange exchange, Problem problem) {
        boolean isToken = problem.type() == ProblemType.UNAUTHENTICATED || problem.type() == ProblemType.FORBIDDEN;
        exchange.send(
                OK,
                JSON,
                (isToken
                                ? response(null, TOKEN_ERROR, "token is error")
                                : response(null, OTHER_ERROR, problem.detail()))
                        .toBuffer());
    }

    private static void refuseSimply(Exchange exchange, Problem problem) {
        exchange.request().response().putHeader(X_PROBLEM, problem.type().uri());
        exchange.text(TEXT, "");
    }
}
