package benchmarks.blocks;

import benchmarks.Report;
import io.distributedid.DistributedIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * Our buffer and CosId's chain beside each other at steady rates. Ours has its defaults; CosId's step is a second of
 * the lower rate, as one would set it who knows the rate. The last run has a server so far away that a call that waits
 * is not overlooked.
 */
final class SteadyRuns {

    /**
     * One of both sides.
     *
     * @param name says which run it was
     * @param ours the library's
     * @param cosId the chain's
     */
    record Pair(String name, Steady.Result ours, Steady.Result cosId) {}

    private static final long COSID_STEP = 1_000;

    private static final Duration NEAR = Duration.ofMillis(2);

    private static final Duration FAR = Duration.ofMillis(20);

    private SteadyRuns() {}

    static List<Pair> measure(Report report) {
        report.say("%nat a steady rate, one caller, after the first second");
        List<Pair> pairs = List.of(
                pair("1k", 1_000, NEAR, Duration.ofSeconds(15)),
                pair("10k", 10_000, NEAR, Duration.ofSeconds(15)),
                pair("10k_far", 10_000, FAR, Duration.ofSeconds(10)));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "left before", "reserved", "used", "dropped", "left", "reserved/used", "trips", "waited"));
        for (Pair pair : pairs) {
            rows.add(row("block buffer " + pair.name, pair.ours));
            rows.add(row("CosId chain " + pair.name, pair.cosId));
        }
        report.table(rows);
        for (Pair pair : pairs) {
            report.value("steady_" + pair.name + "_reserved_per_used", pair.ours.reservedPerUsed());
            report.value("steady_" + pair.name + "_reserved_per_used_cosid_chain", pair.cosId.reservedPerUsed());
        }
        return pairs;
    }

    private static Pair pair(String name, int perSecond, Duration distance, Duration time) {
        CompletableFuture<Steady.Result> ours = CompletableFuture.supplyAsync(
                () -> ours(name, perSecond, distance, time), task -> new Thread(task).start());
        CompletableFuture<Steady.Result> cosId = CompletableFuture.supplyAsync(
                () -> cosId(name, perSecond, distance, time), task -> new Thread(task).start());
        return new Pair(name, ours.join(), cosId.join());
    }

    private static Steady.Result ours(String name, int perSecond, Duration distance, Duration time) {
        DistantServer server = new DistantServer(distance);
        try (DistributedIds ids = MemoryBackendProvider.over("s" + name, server)) {
            return new Steady(ids.sequence("s" + name)::next, server, distance).run(perSecond, time);
        }
    }

    private static Steady.Result cosId(String name, int perSecond, Duration distance, Duration time) {
        DistantServer server = new DistantServer(distance);
        SegmentChainId ids = new SegmentChainId(new CosIdDistributor("s" + name, COSID_STEP, server));
        return new Steady(ids::generate, server, distance).run(perSecond, time);
    }

    private static List<String> row(String name, Steady.Result result) {
        return List.of(
                name,
                Long.toString(result.leftBefore()),
                Long.toString(result.reserved()),
                Long.toString(result.used()),
                Long.toString(result.dropped()),
                Long.toString(result.left()),
                String.format(Locale.ROOT, "%.2f", result.reservedPerUsed()),
                Long.toString(result.trips()),
                Long.toString(result.waited()));
    }
}
