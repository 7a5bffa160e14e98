package io.distributedid.micrometer;

import io.distributedid.BlockStatistics;
import io.distributedid.CapacityStatistics;
import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds the meters of one sequence. Their functions capture only its name, and get the sequences from the registry's
 * weak reference. Capturing anything else would keep a closed SessionFactory in memory.
 */
final class MeterBuilders {

    private static final String PREFIX = "distributedid.";

    private static final double NANOS = 1e9;

    private final String sequence;

    private final DistributedIds ids;

    private final MeterRegistry registry;

    private final Tags tags;

    private final List<Meter> meters = new ArrayList<>();

    MeterBuilders(String sequence, DistributedIds ids, MeterRegistry registry, Tags tags) {
        this.sequence = sequence;
        this.ids = ids;
        this.registry = registry;
        this.tags = tags;
    }

    /** Calls that had to wait for an id. */
    Timer waits() {
        return timer("wait", "Calls that had to wait for an id");
    }

    /** Fetches that succeeded. */
    Timer fetches() {
        return timer("fetch", "Fetches that succeeded");
    }

    /** All meters that were registered. */
    List<Meter> meters() {
        return meters;
    }

    /** Registers a meter for each figure that the statistics have. */
    void add(SequenceStatistics known) {
        count("issued", "ids", "Ids handed out", tags, SequenceStatistics::issued);
        if (known.blocks().isPresent()) {
            addBlocks();
        }
        known.worker().ifPresent(this::addWorker);
        if (known.tenure().isPresent()) {
            addTenure();
        }
        known.capacity().ifPresent(capacity -> addCapacity(capacity.timeLeft().isPresent()));
        for (int place = 0; place < known.servers().size(); place++) {
            addServer(place, tags.and("server", known.servers().get(place).server()));
        }
        if (known.servers().size() > 1) {
            gauge(
                    "distance",
                    "ids",
                    "Between the last known counters of the servers",
                    tags,
                    statistics -> number(statistics.distance()));
        }
    }

    private void addBlocks() {
        count(
                "fetch.failures",
                null,
                "Fetches that failed on all servers",
                tags,
                ofBlocks(BlockStatistics::failedFetches));
        count("dropped", "ids", "Ids reserved and never to be handed out", tags, ofBlocks(BlockStatistics::dropped));
        gauge(
                "reserve",
                "ids",
                "Ids reserved and not handed out yet",
                tags,
                ofBlocks(BlockStatistics::reserve)::applyAsLong);
    }

    private void addCapacity(boolean ofTime) {
        if (ofTime) {
            addTime(
                    "layout.left",
                    "Until the layout runs out of time",
                    of(statistics -> statistics
                            .capacity()
                            .flatMap(CapacityStatistics::timeLeft)
                            .map(left -> (double) left.toSeconds())
                            .orElse(Double.NaN)));
        } else {
            gauge(
                    "counter.left",
                    "ids",
                    "Numbers above the counter until ids do not fit any more",
                    tags,
                    statistics -> statistics
                            .capacity()
                            .map(capacity -> number(capacity.idsLeft()))
                            .orElse(Double.NaN));
        }
    }

    private static ToLongFunction<SequenceStatistics> ofBlocks(ToLongFunction<BlockStatistics> figure) {
        return statistics -> statistics.blocks().map(figure::applyAsLong).orElse(0L);
    }

    private void addServer(int place, Tags own) {
        count("server.fetches", null, "Blocks that the server gave", own, ofServer(place, ServerStatistics::fetches));
        count(
                "server.failures",
                null,
                "Calls that the server failed",
                own,
                ofServer(place, ServerStatistics::failures));
        count(
                "server.failovers",
                null,
                "The server was left out, and others did its work",
                own,
                ofServer(place, ServerStatistics::failovers));
        gauge(
                "server.up",
                null,
                "1 if the server is in use, 0 if it is left out",
                own,
                statistics -> statistics.servers().get(place).failure().isPresent() ? 0 : 1);
        gauge(
                "server.last.id",
                null,
                "The last id that the server is known to have given",
                own,
                statistics -> number(statistics.servers().get(place).counter()));
    }

    private static ToLongFunction<SequenceStatistics> ofServer(int place, ToLongFunction<ServerStatistics> figure) {
        return statistics -> figure.applyAsLong(statistics.servers().get(place));
    }

    private void addWorker(WorkerStatistics worker) {
        gauge(
                "worker.number",
                null,
                "The worker number",
                tags,
                statistics ->
                        statistics.worker().map(now -> (double) now.number()).orElse(Double.NaN));
        if (worker.until().isPresent()) {
            gaugeOfTime("worker.window.left", "To the end of the window that is reserved", WorkerStatistics::left);
        }
        if (worker.clockOffset().isPresent()) {
            gaugeOfTime(
                    "worker.clock.offset",
                    "The local clock is ahead of the lease store's",
                    WorkerStatistics::clockOffset);
        }
    }

    private void addTenure() {
        gauge(
                "tenure.active",
                null,
                "1 if this process is active, 0 if it stands by",
                tags,
                statistics ->
                        statistics.tenure().filter(TenureStatistics::isActive).isPresent() ? 1 : 0);
        addTime(
                "tenure.lease.left",
                "To the end of the lease of the active process",
                of(statistics -> statistics
                        .tenure()
                        .flatMap(TenureStatistics::left)
                        .map(length -> length.toNanos() / NANOS)
                        .orElse(Double.NaN)));
        count(
                "tenure.takeovers",
                null,
                "This process became active",
                tags,
                statistics ->
                        statistics.tenure().map(TenureStatistics::takeovers).orElse(0L));
    }

    private void count(
            String name,
            @Nullable String unit,
            String description,
            Tags own,
            ToLongFunction<SequenceStatistics> figure) {
        meters.add(FunctionCounter.builder(PREFIX + name, ids, of(figure::applyAsLong))
                .baseUnit(unit)
                .description(description)
                .tags(own)
                .register(registry));
    }

    private Timer timer(String name, String description) {
        Timer timer =
                Timer.builder(PREFIX + name).description(description).tags(tags).register(registry);
        meters.add(timer);
        return timer;
    }

    private void gauge(
            String name,
            @Nullable String unit,
            String description,
            Tags own,
            ToDoubleFunction<SequenceStatistics> figure) {
        meters.add(Gauge.builder(PREFIX + name, ids, of(figure))
                .baseUnit(unit)
                .description(description)
                .tags(own)
                .register(registry));
    }

    private void gaugeOfTime(String name, String description, Function<WorkerStatistics, Optional<Duration>> figure) {
        addTime(
                name,
                description,
                of(statistics -> statistics
                        .worker()
                        .flatMap(figure)
                        .map(length -> length.toNanos() / NANOS)
                        .orElse(Double.NaN)));
    }

    /** @param seconds as a double, since nanoseconds overflow after 292 years */
    private void addTime(String name, String description, ToDoubleFunction<DistributedIds> seconds) {
        meters.add(TimeGauge.builder(PREFIX + name, ids, TimeUnit.SECONDS, seconds)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private ToDoubleFunction<DistributedIds> of(ToDoubleFunction<SequenceStatistics> figure) {
        String name = sequence;
        return each -> each.statistics(name).map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private static double number(OptionalLong figure) {
        return figure.isPresent() ? figure.getAsLong() : Double.NaN;
    }
}
