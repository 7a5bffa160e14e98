package benchmarks.snowflake;

import benchmarks.Bar;
import benchmarks.Chart;
import benchmarks.Chart.Side;
import benchmarks.Group;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.blocks.Throughput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The Snowflake generator: whether it reaches what its layout allows, how fast it is where the layout allows more than
 * a machine can do, and how far ids run ahead of the clock.
 */
public final class Snowflake implements Group {

    /** Ids per microsecond of Twitter's layout: 4,096 each millisecond. */
    private static final double CAP = 4.096;

    private static final String CAPPED = "cap";

    private static final String WIDE = "wide";

    private static final String TSID = "tsidCreator";

    /**
     * Long enough that the time a generator may borrow, used up at the beginning, and the breaks between iterations
     * don't count.
     */
    private static final int CAP_MILLIS = 500;

    private static final int WIDE_MILLIS = 60;

    private static final Duration AHEAD = Duration.ofSeconds(3);

    /** What {@code snowflake.max_ahead} is by default. */
    private static final long BOUND_MILLIS = 100;

    private static final Map<String, String> NAMES = names();

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put(WIDE, "ours, 18 bits of sequence");
        names.put(CAPPED, "ours, Twitter's layout");
        names.put(TSID, "tsid-creator");
        names.put("hypersistenceTsid", "hypersistence-tsid");
        names.put("cosId", "CosId, Twitter's layout");
        return names;
    }

    @Override
    public String name() {
        return "snowflake";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Snowflake ids from one generator, million per second",
                "Median of short turns. Twitter's layout ends at 4.096 million.");
        List<List<String>> rates = new ArrayList<>();
        rates.add(List.of("ids per microsecond, over all threads", "1 thread", "2 threads"));
        Map<Integer, Rounds> byThreads = new LinkedHashMap<>();
        for (int threads = 1; threads <= 2; threads++) {
            byThreads.put(threads, measure(report, chart, threads, quick));
        }
        NAMES.forEach((contender, label) -> rates.add(List.of(
                label,
                number(byThreads.get(1).rate(contender)),
                number(byThreads.get(2).rate(contender)))));
        report.table(rates);
        ahead(report, chart);
        report.chart(chart);
    }

    private static Rounds measure(Report report, Chart chart, int threads, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        Throughput.measure(rounds, Generators.class, CAP_MILLIS, List.of(CAPPED, "cosId"), threads, 1, quick ? 2 : 6);
        Throughput.measure(
                rounds, Generators.class, WIDE_MILLIS, List.of(WIDE, TSID), threads, quick ? 3 : 6, quick ? 4 : 10);
        Throughput.measure(
                rounds, Generators.class, WIDE_MILLIS, List.of("hypersistenceTsid"), threads, 1, quick ? 2 : 10);
        report.multiple("snowflake_cap_" + threads + "t", rounds, CAPPED, CAP, Bar.ofWall(0.98));
        report.ratio(
                "snowflake_wide_vs_tsid_" + threads + "t",
                rounds.ratio(WIDE, TSID),
                Bar.ofWall(threads == 1 ? 1.0 : 1.5));
        chart.panel(threads == 1 ? "One thread" : "Two threads, one generator");
        NAMES.forEach((contender, label) -> {
            double rate = rounds.rate(contender);
            chart.bar(label, rate, number(rate), label.startsWith("ours") ? Side.OURS : Side.OTHER);
        });
        return rounds;
    }

    private static void ahead(Report report, Chart chart) throws Exception {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("most milliseconds ahead of the clock, in 3 s at full speed", "1 thread", "2 threads"));
        long[] wide = new long[2];
        long[] capped = new long[2];
        long[] tsid = new long[2];
        for (int threads = 1; threads <= 2; threads++) {
            wide[threads - 1] = Ahead.ours(Generators.WIDE, threads, AHEAD);
            capped[threads - 1] = Ahead.ours("snowflake", threads, AHEAD);
            tsid[threads - 1] = Ahead.tsidCreator(threads, AHEAD);
        }
        rows.add(row(NAMES.get(WIDE), wide));
        rows.add(row(NAMES.get(CAPPED), capped));
        rows.add(row(NAMES.get(TSID), tsid));
        report.say("");
        report.table(rows);
        long most = Math.max(Math.max(wide[0], wide[1]), Math.max(capped[0], capped[1]));
        // At least 1: never farther ahead than the bound.
        report.value("snowflake_bound_vs_ahead", (double) BOUND_MILLIS / Math.max(1, most), Bar.ofWall(1.0));
        chart.panel("Most milliseconds ahead of the clock, one thread at full speed for 3 s");
        chart.bar(NAMES.get(WIDE), Math.max(0, wide[0]), Long.toString(wide[0]), Side.OURS);
        chart.bar(NAMES.get(CAPPED), Math.max(0, capped[0]), Long.toString(capped[0]), Side.OURS);
        chart.bar(NAMES.get(TSID), Math.max(0, tsid[0]), Long.toString(tsid[0]), Side.OTHER);
    }

    private static List<String> row(String name, long[] values) {
        return List.of(name, Long.toString(values[0]), Long.toString(values[1]));
    }

    private static String number(double rate) {
        return String.format(Locale.ROOT, "%.1f", rate);
    }
}
