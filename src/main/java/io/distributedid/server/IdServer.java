package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.cli.CommandSettings;
import io.distributedid.internal.process.Ending;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.micrometer.DistributedIdMetrics;
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

    /** How many requests of a sequence are served at a time. */
    private static final int SEQUENCE_WORKERS = 4;

    /** Of all sequences, unless they are more. */
    private static final int MOST_WORKERS = 256;

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
            PublicText text,
            DistributedIds ids,
            Vertx vertx) {
        this.settings = settings;
        this.ids = ids;
        this.vertx = vertx;
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new DistributedIdMetrics(ids).bindTo(registry);
        traffic = new Traffic(settings.number(ServerSettings.MAX_WAITING), registry);
        connections = new Connections(settings.number(ServerSettings.MAX_CONNECTIONS), registry);
        Sequences<ServedSequence> sequences = new Sequences<>(
                ServerSettings.SEQUENCES,
                "ids",
                settings.sequences(),
                name -> new ServedSequence(name, ids, sequenceWorkers()));
        ids.admin().prepare(settings.sequences());
        sequences.open();
        ids.admin().prefetch(settings.sequences());
        Sequences<ServedKeys> numbers = new Sequences<>(
                ServerSettings.KEYED,
                "numbers per key",
                settings.keyed(),
                name -> new ServedKeys(name, ids, text, sequenceWorkers(), registry));
        numbers.open();
        InstantSource clock = InstantSource.system();
        Workers inquiries = new Workers("distributedid-inquiries", INQUIRY_WORKERS, new Tally(MOST_INQUIRIES));
        Workers comparisons = new Workers("distributedid-comparisons", MOST_COMPARISONS, new Tally(MOST_COMPARISONS));
        // A store that hangs must not keep the meters from anyone.
        Workers upkeep = new Workers("distributedid-upkeep", UPKEEP_WORKERS, new Tally(MOST_INQUIRIES));
        routes = Stream.of(
                        new IdOperations(sequences, settings).routes(),
                        new KeyedOperations(numbers).routes(),
                        new SequenceOperations(sequences, settings, clock, inquiries, comparisons, text).routes(),
                        new HealthOperations(
                                        sequences,
                                        numbers,
                                        traffic,
                                        registry,
                                        upkeep,
                                        access,
                                        new SequenceStatus(text),
                                        clock)
                                .routes(),
                        new PackedFiles().routes(),
                        new LeafOperations(sequences, settings.leafKeys(), clock).routes(),
                        new TinyIdOperations(sequences, access, settings).routes())
                .flatMap(List::stream)
                .toList();
        url = listener.open(
                vertx, new RequestHandler(vertx, settings, routes, access, traffic, connections, text), connections);
        vertx.setPeriodic(REOPEN_PERIOD.toMillis(), id -> {
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

    /** Where it listens: {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    ServerSettings settings() {
        return settings;
    }

    List<Route> routes() {
        return routes;
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
