package io.distributedid.micrometer;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.ServerStatistics;
import io.distributedid.WorkerStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
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

    /** Registers a meter for each figure that the statistics have. */
    List<Meter> all(SequenceStatistics known) {
        count("ids.issued", "ids", "Ids handed out", tags, SequenceStatistics::issued);
        time("waits", "Calls that had to wait for an id", SequenceStatistics::waits, SequenceStatistics::waitTime);
        if (known.blocks().isPresent()) {
            addBlocks();
        }
        known.worker().ifPresent(this::addWorker);
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
        return meters;
    }

    private void addBlocks() {
        count("blocks.fetched", "blocks", "Blocks reserved", tags, ofBlocks(BlockStatistics::fetched));
        count(
                "blocks.failed",
                "blocks",
                "Fetches that failed on all servers",
                tags,
                ofBlocks(BlockStatistics::failedFetches));
        count(
                "ids.dropped",
                "ids",
                "Ids reserved and never to be handed out",
                tags,
                ofBlocks(BlockStatistics::dropped));
        time(
                "fetch",
                "Fetches that succeeded",
                ofBlocks(BlockStatistics::fetched),
                statistics ->
                        statistics.blocks().map(BlockStatistics::fetchTime).orElse(Duration.ZERO));
        gauge(
                "reserve",
                "ids",
                "Ids reserved and not handed out yet",
                tags,
                ofBlocks(BlockStatistics::reserve)::applyAsLong);
    }

    private static ToLongFunction<SequenceStatistics> ofBlocks(ToLongFunction<BlockStatistics> figure) {
        return statistics -> statistics.blocks().map(figure::applyAsLong).orElse(0L);
    }

    private void addServer(int place, Tags own) {
        count(
                "server.fetches",
                "blocks",
                "Blocks that the server gave",
                own,
                ofServer(place, ServerStatistics::fetches));
        count(
                "server.failures",
                "calls",
                "Calls that the server failed",
                own,
                ofServer(place, ServerStatistics::failures));
        count(
                "failovers",
                "failovers",
                "The server was left out, and others did its work",
                own,
                ofServer(place, ServerStatistics::failovers));
        gauge(
                "counter",
                "id",
                "The last id that the server is known to have given",
                own,
                statistics -> number(statistics.servers().get(place).counter()));
    }

    private static ToLongFunction<SequenceStatistics> ofServer(int place, ToLongFunction<ServerStatistics> figure) {
        return statistics -> figure.applyAsLong(statistics.servers().get(place));
    }

    private void addWorker(WorkerStatistics worker) {
        gauge(
                "worker",
                null,
                "The worker number",
                tags,
                statistics ->
                        statistics.worker().map(now -> (double) now.number()).orElse(Double.NaN));
        if (worker.until().isPresent()) {
            gaugeOfTime("window.left", "To the end of the window that is reserved", WorkerStatistics::left);
        }
        if (worker.clockOffset().isPresent()) {
            gaugeOfTime("clock.offset", "The local clock is ahead of the lease store's", WorkerStatistics::clockOffset);
        }
    }

    private void count(
            String name, String unit, String description, Tags own, ToLongFunction<SequenceStatistics> figure) {
        meters.add(FunctionCounter.builder(PREFIX + name, ids, of(figure::applyAsLong))
                .baseUnit(unit)
                .description(description)
                .tags(own)
                .register(registry));
    }

    private void time(
            String name,
            String description,
            ToLongFunction<SequenceStatistics> count,
            Function<SequenceStatistics, Duration> total) {
        ToDoubleFunction<DistributedIds> counted = of(count::applyAsLong);
        meters.add(FunctionTimer.builder(
                        PREFIX + name,
                        ids,
                        each -> (long) counted.applyAsDouble(each),
                        of(statistics -> total.apply(statistics).toNanos()),
                        TimeUnit.NANOSECONDS)
                .description(description)
                .tags(tags)
                .register(registry));
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
        ToDoubleFunction<DistributedIds> nanos = of(statistics -> statistics
                .worker()
                .flatMap(figure)
                .map(length -> (double) length.toNanos())
                .orElse(Double.NaN));
        meters.add(TimeGauge.builder(PREFIX + name, ids, TimeUnit.NANOSECONDS, nanos)
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
