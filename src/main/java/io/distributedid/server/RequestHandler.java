package io.distributedid.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

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
            ServerSettings settings,
            Routes routes,
            Access access,
            Traffic traffic,
            Connections connections,
            Failures failures) {
        this.vertx = vertx;
        this.routes = routes;
        this.access = access;
        this.traffic = traffic;
        this.connections = connections;
        this.failures = failures;
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
        return new Exchange(request, vertx, traffic, connections, failures);
    }

    private void begin(Exchange exchange) {
        if (traffic.isOver()) {
            throw new Problem(ProblemType.UNAVAILABLE, "The server is about to stop. Ask another one");
        }
        HttpServerRequest request = exchange.request();
        Routes.Match match = routes.find(request.method(), request.path());
        exchange.matches(match);
        Route route = match.route();
        if (!route.rights().isEmpty()) {
            Caller caller = access.of(request);
            caller.require(route.rights());
            exchange.calledBy(caller);
        }
        Runnable operation = () -> exchange.attempt(() -> route.operation().accept(exchange));
        if (exchange.isBodyMissing()) {
            new RequestBody(exchange, Math.min(route.largestBody(), maxBody), traffic.bodies(route.largestBody()))
                    .read(vertx, timeoutMillis, operation);
        } else {
            operation.run();
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
