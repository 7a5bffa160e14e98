package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.cli.CommandSettings;
import io.distributedid.internal.process.Ending;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A running server. Event loops read requests and write answers; what may wait runs on {@link Workers}.
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

    private static final Duration REOPEN_PERIOD = Duration.ofSeconds(1);

    /** For requests that ask servers for something else than ids. */
    private static final int INQUIRY_WORKERS = 4;

    private static final int MOST_INQUIRIES = 100;

    private static final int UPKEEP_WORKERS = 2;

    /** Each may wait some seconds for the clock, and then keeps its thread from no other. */
    private static final int MOST_COMPARISONS = 100;

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private static final long CLOSE_SECONDS = 10;

    private final ServerSettings settings;

    private final DistributedIds ids;

    private final Vertx vertx;

    private final Traffic traffic;

    private final Connections connections;

    private final Routes routes;

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
        Map<String, Caller> callers = TokenSettings.callers(settings);
        Listener listener = new Listener(settings, !callers.isEmpty(), isInsecure);
        Access access = new Access(callers, listener.isLoopback(), settings.get(ServerSettings.HOST));
        DistributedIds ids = new CommandSettings(settings.ofIds()).open();
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(settings.threads())
                .setWorkerPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        try {
            return new IdServer(settings, listener, access, new PublicText(secrets), ids, vertx);
        } catch (RuntimeException e) {
            closeAll(vertx);
            ids.close();
            throw e;
        }
    }

    private IdServer(
            ServerSettings settings,
            Listener listener,
            Access access,
            PublicText publicText,
            DistributedIds ids,
            Vertx vertx) {
        this.settings = settings;
        this.ids = ids;
        this.vertx = vertx;
        Failures failures = new Failures(publicText);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new DistributedIdMetrics(ids).bindTo(registry);
        // As many as all sequences use at a time: one whose store does not answer keeps none of another.
        int threads = Workers.each(ServedSequence.WORKERS, settings.sequences().size())
                        * settings.sequences().size()
                + Workers.each(ServedKeys.WORKERS, settings.keyed().size())
                        * settings.keyed().size();
        Workers workers = new Workers(vertx, "distributedid-ids", Math.max(1, threads), Integer.MAX_VALUE);
        Workers inquiries = new Workers(vertx, "distributedid-inquiries", INQUIRY_WORKERS, MOST_INQUIRIES);
        AtomicInteger waiting = new AtomicInteger();
        int mostWaiting = settings.number(ServerSettings.MAX_WAITING);
        ServedSequences sequences = new ServedSequences(ids, settings.sequences(), workers, waiting, mostWaiting);
        sequences.open();
        KeyedSequences numbers = new KeyedSequences(ids, settings.keyed(), failures, workers, waiting, mostWaiting);
        numbers.openings().open();
        numbers.bindTo(registry);
        Gauge.builder("distributedid.server.waiting", waiting, AtomicInteger::get)
                .description("Requests that wait for ids")
                .register(registry);
        traffic = new Traffic(registry);
        connections = new Connections(settings.number(ServerSettings.MAX_CONNECTIONS), registry);
        routes = routes(access, publicText, failures, sequences, numbers, inquiries, registry);
        url = listener.open(
                vertx,
                new RequestHandler(vertx, settings, routes, access, traffic, connections, failures),
                connections);
        vertx.setPeriodic(REOPEN_PERIOD.toMillis(), id -> {
            for (Openings each : List.of(sequences.openings(), numbers.openings())) {
                if (!each.areWell()) {
                    inquiries.start(each::tryAgain);
                }
            }
        });
    }

    private Routes routes(
            Access access,
            PublicText publicText,
            Failures failures,
            ServedSequences sequences,
            KeyedSequences numbers,
            Workers inquiries,
            PrometheusMeterRegistry registry) {
        InstantSource clock = InstantSource.system();
        Workers comparisons = new Workers(vertx, "distributedid-comparisons", MOST_COMPARISONS, MOST_COMPARISONS);
        // A store that hangs must not keep the meters from anyone.
        Workers upkeep = new Workers(vertx, "distributedid-upkeep", UPKEEP_WORKERS, MOST_INQUIRIES);
        return new Routes(Stream.of(
                        new IdOperations(sequences, settings).routes(),
                        new KeyedOperations(numbers).routes(),
                        new SequenceOperations(sequences, settings, clock, inquiries, comparisons, failures).routes(),
                        new HealthOperations(ids, sequences, numbers, traffic, registry, upkeep, access, publicText)
                                .routes(),
                        new StatusOperations(ids, sequences, numbers, traffic, publicText, clock, System::nanoTime)
                                .routes(),
                        new StatusPage().routes(),
                        List.of(PackedFile.route("openapi.yaml", "application/yaml")),
                        new LeafOperations(sequences, settings.leafKeys(), clock).routes(),
                        new TinyIdOperations(sequences, access, settings).routes())
                .flatMap(List::stream)
                .toList());
    }

    /** Where it listens: {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    ServerSettings settings() {
        return settings;
    }

    List<Route> routes() {
        return routes.all();
    }

    /** Of bodies of requests that are not answered yet. */
    long heldBytes() {
        return traffic.heldBytes();
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
        traffic.leave();
        connections.drain(settings.get(ServerSettings.DRAIN));
        traffic.finish();
        if (!traffic.running().awaitZero(settings.get(ServerSettings.REQUEST_TIMEOUT))) {
            LOG.log(
                    Level.WARNING,
                    "Requests still wait for a store, and are answered with an error now: running="
                            + traffic.running().count());
        }
        Ending ending = new Ending();
        ending.run(ids::close);
        traffic.running().awaitZero(LAST_ANSWERS);
        closeAll(vertx);
        end.countDown();
        ending.throwFirst();
    }

    /** Closes all connections and ends the threads. */
    private static void closeAll(Vertx vertx) {
        CountDownLatch closed = new CountDownLatch(1);
        vertx.close().onComplete(result -> closed.countDown());
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "The server did not close its connections in " + CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
