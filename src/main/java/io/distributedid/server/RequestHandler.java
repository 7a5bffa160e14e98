package io.distributedid.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds the operation of each request. Answers what goes wrong. Runs on event loops. */
record RequestHandler(Service service, List<Route> routes) implements Handler<HttpServerRequest> {

    @Override
    public void handle(HttpServerRequest request) {
        List<String> path = Route.segments(Objects.requireNonNullElse(request.path(), ""));
        List<Route> fitting = routes.stream().filter(each -> each.fits(path)).toList();
        Route route = fitting.stream()
                .filter(each -> each.method().equals(request.method()))
                .findFirst()
                .orElse(Route.NONE);
        Exchange exchange = new Exchange(request, path, route, service);
        exchange.attempt(() -> {
            if (service.traffic().isOver()) {
                throw new Problem(ProblemType.UNAVAILABLE, "The server is about to stop. Use another one");
            }
            if (route.equals(Route.NONE)) {
                throw unknown(request.method().name(), String.join("/", path), fitting);
            }
            exchange.begin();
        });
    }

    /** Answers a request that is not valid HTTP. Its connection is closed afterwards. */
    void refuse(HttpServerRequest request) {
        Exchange exchange = new Exchange(request, List.of(), Route.NONE, service);
        exchange.attempt(() -> exchange.refuse(problem(request.decoderResult().cause())));
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
                "The path does not support this method: " + Problem.quoted(method) + " " + Problem.quoted(path)
                        + ", allowed: " + allowed,
                Map.of(Problem.ALLOW, allowed));
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
                "The request is not valid HTTP/1.1: "
                        + Problem.quoted(service.text().of(cause)));
    }
}
