package io.distributedid.micrometer;

import static io.distributedid.micrometer.Figure.Kind.COUNT;
import static io.distributedid.micrometer.Figure.Kind.GAUGE;
import static io.distributedid.micrometer.Figure.Kind.SECONDS;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A figure of a sequence or of one of its servers, and its meter.
 *
 * @param unit empty if there is none
 * @param value empty if the sequence has no such figure, NaN if it is not known now
 */
record Figure<T>(Kind kind, String name, String unit, String description, Function<T, Optional<Double>> value) {

    enum Kind {
        COUNT,
        GAUGE,
        /** A double, since nanoseconds overflow after 292 years. */
        SECONDS
    }

    private static final double NANOS = 1e9;

    private static final List<Figure<SequenceStatistics>> OF_SEQUENCE = List.of(
            new Figure<>(COUNT, "issued", "ids", "Ids handed out", all -> Optional.of((double) all.issued())),
            new Figure<>(
                    COUNT,
                    "fetch.failures",
                    "",
                    "Fetches that failed on all servers",
                    ofBlocks(BlockStatistics::failedFetches)),
            new Figure<>(
                    COUNT,
                    "dropped",
                    "ids",
                    "Reserved ids that will never be handed out",
                    ofBlocks(BlockStatistics::dropped)),
            new Figure<>(
                    GAUGE,
                    "reserve",
                    "ids",
                    "Reserved ids that are not handed out" + " yet",
                    ofBlocks(BlockStatistics::reserve)),
            new Figure<>(
                    SECONDS,
                    "layout.left",
                    "",
                    "Time left in the layout",
                    all -> all.capacity().flatMap(CapacityStatistics::timeLeft).map(Figure::seconds)),
            new Figure<>(
                    GAUGE,
                    "counter.left",
                    "ids",
                    "Numbers above the counter that still fit",
                    all -> all.capacity()
                            .filter(capacity -> capacity.timeLeft().isEmpty())
                            .map(capacity -> number(capacity.idsLeft()))),
            new Figure<>(
                    GAUGE,
                    "worker.number",
                    "",
                    "The worker number",
                    all -> all.worker().map(worker -> (double) worker.number())),
            new Figure<>(
                    SECONDS,
                    "worker.window.left",
                    "",
                    "Time left in the reserved window",
                    all -> all.worker().flatMap(WorkerStatistics::left).map(Figure::seconds)),
            new Figure<>(
                    SECONDS,
                    "worker.clock.offset",
                    "",
                    "How far the local clock is ahead of the lease store's",
                    all -> all.worker().flatMap(WorkerStatistics::clockOffset).map(Figure::seconds)),
            new Figure<>(
                    GAUGE,
                    "tenure.active",
                    "",
                    "1 if this process is active, 0 if it stands by",
                    all -> all.tenure().map(tenure -> tenure.isActive() ? 1.0 : 0.0)),
            new Figure<>(
                    SECONDS,
                    "tenure.lease.left",
                    "",
                    "Time left in the lease of the active process",
                    all -> all.tenure()
                            .map(tenure -> tenure.left().map(Figure::seconds).orElse(Double.NaN))),
            new Figure<>(
                    COUNT,
                    "tenure.takeovers",
                    "",
                    "How often this process became active",
                    all -> all.tenure().map(TenureStatistics::takeovers).map(Long::doubleValue)),
            new Figure<>(
                    GAUGE,
                    "distance",
                    "ids",
                    "Difference between the last known counters of the servers",
                    all -> Optional.of(all)
                            .filter(each -> each.servers().size() > 1)
                            .map(each -> number(each.distance()))));

    private static final List<Figure<ServerStatistics>> OF_SERVER = List.of(
            new Figure<>(
                    COUNT, "server.fetches", "", "Blocks that the server issued", ofServer(ServerStatistics::fetches)),
            new Figure<>(
                    COUNT, "server.failures", "", "Calls that the server failed", ofServer(ServerStatistics::failures)),
            new Figure<>(
                    COUNT,
                    "server.failovers",
                    "",
                    "How often the server was left out, and others did its work",
                    ofServer(ServerStatistics::failovers)),
            new Figure<>(
                    GAUGE,
                    "server.up",
                    "",
                    "1 if the server is in use, 0 if it is left out",
                    server -> Optional.of(server.failure().isPresent() ? 0.0 : 1.0)),
            new Figure<>(
                    GAUGE,
                    "server.last.id",
                    "",
                    "The last id that the server is known to have issued",
                    server -> Optional.of(number(server.counter()))));

    private static Function<SequenceStatistics, Optional<Double>> ofBlocks(ToLongFunction<BlockStatistics> figure) {
        return all -> all.blocks().map(blocks -> (double) figure.applyAsLong(blocks));
    }

    private static Function<ServerStatistics, Optional<Double>> ofServer(ToLongFunction<ServerStatistics> figure) {
        return server -> Optional.of((double) figure.applyAsLong(server));
    }

    private static double seconds(Duration length) {
        return length.getSeconds() + length.getNano() / NANOS;
    }

    private static double number(OptionalLong figure) {
        return figure.isPresent() ? figure.getAsLong() : Double.NaN;
    }

    /** Registers a meter for each figure that a sequence has, in a registry. */
    static List<Meter> register(
            String sequence, SequenceStatistics known, DistributedIds ids, Tags tags, MeterRegistry registry) {
        List<Meter> meters = new ArrayList<>();
        for (Figure<SequenceStatistics> figure : OF_SEQUENCE) {
            if (figure.value.apply(known).isPresent()) {
                meters.add(figure.register(sequence, Function.identity(), ids, tags, registry));
            }
        }
        for (int i = 0; i < known.servers().size(); i++) {
            int place = i;
            Tags own = tags.and("server", known.servers().get(place).server());
            for (Figure<ServerStatistics> figure : OF_SERVER) {
                meters.add(figure.register(sequence, all -> all.servers().get(place), ids, own, registry));
            }
        }
        return meters;
    }

    /**
     * Its function captures only the name of the sequence, and gets the sequences from the registry's weak reference.
     * Capturing anything else would keep a closed SessionFactory in memory.
     */
    private Meter register(
            String sequence,
            Function<SequenceStatistics, T> of,
            DistributedIds ids,
            Tags tags,
            MeterRegistry registry) {
        Function<T, Optional<Double>> figure = value;
        ToDoubleFunction<DistributedIds> now =
                all -> all.statistics(sequence).map(of).flatMap(figure).orElse(Double.NaN);
        String full = "distributedid." + name;
        String base = unit.isEmpty() ? null : unit;
        return switch (kind) {
            case COUNT ->
                FunctionCounter.builder(full, ids, now)
                        .baseUnit(base)
                        .description(description)
                        .tags(tags)
                        .register(registry);
            case GAUGE ->
                Gauge.builder(full, ids, now)
                        .baseUnit(base)
                        .description(description)
                        .tags(tags)
                        .register(registry);
            case SECONDS ->
                TimeGauge.builder(full, ids, TimeUnit.SECONDS, now)
                        .description(description)
                        .tags(tags)
                        .register(registry);
        };
    }
}
