package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Opens the port on all event loops, with its limits and with TLS if there are files for it. */
final class Listeners {

    private static final long PERIOD_MILLIS = Duration.ofSeconds(1).toMillis();

    private final Settings settings;

    private final ListenAddress address;

    private final Optional<TlsFiles> tls;

    private final Failures failures;

    /** @param tls empty for plain HTTP */
    Listeners(Settings settings, ListenAddress address, Optional<TlsFiles> tls, Failures failures) {
        this.settings = settings;
        this.address = address;
        this.tls = tls;
        this.failures = failures;
    }

    /** The number of event loops. */
    static int threads(Settings settings) {
        return settings.find(ServerSettings.THREADS)
                .map(Math::toIntExact)
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Opens the port. Afterwards reads the files of TLS again when they change.
     *
     * @return where the server listens
     * @throws IdConfigurationException if the port is in use, or a file of TLS can't be used
     */
    String open(Vertx vertx, RequestHandler handler, Connections connections, Workers upkeep) {
        Duration idle = settings.get(ServerSettings.IDLE_TIMEOUT);
        vertx.setPeriodic(PERIOD_MILLIS, id -> connections.closeQuiet(idle));
        HttpServerOptions options = options(idle);
        tls.ifPresent(files -> {
            TlsKeys keys = new TlsKeys(files.identity());
            options.setSsl(true).setUseAlpn(true).setKeyCertOptions(KeyCertOptions.wrap(keys));
            TlsReload reload = new TlsReload(files, keys);
            vertx.setPeriodic(PERIOD_MILLIS, id -> upkeep.start(reload::check));
        });
        return address.url(tls.isPresent(), deploy(vertx, options, handler, connections));
    }

    private HttpServerOptions options(Duration idle) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(address.host())
                // Negative: any port, the same for all event loops.
                .setPort(address.port() == 0 ? -1 : address.port())
                .setMaxHeaderSize(number(ServerSettings.MAX_HEADER))
                .setMaxInitialLineLength(number(ServerSettings.MAX_HEADER))
                .setIdleTimeout(Math.toIntExact(idle.toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setHttp2ClearTextEnabled(false)
                .setTcpNoDelay(true);
        options.getInitialSettings().setMaxHeaderListSize(number(ServerSettings.MAX_HEADER));
        return options;
    }

    /** Returns the number of the port. */
    private int deploy(Vertx vertx, HttpServerOptions options, RequestHandler handler, Connections connections) {
        Queue<Listener> listeners = new ConcurrentLinkedQueue<>();
        try {
            vertx.deployVerticle(
                            () -> {
                                Listener listener = new Listener(options, handler, connections);
                                listeners.add(listener);
                                return listener;
                            },
                            new DeploymentOptions().setInstances(threads(settings)))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new IdConfigurationException(
                    "The server can't listen: " + ServerSettings.HOST + "=" + address.host() + " "
                            + ServerSettings.PORT + "=" + address.port()
                            + ". Is another program there? Choose another port, or 0 for any ("
                            + failures.message(e.getCause() == null ? e : e.getCause()) + ")",
                    e);
        }
        return listeners.element().port();
    }

    private int number(Setting<Long> setting) {
        return Math.toIntExact(settings.get(setting));
    }
}
