package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.cli.CommandSettings;
import io.distributedid.internal.settings.Secrets;
import io.distributedid.micrometer.DistributedIdMetrics;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Starts a server from its settings. Everything is checked before the port is opened. */
final class ServerStart {

    private static final Duration REOPEN_PERIOD = Duration.ofSeconds(1);

    /** For requests that ask servers for something else than ids. */
    private static final int INQUIRY_WORKERS = 4;

    private static final int MOST_INQUIRIES = 100;

    private static final int UPKEEP_WORKERS = 2;

    /** Each may wait some seconds for the clock, and then keeps its thread from no other. */
    private static final int MOST_COMPARISONS = 100;

    private final Settings settings;

    private final Map<String, Object> settingsOfIds;

    private final Set<String> names;

    private final Set<String> keyed;

    private final Map<String, String> leafKeys;

    private final Optional<TlsFiles> tls;

    private final ListenAddress address;

    private final Access access;

    private final PublicText publicText;

    private final Failures failures;

    private ServerStart(Map<String, ?> all, boolean isInsecure, Secrets secrets) {
        settings = ServerSettings.of(all);
        settingsOfIds = ServerSettings.ofIds(all);
        names = ServerSettings.sequences(settings);
        keyed = ServerSettings.keyed(settings);
        leafKeys = ServerSettings.leafKeys(settings, names);
        Set<String> served = new LinkedHashSet<>(names);
        served.addAll(keyed);
        ServerSettings.requireServed(Settings.of(settingsOfIds).sequences(), served);
        tls = TlsFiles.of(settings);
        Map<String, Caller> callers = TokenSettings.callers(settings, served);
        address = ListenAddress.of(settings, tls.isPresent() && !callers.isEmpty(), isInsecure);
        access = new Access(
                callers,
                address.isLoopback() ? EnumSet.allOf(Right.class) : EnumSet.complementOf(EnumSet.of(Right.RAISE)),
                address.isLoopback() ? Optional.of(settings.get(ServerSettings.HOST)) : Optional.empty());
        publicText = new PublicText(secrets);
        failures = new Failures(publicText);
    }

    /**
     * Starts a server. Waits until it listens.
     *
     * @param all settings by their full names, those of the ids included
     * @param isInsecure whether callers of other machines may take ids without a token
     * @throws IdConfigurationException if a setting is unknown or not allowed, or the port is in use
     */
    static IdServer start(Map<String, ?> all, boolean isInsecure, Secrets secrets) {
        ServerStart start = new ServerStart(all, isInsecure, secrets);
        DistributedIds ids = new CommandSettings(start.settingsOfIds).open();
        try {
            Vertx vertx = Vertx.vertx(new VertxOptions()
                    .setEventLoopPoolSize(Listeners.threads(start.settings))
                    .setWorkerPoolSize(1)
                    .setFileSystemOptions(
                            new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
            try {
                return start.listen(ids, vertx);
            } catch (RuntimeException e) {
                IdServer.closeAll(vertx);
                throw e;
            }
        } catch (RuntimeException e) {
            ids.close();
            throw e;
        }
    }

    private IdServer listen(DistributedIds ids, Vertx vertx) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new DistributedIdMetrics(ids).bindTo(registry);
        // As many as all sequences use at a time: one whose store does not answer keeps none of another.
        int threads = Workers.each(ServedSequence.WORKERS, names.size()) * names.size()
                + Workers.each(ServedKeys.WORKERS, keyed.size()) * keyed.size();
        Workers workers = new Workers(vertx, "distributedid-ids", Math.max(1, threads), Integer.MAX_VALUE);
        Workers inquiries = new Workers(vertx, "distributedid-inquiries", INQUIRY_WORKERS, MOST_INQUIRIES);
        // A store that hangs must not keep the meters from anyone, nor a new certificate from use.
        Workers upkeep = new Workers(vertx, "distributedid-upkeep", UPKEEP_WORKERS, MOST_INQUIRIES);
        Workers comparisons = new Workers(vertx, "distributedid-comparisons", MOST_COMPARISONS, MOST_COMPARISONS);
        AtomicInteger waiting = new AtomicInteger();
        int mostWaiting = number(ServerSettings.MAX_WAITING);
        ServedSequences sequences = new ServedSequences(ids, names, workers, waiting, mostWaiting);
        sequences.open();
        KeyedSequences numbers = new KeyedSequences(ids, keyed, failures, workers, waiting, mostWaiting);
        numbers.openings().open();
        numbers.bindTo(registry);
        Gauge.builder("distributedid.server.waiting", waiting, AtomicInteger::get)
                .description("Requests that wait for ids")
                .register(registry);
        Traffic traffic = new Traffic(registry);
        Duration drain = settings.get(ServerSettings.DRAIN);
        Connections connections = new Connections(number(ServerSettings.MAX_CONNECTIONS), registry);
        Routes routes = routes(ids, sequences, numbers, inquiries, upkeep, comparisons, traffic, registry);
        RequestHandler handler = new RequestHandler(
                vertx,
                routes,
                access,
                traffic,
                connections,
                failures,
                settings.get(ServerSettings.MAX_BODY),
                settings.get(ServerSettings.REQUEST_TIMEOUT));
        String url = new Listeners(settings, address, tls, failures).open(vertx, handler, connections, upkeep);
        vertx.setPeriodic(REOPEN_PERIOD.toMillis(), id -> {
            for (Openings each : List.of(sequences.openings(), numbers.openings())) {
                if (!each.areWell()) {
                    inquiries.start(each::tryAgain);
                }
            }
        });
        return new IdServer(
                ids,
                vertx,
                traffic,
                connections,
                drain,
                settings.get(ServerSettings.REQUEST_TIMEOUT),
                url,
                names,
                keyed,
                routes);
    }

    private Routes routes(
            DistributedIds ids,
            ServedSequences sequences,
            KeyedSequences numbers,
            Workers inquiries,
            Workers upkeep,
            Workers comparisons,
            Traffic traffic,
            PrometheusMeterRegistry registry) {
        int maxIds = number(ServerSettings.MAX_IDS);
        int maxBlock = number(ServerSettings.MAX_BLOCK);
        List<Route> ofIds = new IdOperations(sequences, maxIds, maxBlock).routes();
        List<Route> ofKeys = new KeyedOperations(numbers).routes();
        InstantSource clock = InstantSource.system();
        SequenceDescription descriptions = new SequenceDescription(settingsOfIds, clock, maxIds, maxBlock);
        List<Route> ofSequences =
                new SequenceOperations(sequences, descriptions, inquiries, comparisons, failures).routes();
        List<Route> ofHealth =
                new HealthOperations(ids, sequences, numbers, traffic, registry, upkeep, access, publicText).routes();
        List<Route> ofStatus =
                new StatusOperations(ids, sequences, numbers, traffic, publicText, clock, System::nanoTime).routes();
        List<Route> page = new StatusPage().routes();
        List<Route> ofLeaf = new LeafOperations(sequences, leafKeys, clock).routes();
        List<Route> ofTinyId = new TinyIdOperations(sequences, access, maxIds, maxBlock).routes();
        List<Route> description = new ApiDescription().routes();
        return new Routes(Stream.of(ofIds, ofKeys, ofSequences, ofHealth, ofStatus, page, description, ofLeaf, ofTinyId)
                .flatMap(List::stream)
                .toList());
    }

    private int number(Setting<Long> setting) {
        return Math.toIntExact(settings.get(setting));
    }
}
