package benchmarks.blocks;

import benchmarks.Bar;
import benchmarks.Chart;
import benchmarks.Chart.Side;
import benchmarks.Group;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.TripsPerBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The block buffer: how fast it hands out ids, and at a steady rate how many it reserves for nothing. */
public final class Blocks implements Group {

    private static final String BLOCK = "block";

    private static final Map<String, String> NAMES = names();

    /** Those with a bar to reach, and those for comparison only, which get fewer rounds. */
    private static final List<String> RIVALS = List.of(BLOCK, "atomic", "cosIdChain");

    private static final List<String> OTHERS =
            List.of(BLOCK, "cosIdSegment", "tsidCreator", "hypersistenceTsid", "uuidV7", "uuidV4");

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("atomic", "AtomicLong");
        names.put(BLOCK, "block buffer");
        names.put("cosIdChain", "CosId SegmentChainId");
        names.put("cosIdSegment", "CosId DefaultSegmentId");
        names.put("tsidCreator", "tsid-creator");
        names.put("hypersistenceTsid", "hypersistence-tsid");
        names.put("uuidV7", "UUIDv7 (uuid-creator)");
        names.put("uuidV4", "UUIDv4 (JDK)");
        return names;
    }

    @Override
    public String name() {
        return "blocks";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Handing out ids, million per second", "Median of short turns; servers in memory answer at once.");
        Map<Integer, Rounds> byThreads = new LinkedHashMap<>();
        for (int threads = 1; threads <= 2; threads++) {
            Rounds rivals = new Rounds();
            Throughput.measure(rivals, RIVALS, threads, quick ? 3 : 6, quick ? 4 : 10);
            Rounds others = new Rounds();
            Throughput.measure(others, OTHERS, threads, quick ? 1 : 3, quick ? 2 : 10);
            byThreads.put(threads, rivals);
            draw(chart, threads, rivals, others);
            ratios(report, threads, rivals, others);
            byThreads.put(-threads, others);
        }
        report.say("%nids per microsecond, over all threads");
        report.table(table(byThreads));
        SteadyRuns.measure(report);
        TripsPerBlock.ofSequenceTables(report);
        report.chart(chart);
    }

    private static Rounds holding(String contender, Rounds rivals, Rounds others) {
        return RIVALS.contains(contender) ? rivals : others;
    }

    private static void draw(Chart chart, int threads, Rounds rivals, Rounds others) {
        chart.panel(threads == 1 ? "One thread" : "Two threads, one source");
        NAMES.forEach((contender, label) -> {
            double rate = holding(contender, rivals, others).rate(contender);
            chart.bar(label, rate, number(rate), contender.equals(BLOCK) ? Side.OURS : Side.OTHER);
        });
    }

    private static void ratios(Report report, int threads, Rounds rivals, Rounds others) {
        report.ratio("block_vs_atomic_" + threads + "t", rivals.ratio(BLOCK, "atomic"), Bar.ofWall(0.8));
        report.ratio(
                "block_vs_cosid_chain_" + threads + "t",
                rivals.ratio(BLOCK, "cosIdChain"),
                Bar.notJudged(1.5, "the processor: its atomics"));
        OTHERS.stream()
                .filter(other -> !other.equals(BLOCK))
                .forEach(other -> report.ratio(
                        "block_vs_"
                                + other.replace("cosId", "cosid")
                                        .replaceAll("([A-Z])", "_$1")
                                        .toLowerCase(Locale.ROOT) + "_" + threads + "t",
                        others.ratio(BLOCK, other)));
    }

    private static List<List<String>> table(Map<Integer, Rounds> byThreads) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "1 thread", "2 threads"));
        NAMES.forEach((contender, label) -> rows.add(List.of(
                label,
                number(holding(contender, byThreads.get(1), byThreads.get(-1)).rate(contender)),
                number(holding(contender, byThreads.get(2), byThreads.get(-2)).rate(contender)))));
        return rows;
    }

    private static String number(double rate) {
        return String.format(Locale.ROOT, rate < 10 ? "%.1f" : "%.0f", rate);
    }
}
