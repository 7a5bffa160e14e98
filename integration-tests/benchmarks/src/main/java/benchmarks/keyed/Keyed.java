package benchmarks.keyed;

import benchmarks.Bar;
import benchmarks.Budget;
import benchmarks.Chart;
import benchmarks.Chart.Side;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.Order;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.Rounds.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers per key: from the memory of the process that owns the keys, beside a map of counters; from rows of a durable
 * MySQL, beside the same statements by hand.
 */
public final class Keyed implements Group {

    private static final List<String> HEAP = List.of("-Xmx1g");

    /** The default of the setting. */
    private static final int CONNECTIONS = 4;

    /** At some thousand calls a second, the compiler has done all of its work after about ten turns. */
    private static final int ROW_WARM_UPS = 10;

    /** Rows of a key and flush, each with its bar. */
    private static final Map<Integer, Double> ROWS = new TreeMap<>(Map.of(1, 0.95, 50, 3.0));

    /** Who takes numbers of rows. */
    private enum RowLoad {
        ONE("one thread, one connection", 1, 1, false),
        APART("16 threads, 4 connections, a key for each thread", 16, CONNECTIONS, false),
        DRAWN("16 threads, 4 connections, keys drawn", 16, CONNECTIONS, true);

        private final String label;

        private final int threads;

        private final int connections;

        private final boolean isDrawn;

        RowLoad(String label, int threads, int connections, boolean isDrawn) {
            this.label = label;
            this.threads = threads;
            this.connections = connections;
            this.isDrawn = isDrawn;
        }
    }

    @Override
    public String name() {
        return "keyed";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Numbers per key",
                "A million keys in memory; MySQL 8.0, durable; 32 connections on the loopback address. Medians of"
                        + " alternating turns.");
        embedded(report, chart, quick);
        writes(report);
        bytes(report, chart);
        ServedNumbers.requests(report, chart, quick);
        rows(report, chart, quick);
        gapless(report, chart, quick);
        ServedNumbers.moves(report, quick);
        report.chart(chart);
    }

    private static void embedded(Report report, Chart chart, boolean quick) throws IOException, InterruptedException {
        Rounds rounds = new Rounds();
        int time = quick ? 12 : 20;
        for (int fork = 0; fork < (quick ? 1 : 5); fork++) {
            for (KeyShape shape : KeyShape.values()) {
                List<String> arguments =
                        List.of(Integer.toString(fork), shape.name(), Integer.toString(time), quick ? "6" : "10");
                Fork.run(rounds, Duration.ofSeconds(time), HEAP, Embedded.class, arguments);
            }
        }
        report.say("numbers from memory, million per second, any of %,d keys", Embedded.KEYS);
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("keys", "threads", "sections", "ConcurrentHashMap<Long, AtomicLong>"));
        for (KeyShape shape : KeyShape.values()) {
            for (int threads : Embedded.THREADS) {
                String ours = Embedded.sections(shape, threads);
                String other = Embedded.map(shape, threads);
                String suffix = threads == 1 ? "" : "_" + threads + "_threads";
                rows.add(List.of(
                        shape.name().toLowerCase(Locale.ROOT),
                        Integer.toString(threads),
                        millions(rounds.rate(ours)),
                        millions(rounds.rate(other))));
                if (shape == KeyShape.SNOWFLAKE && threads == 1) {
                    report.ratio("keyed_embedded_vs_map", rounds.ratio(ours, other), Bar.ofWall(0.5));
                } else {
                    String keys = shape.name().toLowerCase(Locale.ROOT);
                    report.ratio("keyed_embedded_" + keys + "_vs_map" + suffix, rounds.ratio(ours, other));
                }
            }
        }
        report.table(rows);
        chart.panel("Numbers from memory, million a second, two threads");
        bar(chart, "sections of this process", rounds.rate(Embedded.sections(KeyShape.SNOWFLAKE, 2)) / 1e6, Side.OURS);
        bar(
                chart,
                "ConcurrentHashMap of AtomicLong",
                rounds.rate(Embedded.map(KeyShape.SNOWFLAKE, 2)) / 1e6,
                Side.OTHER);
    }

    private static void bar(Chart chart, String label, double value, Side side) {
        chart.bar(label, value, String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value), side);
    }

    private static String millions(double rate) {
        return String.format(Locale.ROOT, "%.1f", rate / 1e6);
    }

    private static void writes(Report report) {
        StoreWrites.Counted one = StoreWrites.of(1);
        StoreWrites.Counted many = StoreWrites.of(1_000);
        report.say(
                "%nwrites that raise max, per 10,000 numbers: %.3f of one key, %.4f of 1,000 keys; %d and %d numbers"
                        + " waited for the store; %d and %d writes only renewed the lease",
                one.raisesPer10k(), many.raisesPer10k(), one.waited(), many.waited(), one.renewals(), many.renewals());
        report.value("keyed_store_writes_per_10k", one.raisesPer10k(), Bar.atMost(1.1));
    }

    private static void bytes(Report report, Chart chart) throws IOException, InterruptedException {
        double snowflake = KeyBytes.of(KeyShape.SNOWFLAKE, 10_000_000);
        report.value("keyed_bytes_per_snowflake_key", snowflake, Bar.atMost(24));
        chart.panel("Memory, bytes for each key");
        bar(chart, "10 million keys that are Snowflake ids", snowflake, Side.OURS);
    }

    private static void rows(Report report, Chart chart, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        try (RowTurns turns = new RowTurns(CONNECTIONS, Duration.ofMillis(quick ? 500 : 1_000))) {
            Order<Boolean> order = new Order<>(List.of(true, false), 0);
            int warmUps = quick ? 1 : ROW_WARM_UPS;
            Budget budget = new Budget(Duration.ofSeconds(quick ? 20 : 240), warmUps + 2, warmUps + (quick ? 7 : 20));
            for (int round = -warmUps; budget.begins(); round++) {
                for (RowLoad load : RowLoad.values()) {
                    for (boolean isOurs : order.next()) {
                        Rate rate = isOurs
                                ? turns.ours(load.threads, load.connections, load.isDrawn)
                                : turns.bare(load.threads, load.connections, load.isDrawn);
                        if (round >= 0) {
                            rounds.add((isOurs ? "ours " : "bare ") + load, rate);
                        }
                    }
                }
            }
        }
        report.say("%nnumbers a second from rows of a durable MySQL, beside a bare UPDATE for each");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "row", "bare UPDATE"));
        for (RowLoad load : RowLoad.values()) {
            String ours = "ours " + load;
            String bare = "bare " + load;
            rows.add(List.of(load.label, number(rounds.rate(ours)), number(rounds.rate(bare))));
            String name = load == RowLoad.APART
                    ? "keyed_row_vs_update"
                    : "keyed_row_" + load.name().toLowerCase(Locale.ROOT) + "_vs_update";
            switch (load) {
                case APART -> report.ratio(name, rounds.ratio(ours, bare), Bar.ofWall(1.5));
                case ONE -> report.ratio(name, rounds.ratio(ours, bare), Bar.ofWall(0.85));
                default -> report.ratio(name, rounds.ratio(ours, bare));
            }
        }
        report.table(rows);
        chart.panel("Numbers from rows, a second, 16 threads, 4 connections");
        bar(chart, "row", rounds.rate("ours " + RowLoad.APART), Side.OURS);
        bar(chart, "bare UPDATE", rounds.rate("bare " + RowLoad.APART), Side.OTHER);
    }

    private static String number(double rate) {
        return String.format(Locale.ROOT, "%,.0f", rate);
    }

    private static void gapless(Report report, Chart chart, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        try (GaplessTurns turns = new GaplessTurns(Duration.ofMillis(quick ? 500 : 1_000))) {
            Order<Boolean> order = new Order<>(List.of(true, false), 0);
            int warmUps = quick ? 2 : ROW_WARM_UPS;
            Budget budget = new Budget(Duration.ofSeconds(quick ? 20 : 150), warmUps + 2, warmUps + (quick ? 7 : 20));
            for (int round = -warmUps; budget.begins(); round++) {
                for (int count : ROWS.keySet()) {
                    for (boolean isOurs : order.next()) {
                        Rate rate = isOurs ? turns.ours(count) : turns.byHand(count);
                        if (round >= 0) {
                            rounds.add((isOurs ? "ours " : "by hand ") + count, rate);
                        }
                    }
                }
            }
        }
        ROWS.forEach((count, bar) -> {
            String ours = "ours " + count;
            String byHand = "by hand " + count;
            report.say(
                    "%nrows without gaps a second with Hibernate, %d of a key in a transaction: %s, by hand %s",
                    count, number(rounds.rate(ours)), number(rounds.rate(byHand)));
            report.ratio("gapless_vs_by_hand_" + count, rounds.ratio(ours, byHand), Bar.ofWall(bar));
            chart.panel("Rows with numbers without gaps, a second, " + count + " in a transaction");
            bar(chart, "gapless = true", rounds.rate(ours), Side.OURS);
            bar(chart, "a statement by hand for each", rounds.rate(byHand), Side.OTHER);
        });
    }
}
