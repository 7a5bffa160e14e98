package io.distributedid.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Finds the operation of each request, then the caller and its right, and reads the body after that. So only TinyID's
 * paths, where the token may stand in the body, read one of an unknown caller. Answers what goes wrong. Runs on event
 * loops.
 */
final class RequestHandler implements Handler<HttpServerRequest> {

    /** So many bodies of the largest size may be there at a time. */
    private static final int MOST_BODIES = 100;

    private final Vertx vertx;

    private final List<Route> routes;

    private final Access access;

    private final Traffic traffic;

    private final Connections connections;

    private final PublicText text;

    private final long maxBody;

    private final long timeoutMillis;

    RequestHandler(
            Vertx vertx,
            ServerSettings settings,
            List<Route> routes,
            Access access,
            Traffic traffic,
            Connections connections,
            PublicText text) {
        this.vertx = vertx;
        this.routes = routes;
        this.access = access;
        this.traffic = traffic;
        this.connections = connections;
        this.text = text;
        maxBody = settings.get(ServerSettings.MAX_BODY);
        timeoutMillis = settings.get(ServerSettings.REQUEST_TIMEOUT).toMillis();
    }

    @Override
    public void handle(HttpServerRequest request) {
        Exchange exchange = exchange(request);
        exchange.attempt(() -> begin(exchange));
    }

    /** Answers a request that is not valid HTTP. Its connection is closed afterwards. */
    void refuse(HttpServerRequest request) {
        Exchange exchange = exchange(request);
        exchange.attempt(() -> exchange.refuse(problem(request.decoderResult().cause())));
    }

    private Exchange exchange(HttpServerRequest request) {
        return new Exchange(request, vertx, traffic, connections, text);
    }

    private void begin(Exchange exchange) {
        if (traffic.isOver()) {
            throw new Problem(ProblemType.UNAVAILABLE, "The server is about to stop. Ask another one");
        }
        HttpServerRequest request = exchange.request();
        String path = Objects.requireNonNullElse(request.path(), "");
        List<String> segments = List.of(path.split("/", -1));
        List<Route> fitting =
                routes.stream().filter(each -> each.fits(segments)).toList();
        Route route = fitting.stream()
                .filter(each -> each.method().equals(request.method()))
                .findFirst()
                .orElseThrow(() -> unknown(request.method().name(), path, fitting));
        exchange.matches(route, route.values(segments));
        if (!route.rights().isEmpty()) {
            Caller caller = access.of(request);
            caller.require(route.rights());
            exchange.calledBy(caller);
        }
        Runnable operation = () -> exchange.attempt(() -> route.operation().accept(exchange));
        if (exchange.isBodyMissing()) {
            readBody(exchange, route, operation);
        } else {
            operation.run();
        }
    }

    /** @param others those of the same path */
    private Problem unknown(String method, String path, List<Route> others) {
        if (others.isEmpty()) {
            return new Problem(
                    ProblemType.UNKNOWN_PATH,
                    "There is no such path: " + Problem.quoted(path) + ". All paths: "
                            + routes.stream().map(Route::path).distinct().collect(Collectors.joining(", ")));
        }
        Set<String> methods = new TreeSet<>();
        others.forEach(each -> methods.add(each.method().name()));
        String allowed = String.join(", ", methods);
        return new Problem(
                ProblemType.METHOD_NOT_ALLOWED,
                "The path does not have this method: " + Problem.quoted(method) + " " + Problem.quoted(path)
                        + ", allowed: " + allowed,
                Map.of(Problem.ALLOW, allowed));
    }

    /**
     * Reads the body, which has a limit and must arrive in time. All bodies of a kind together have a limit too, until
     * their requests are answered: callers of one kind of route take no room from those of another.
     *
     * @param then called when the body is complete. Otherwise the request is answered
     */
    private void readBody(Exchange exchange, Route route, Runnable then) {
        HttpServerRequest request = exchange.request();
        long limit = Math.min(route.largestBody(), maxBody);
        AtomicLong all = traffic.bodies(route.largestBody());
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && isOver(length, limit)) {
            throw tooLarge("content-length=" + length, limit);
        }
        if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
            request.response().writeContinue();
        }
        Buffer read = Buffer.buffer();
        exchange.atEnd(() -> all.addAndGet(-read.length()));
        long timer = vertx.setTimer(
                timeoutMillis,
                id -> exchange.fail(overLimit(
                        ProblemType.TIMEOUT,
                        "received=" + read.length() + " bytes in " + timeoutMillis + " ms",
                        limit)));
        request.handler(part -> {
            if (!exchange.isAnswered()) {
                exchange.attempt(() -> add(part, read, limit, all));
            }
        });
        request.exceptionHandler(failure -> {
            vertx.cancelTimer(timer);
            // The client is gone; the answer only ends the count of this request.
            exchange.fail(new Problem(ProblemType.INVALID_REQUEST, "The connection was closed within the body"));
        });
        request.endHandler(end -> {
            vertx.cancelTimer(timer);
            if (!exchange.isAnswered()) {
                exchange.bodyRead(read);
                then.run();
            }
        });
    }

    /** A length that is no number is refused by the decoder before. */
    private static boolean isOver(String length, long limit) {
        try {
            return Long.parseLong(length) > limit;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static void add(Buffer part, Buffer read, long limit, AtomicLong all) {
        int length = read.length() + part.length();
        if (length > limit) {
            throw tooLarge("length=" + length + " or more", limit);
        }
        read.appendBuffer(part);
        long received = all.addAndGet(part.length());
        if (received > MOST_BODIES * limit) {
            throw new Problem(
                    ProblemType.UNAVAILABLE,
                    "The bodies of all such requests together are too large now: received=" + received
                            + " bytes, allowed: " + MOST_BODIES * limit + ". Ask again later, or another server");
        }
    }

    private static Problem tooLarge(String found, long limit) {
        return limit > 0
                ? overLimit(ProblemType.TOO_LARGE, found, limit)
                : new Problem(
                        ProblemType.INVALID_BODY,
                        "This path takes no body: " + found + ". Send parameters behind the question mark");
    }

    private static Problem overLimit(ProblemType type, String found, long limit) {
        return new Problem(
                type,
                type.title() + ": " + found + ", allowed: up to " + limit + " bytes (" + ServerSettings.MAX_BODY
                        + "), in time (" + ServerSettings.REQUEST_TIMEOUT + ")");
    }

    private Problem problem(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Problem(ProblemType.URI_TOO_LONG, "The first line of the request is too long. Send less");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Problem(
                    ProblemType.HEADER_TOO_LARGE,
                    "The header of the request is too large, allowed: " + ServerSettings.MAX_HEADER + " bytes");
        }
        return new Problem(
                ProblemType.INVALID_REQUEST, "The request is not valid HTTP/1.1: " + Problem.quoted(text.of(cause)));
    }
}
