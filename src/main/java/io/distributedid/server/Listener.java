package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Where the server listens, with which limits, and with TLS if there are files for it. Without tokens and TLS, only
 * programs of the same machine may reach it.
 */
final class Listener {

    private static final long PERIOD_MILLIS = Duration.ofSeconds(1).toMillis();

    private final ServerSettings settings;

    private final InetAddress address;

    private final Optional<Tls> tls;

    /**
     * Reads the settings.
     *
     * @param isInsecure whether the operator does without tokens and TLS
     * @throws IdConfigurationException if there is no such host, or callers elsewhere could take ids without a token
     */
    Listener(ServerSettings settings, boolean hasTokens, boolean isInsecure) {
        this.settings = settings;
        tls = Tls.of(settings.own());
        String host = settings.get(ServerSettings.HOST);
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            IdConfigurationException refusal =
                    settings.own().invalid(ServerSettings.HOST, host, ServerSettings.HOST.allowed());
            refusal.initCause(e);
            throw refusal;
        }
        if (!isLoopback() && !isInsecure && !(hasTokens && tls.isPresent())) {
            throw settings.own()
                    .invalid(
                            ServerSettings.HOST,
                            host,
                            "127.0.0.1, ::1 or localhost, unless there are tokens (distributedid.server.token.NAME.hash) and"
                                    + " TLS (" + Tls.CERTIFICATE
                                    + "). Everyone who reaches this server could take ids, or read"
                                    + " tokens. If only trusted programs reach it, say --insecure");
        }
    }

    boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    /**
     * Opens the port on all event loops. Afterwards reads the files of TLS again when they change.
     *
     * @return where the server listens
     * @throws IdConfigurationException if the port is in use, or a file of TLS can't be used
     */
    String open(Vertx vertx, RequestHandler handler, Connections connections) {
        Duration idle = settings.get(ServerSettings.IDLE_TIMEOUT);
        HttpServerOptions options = options(idle);
        tls.ifPresent(files -> {
            files.load();
            options.setSsl(true).setUseAlpn(true).setKeyCertOptions(KeyCertOptions.wrap(files));
        });
        HttpServer server = deploy(vertx, options, handler, connections);
        vertx.setPeriodic(PERIOD_MILLIS, id -> {
            connections.closeQuiet(idle);
            tls.ifPresent(files -> vertx.executeBlocking(() -> {
                files.reload();
                return true;
            }));
        });
        String host = address.getHostAddress();
        return (tls.isPresent() ? "https://" : "http://") + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":"
                + server.actualPort();
    }

    private HttpServerOptions options(Duration idle) {
        int port = settings.number(ServerSettings.PORT);
        int maxHeader = settings.number(ServerSettings.MAX_HEADER);
        HttpServerOptions options = new HttpServerOptions()
                .setHost(address.getHostAddress())
                // Negative: any port, the same for all event loops.
                .setPort(port == 0 ? -1 : port)
                .setMaxHeaderSize(maxHeader)
                .setMaxInitialLineLength(maxHeader)
                .setIdleTimeout(Math.toIntExact(idle.toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setHttp2ClearTextEnabled(false)
                .setTcpNoDelay(true);
        options.getInitialSettings().setMaxHeaderListSize(maxHeader);
        return options;
    }

    /** Returns one of the servers: each event loop has one, at the same port. */
    private HttpServer deploy(Vertx vertx, HttpServerOptions options, RequestHandler handler, Connections connections) {
        Queue<HttpServer> servers = new ConcurrentLinkedQueue<>();
        try {
            vertx.deployVerticle(
                            () -> new AbstractVerticle() {
                                @Override
                                public void start(Promise<Void> started) {
                                    HttpServer server = getVertx()
                                            .createHttpServer(options)
                                            .requestHandler(handler)
                                            .invalidRequestHandler(handler::refuse)
                                            .connectionHandler(connections::add);
                                    servers.add(server);
                                    server.listen().<Void>mapEmpty().onComplete(started);
                                }
                            },
                            new DeploymentOptions().setInstances(settings.threads()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new IdConfigurationException(
                    "The server can't listen: " + ServerSettings.HOST + "=" + address.getHostAddress() + " "
                            + ServerSettings.PORT + "=" + settings.get(ServerSettings.PORT)
                            + ". Is another program there? Choose another port, or 0 for any ("
                            + (e.getCause() == null ? e : e.getCause()).getMessage() + ")",
                    e);
        }
        return servers.element();
    }
}
