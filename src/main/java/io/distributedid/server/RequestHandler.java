package io.distributedid.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Set;

/**
 * Finds the operation of each request, then the caller and its right, and reads the body after that. So only TinyID's
 * paths, where the token may stand in the body, read one of an unknown caller. Answers what goes wrong. Runs on event
 * loops.
 */
final class RequestHandler implements Handler<HttpServerRequest> {

    private final Vertx vertx;

    private final Routes routes;

    private final Access access;

    private final Traffic traffic;

    private final Connections connections;

    private final Failures failures;

    private final long maxBody;

    private final long timeoutMillis;

    RequestHandler(
            Vertx vertx,
            Routes routes,
            Access access,
            Traffic traffic,
            Connections connections,
            Failures failures,
            long maxBody,
            Duration requestTimeout) {
        this.vertx = vertx;
        this.routes = routes;
        this.access = access;
        this.traffic = traffic;
        this.connections = connections;
        this.failures = failures;
        this.maxBody = maxBody;
        timeoutMillis = requestTimeout.toMillis();
    }

    @Override
    public void handle(HttpServerRequest request) {
        Exchange exchange = new Exchange(request, vertx, traffic, connections, failures);
        try {
            if (traffic.isOver()) {
                throw new Problem(ProblemType.UNAVAILABLE, "The server is about to stop. Ask another one").refusal();
            }
            Routes.Match match = routes.find(request.method(), request.path());
            exchange.matches(match);
            Set<Right> rights = match.route().rights();
            if (!rights.isEmpty()) {
                Caller caller = access.of(request);
                caller.require(rights);
                exchange.calledBy(caller);
            }
            if (exchange.isBodyMissing()) {
                long largest = match.route().largestBody();
                RequestBody.read(
                        exchange,
                        vertx,
                        Math.min(largest, maxBody),
                        timeoutMillis,
                        traffic.bodies(largest),
                        () -> run(match, exchange));
            } else {
                run(match, exchange);
            }
        } catch (RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    private static void run(Routes.Match match, Exchange exchange) {
        try {
            match.route().operation().run(exchange);
        } catch (RuntimeException | Error e) {
            exchange.fail(e);
        }
    }

    /** Answers a request that is not valid HTTP. Its connection is closed afterwards. */
    void refuse(HttpServerRequest request) {
        Exchange exchange = new Exchange(request, vertx, traffic, connections, failures);
        try {
            exchange.refuse(problem(request.decoderResult().cause()));
        } catch (RuntimeException | Error e) {
            exchange.fail(e);
        }
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
                ProblemType.INVALID_REQUEST,
                "The request is not valid HTTP/1.1: " + Problem.quoted(failures.message(cause)));
    }
}
