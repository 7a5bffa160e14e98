package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.cli.CommandSettings;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A running server. Event loops read requests and write answers; what may wait runs on {@link Workers}. Without tokens
 * and TLS, only programs of the same machine may reach it.
 *
 * <p>The end, in this order:
 *
 * <ol>
 *   <li>{@code /health/ready} fails, and each answer asks its client to close the connection. All requests are answered
 *       as before. This ends when no client is connected, at the latest after {@code drain}.
 *   <li>New requests are refused. Running ones end, at the latest after {@code request_timeout}.
 *   <li>Unused ids are handed back. Requests that still wait for ids are answered with an error.
 *   <li>The port is closed.
 * </ol>
 */
final class IdServer implements AutoCloseable {

    private static final Logger LOG = System.getLogger(IdServer.class.getName());

    /** Of looks at sequences that failed, at the files of TLS, and at connections without a request. */
    private static final long PERIOD_MILLIS = Duration.ofSeconds(1).toMillis();

    /** How many requests of a sequence are served at a time. */
    private static final int SEQUENCE_WORKERS = 4;

    /** Of all sequences, unless they are more. */
    private static final int MOST_WORKERS = 256;

    /** For requests that ask servers for something else than ids. */
    private static final int INQUIRY_WORKERS = 4;

    private static final int MOST_INQUIRIES = 100;

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private static final long CLOSE_SECONDS = 10;

    private final ServerSettings settings;

    private final Access access;

    private final Optional<Tls> tls;

    private final InetAddress address;

    private final DistributedIds ids;

    private final Vertx vertx;

    private final Traffic traffic;

    private final List<Route> routes;

    private final String url;

    private final AtomicBoolean isClosing = new AtomicBoolean();

    private final CountDownLatch end = new CountDownLatch(1);

    /**
     * Starts a server. Everything is checked before the port is opened. Waits until it listens.
     *
     * @param all settings by their full names, those of the ids included
     * @param isInsecure whether callers of other machines may take ids without a token
     * @throws IdConfigurationException if a setting is unknown or not allowed, or the port is in use
     */
    static IdServer start(Map<String, ?> all, boolean isInsecure, Secrets secrets) {
        ServerSettings settings = ServerSettings.of(all);
        Optional<Tls> tls = Tls.of(settings.own());
        InetAddress address = address(settings);
        Access access = new Access(settings, address.isLoopbackAddress());
        if (!address.isLoopbackAddress() && !isInsecure && !(access.hasTokens() && tls.isPresent())) {
            throw settings.invalid(
                    ServerSettings.HOST,
                    "127.0.0.1, ::1 or localhost, unless there are tokens (distributedid.server.token.NAME.hash) and"
                            + " TLS (" + ServerSettings.CERTIFICATE
                            + "). Anyone who reaches this server could take ids, or read tokens. If only trusted"
                            + " programs reach it, add --insecure");
        }
        DistributedIds ids = new CommandSettings(settings.ofIds()).open();
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(settings.threads())
                .setWorkerPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            return new IdServer(settings, tls, address, access, new PublicText(secrets), ids, vertx);
        } catch (RuntimeException e) {
            closeAll(vertx);
            ids.close();
            throw e;
        }
    }

    private static InetAddress address(ServerSettings settings) {
        try {
            return InetAddress.getByName(settings.get(ServerSettings.HOST));
        } catch (UnknownHostException e) {
            IdConfigurationException refusal = settings.invalid(ServerSettings.HOST, ServerSettings.HOST.allowed());
            refusal.initCause(e);
            throw refusal;
        }
    }

    private IdServer(
            ServerSettings settings,
            Optional<Tls> tls,
            InetAddress address,
            Access access,
            PublicText text,
            DistributedIds ids,
            Vertx vertx) {
        this.settings = settings;
        this.access = access;
        this.tls = tls;
        this.address = address;
        this.ids = ids;
        this.vertx = vertx;
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new DistributedIdMetrics(ids).bindTo(registry);
        traffic = new Traffic(
                settings.number(ServerSettings.MAX_CONNECTIONS), settings.number(ServerSettings.MAX_WAITING), registry);
        Workers inquiries = new Workers("distributedid-inquiries", INQUIRY_WORKERS, new Tally(MOST_INQUIRIES));
        // Each may wait long, and then keeps its thread from no other.
        Workers comparisons = new Workers("distributedid-comparisons", MOST_INQUIRIES, new Tally(MOST_INQUIRIES));
        Sequences<ServedSequence> sequences = new Sequences<>(
                ServerSettings.SEQUENCES,
                "ids",
                settings.sequences(),
                name -> new ServedSequence(name, ids, sequenceWorkers()));
        Sequences<ServedKeys> numbers = new Sequences<>(
                ServerSettings.KEYED,
                "numbers per key",
                settings.keyed(),
                name -> new ServedKeys(name, ids, text, sequenceWorkers(), registry));
        ids.admin().prepare(settings.sequences());
        sequences.open();
        ids.admin().prefetch(settings.sequences());
        numbers.open();
        Service service = new Service(
                settings,
                access,
                sequences,
                numbers,
                traffic,
                registry,
                inquiries,
                comparisons,
                text,
                InstantSource.system());
        routes = Stream.of(
                        new SequenceOperations(service).routes(),
                        new KeyedOperations(service).routes(),
                        new HealthOperations(service).routes(),
                        new PackedFiles().routes(),
                        new DropInOperations(service).routes())
                .flatMap(List::stream)
                .toList();
        url = listen(new RequestHandler(service, routes));
        vertx.setPeriodic(PERIOD_MILLIS, id -> {
            traffic.closeQuiet(settings.get(ServerSettings.IDLE_TIMEOUT));
            tls.ifPresent(files -> vertx.executeBlocking(() -> {
                files.reload();
                return true;
            }));
            for (Sequences<?> each : List.of(sequences, numbers)) {
                if (!each.areWell()) {
                    inquiries.start(each::lookAgain);
                }
            }
        });
    }

    /** Of one sequence: if its store does not answer, it takes no thread from another. */
    private Workers sequenceWorkers() {
        int most = Math.max(
                1, Math.min(SEQUENCE_WORKERS, MOST_WORKERS / settings.served().size()));
        return new Workers("distributedid-ids", most, traffic.waiting());
    }

    /**
     * Opens the port on all event loops.
     *
     * @return where the server listens
     * @throws IdConfigurationException if the port is in use, or a file of TLS can't be used
     */
    private String listen(RequestHandler handler) {
        HttpServerOptions options = options();
        // Each event loop has one, at the same port.
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
                                            .connectionHandler(traffic::add);
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
                            + ". Does another program use the port? Choose another port, or 0 for any ("
                            + (e.getCause() == null ? e : e.getCause()).getMessage() + ")",
                    e);
        }
        String host = address.getHostAddress();
        return (tls.isPresent() ? "https://" : "http://") + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":"
                + servers.element().actualPort();
    }

    private HttpServerOptions options() {
        int port = settings.number(ServerSettings.PORT);
        int maxHeader = settings.number(ServerSettings.MAX_HEADER);
        HttpServerOptions options = new HttpServerOptions()
                .setHost(address.getHostAddress())
                // Negative: any port, the same for all event loops.
                .setPort(port == 0 ? -1 : port)
                .setMaxHeaderSize(maxHeader)
                .setMaxInitialLineLength(maxHeader)
                .setIdleTimeout(Math.toIntExact(
                        settings.get(ServerSettings.IDLE_TIMEOUT).toMillis()))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setHttp2ClearTextEnabled(false)
                .setTcpNoDelay(true);
        options.getInitialSettings().setMaxHeaderListSize(maxHeader);
        tls.ifPresent(
                files -> options.setSsl(true).setUseAlpn(true).setKeyCertOptions(KeyCertOptions.wrap(files.load())));
        return options;
    }

    /** Where it listens: {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    /** Whether callers must send a token. */
    boolean needsToken() {
        return access.hasTokens();
    }

    ServerSettings settings() {
        return settings;
    }

    List<Route> routes() {
        return routes;
    }

    /** Waits until {@link #close} has ended. */
    void awaitEnd() throws InterruptedException {
        end.await();
    }

    @Override
    public void close() {
        if (!isClosing.compareAndSet(false, true)) {
            return;
        }
        traffic.leave(settings.get(ServerSettings.DRAIN));
        if (!traffic.awaitAnswers(settings.get(ServerSettings.REQUEST_TIMEOUT))) {
            LOG.log(
                    Level.WARNING,
                    "Requests still wait for a store, and are answered with an error now: running="
                            + traffic.running());
        }
        try {
            ids.close();
        } finally {
            boolean unused = traffic.awaitAnswers(LAST_ANSWERS);
            closeAll(vertx);
            end.countDown();
        }
    }

    /** Closes all connections and ends the threads. */
    private static void closeAll(Vertx vertx) {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "The server did not close its connections in " + CLOSE_SECONDS + " s: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
