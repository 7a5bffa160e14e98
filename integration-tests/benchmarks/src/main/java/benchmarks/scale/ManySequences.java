package benchmarks.scale;

import benchmarks.Bar;
import benchmarks.Chart.Side;
import benchmarks.Curves;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.MySql;
import benchmarks.Ratio;
import benchmarks.Report;
import benchmarks.Rounds;
import io.distributedid.internal.lease.LeaseLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What many sequences cost: five hundred entities that start, a thousand sequences that give ids, thousands that are
 * idle, a hundred thousand virtual threads. Servers are real and durable, and {@linkplain Distant each way takes 1 ms},
 * except where memory is measured. Each part has a JVM of its own.
 */
public final class ManySequences implements Group {

    private static final List<String> MEMORY = List.of("-Xmx2g");

    /** A JVM that takes longer is killed. */
    private static final Duration AT_MOST = Duration.ofMinutes(6);

    private static final int NODES = 1_000;

    /** In which a node renews 42 times, and reads the store twice. */
    private static final int SIMULATED_MINUTES = 21;

    private static final String TABLES_STAY_OPEN = "--table-open-cache=4000";

    private static final String TABLES_STAY_DEFINED = "--table-definition-cache=4000";

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        try (MySql rows = MySql.start(TABLES_STAY_OPEN, TABLES_STAY_DEFINED);
                MySql first = MySql.startOfPair(1);
                MySql second = MySql.startOfPair(2)) {
            boots(report, quick, rows, List.of(first, second));
            busy(report, quick, rows, List.of(first, second));
            idle(report, quick, rows, List.of(first, second));
            leases(report);
            virtualThreads(report, quick, List.of(first, second));
        }
    }

    private static void boots(Report report, boolean quick, MySql rows, List<MySql> tickets) throws Exception {
        report.say("%nSessionFactory of %d entities; round 0 is the first start on empty tables", Boots.ENTITIES);
        Rounds rounds = new Rounds();
        Results results = new Results(report);
        List<String> arguments = List.of(
                Integer.toString(Boots.ENTITIES),
                quick ? "45" : "150",
                quick ? "1" : "2",
                quick ? "4" : "10",
                Boolean.toString(!quick),
                rows.url("rows"));
        Fork.run(rounds, AT_MOST, MEMORY, Boots.class, arguments(arguments, tickets, "boot"), results::add);
        for (Start start : Start.values()) {
            String first = rounds.has(Boots.first(start))
                    ? String.format(Locale.ROOT, ";  first rows %5.2f s", 1 / rounds.rate(Boots.first(start)))
                    : "";
            report.say("  median    %-28s  start %5.2f s%s", start.label, 1 / rounds.rate(Boots.boot(start)), first);
        }
        report.ratio("boot_500_vs_table", boot(rounds, Start.SEQUENCE_TABLE), Bar.atMost(1.6));
        report.ratio("boot_500_ticket_vs_table", boot(rounds, Start.TICKET), Bar.atMost(1.6));
        report.ratio("boot_500_snowflake_vs_table", boot(rounds, Start.SNOWFLAKE), Bar.atMost(1.5));
        report.ratio("first_500_vs_snowflake", first(rounds, Start.SEQUENCE_TABLE), Bar.atMost(1.1));
        report.ratio("first_500_ticket_vs_snowflake", first(rounds, Start.TICKET), Bar.atMost(1.1));
        if (!quick) {
            double snowflake = results.value(Boots.rested(Start.SNOWFLAKE));
            report.value(
                    "first_500_rested_vs_snowflake", results.value(Boots.rested(Start.SEQUENCE_TABLE)) / snowflake);
            report.value("first_500_rested_ticket_vs_snowflake", results.value(Boots.rested(Start.TICKET)) / snowflake);
        }
    }

    /** Times, not rates: the other's rate divided by ours. */
    private static Ratio boot(Rounds rounds, Start start) {
        return rounds.ratio(Boots.boot(Start.TABLE), Boots.boot(start));
    }

    private static Ratio first(Rounds rounds, Start start) {
        return rounds.ratio(Boots.first(Start.SNOWFLAKE), Boots.first(start));
    }

    private static void busy(Report report, boolean quick, MySql rows, List<MySql> tickets) throws Exception {
        report.say("%n%,d sequences, each 20 ids a second; late: more than 1 ms after they were due", Busy.SEQUENCES);
        int warmUp = quick ? 8 : 20;
        int seconds = quick ? 10 : 40;
        Map<Store, Results> all = new EnumMap<>(Store.class);
        for (Store store : Store.values()) {
            Results results = new Results(report);
            all.put(store, results);
            List<String> arguments = List.of(store.name(), Integer.toString(warmUp), Integer.toString(seconds));
            Fork.lines(
                    Path.of(System.getProperty("java.home")),
                    AT_MOST,
                    MEMORY,
                    Busy.class,
                    arguments(arguments, store == Store.TICKET ? tickets : List.of(rows), "busy"),
                    results::add);
        }
        for (Store store : Store.values()) {
            Results results = all.get(store);
            String suffix = store == Store.TICKET ? "" : store == Store.COSID ? "_cosid" : "_table";
            String late = "busy_1000_over_1ms_per_million" + suffix;
            String trips = "busy_1000_trips_per_s" + suffix;
            if (store == Store.COSID) {
                report.value(late, results.value("waited"));
                report.value(trips, results.value("trips"));
            } else {
                report.value(late, results.value("waited"), Bar.atMost(10));
                report.value(trips, results.value("trips"), Bar.atMost(12));
            }
            report.value("busy_1000_late_per_million" + suffix, results.value("late"));
            report.value("busy_1000_late_per_million" + suffix + "_machine", results.value("machine"));
        }
        report.chart(chart(all, warmUp));
    }

    private static Curves chart(Map<Store, Results> all, int warmUp) {
        Curves chart = new Curves(
                "A thousand sequences, each 20 ids a second, servers 1 ms away each way",
                "Blue: this library. Grey: CosId's SegmentChainId on its own table, the same in all panels. Bars count"
                        + " from second " + warmUp + " on.");
        for (Store store : List.of(Store.TICKET, Store.SEQUENCE_TABLE)) {
            panel(chart, all, store, "answered", store.label + ": calls answered in each second", false);
            panel(chart, all, store, "longest", store.label + ": longest call of each second, ms", true);
        }
        return chart;
    }

    private static void panel(
            Curves chart, Map<Store, Results> all, Store store, String curve, String title, boolean isLogarithmic) {
        chart.panel(title, isLogarithmic);
        chart.curve(all.get(Store.COSID).curve(curve), Side.OTHER);
        chart.curve(all.get(store).curve(curve), Side.OURS);
    }

    private static void idle(Report report, boolean quick, MySql rows, List<MySql> tickets) throws Exception {
        report.say("%nheap of idle sequences, open, one id taken, then at rest");
        double most = 0;
        int count = quick ? 1_000 : 2_000;
        for (Store store : List.of(Store.TICKET, Store.SEQUENCE_TABLE)) {
            Results results = new Results(report);
            List<String> arguments = List.of(store.name(), Integer.toString(count), quick ? "1" : "12");
            Fork.lines(
                    Path.of(System.getProperty("java.home")),
                    AT_MOST,
                    List.of("-Xmx2g", "-XX:SoftRefLRUPolicyMSPerMB=0"),
                    Idle.class,
                    arguments(arguments, store == Store.TICKET ? tickets : List.of(rows), "idle"),
                    results::add);
            report.say(
                    "  %-20s  %,.0f bytes each, %.0f threads more for %,d sequences",
                    store.label, results.value("bytes"), results.value("threads"), count);
            most = Math.max(most, results.value("bytes"));
        }
        report.value("idle_sequence_bytes", most, Bar.atMost(4_096));
    }

    private static void leases(Report report) {
        report.say("%nlease store of %,d simulated nodes, %d minutes without failures", NODES, SIMULATED_MINUTES);
        double operations = LeaseLoad.operationsPerNodeMinute(NODES, SIMULATED_MINUTES, 1);
        report.value("lease_ops_per_node_minute", operations, Bar.atMost(2.1));
    }

    private static void virtualThreads(Report report, boolean quick, List<MySql> tickets) throws Exception {
        Optional<Path> jdk = Jdk.withVirtualThreads();
        if (jdk.isEmpty()) {
            report.say("%n*** SKIPPED: virtual_threads_100k_over_10ms_per_million needs a JDK 21 or later; none runs,"
                    + " and none is in /usr/lib/jvm");
            return;
        }
        report.say("%n%,d virtual threads on %s, together 20,000 tickets a second", VirtualThreads.THREADS, jdk.get());
        Path folder = Files.createTempDirectory("benchmarks-pinned");
        Results results = new Results(report);
        String warmUp = quick ? "5" : "15";
        String seconds = quick ? "6" : "30";
        try {
            Fork.lines(
                    jdk.get(),
                    AT_MOST,
                    MEMORY,
                    VirtualThreads.class,
                    arguments(List.of(warmUp, seconds, folder.toString()), tickets, "virtual"),
                    results::add);
        } finally {
            delete(folder);
        }
        report.say(
                "  %,.0f calls, longest %.1f ms, %.0f pinned; late in a million: %.0f, with an AtomicLong %.0f",
                results.value("calls"),
                results.value("longest"),
                results.value("pinned"),
                results.value("late"),
                results.value("machine"));
        report.value("virtual_threads_100k_over_10ms_per_million", results.value("slow"), Bar.atMost(10));
        report.value("virtual_threads_100k_pinned", results.value("pinned"), Bar.atMost(0));
    }

    private static List<String> arguments(List<String> first, List<MySql> servers, String schema) {
        List<String> arguments = new ArrayList<>(first);
        servers.forEach(server -> arguments.add(server.url(schema)));
        return arguments;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
