package io.distributedid.server;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;

/** One event loop of the server. All of them listen at the same port. */
final class Listener extends AbstractVerticle {

    private final HttpServerOptions options;

    private final RequestHandler handler;

    private final Connections connections;

    /** 0 before the start. */
    private volatile int port;

    Listener(HttpServerOptions options, RequestHandler handler, Connections connections) {
        this.options = options;
        this.handler = handler;
        this.connections = connections;
    }

    @Override
    public void start(Promise<Void> started) {
        HttpServer server = vertx.createHttpServer(options)
                .requestHandler(handler)
                .invalidRequestHandler(handler::refuse)
                .connectionHandler(connections::add);
        server.listen()
                .onSuccess(listening -> port = listening.actualPort())
                .<Void>mapEmpty()
                .onComplete(started);
    }

    /** Known once it has started. */
    int port() {
        return port;
    }
}
