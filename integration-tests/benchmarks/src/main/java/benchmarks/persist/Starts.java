package benchmarks.persist;

import benchmarks.Bar;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the library adds to the start of a small application: a new JVM builds a SessionFactory with one entity on H2 in
 * memory, persists one row and ends. Each contender has a JVM of its own in each round.
 */
public final class Starts implements Group {

    private static final List<Contender> CONTENDERS = List.of(
            Contender.SEQUENCE50, Contender.TSID, Contender.SEQUENCE_TABLE, Contender.SNOWFLAKE, Contender.TICKET);

    private static final List<Contender> OURS =
            List.of(Contender.SEQUENCE_TABLE, Contender.SNOWFLAKE, Contender.TICKET);

    private static final String CLASSES = "io.distributedid.";

    private static final String LAMBDA = "$$Lambda";

    private static final Duration AT_MOST = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "start";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        Map<Contender, List<Double>> milliseconds = new EnumMap<>(Contender.class);
        Order<Contender> order = new Order<>(CONTENDERS, 0);
        for (int round = 0; round < (quick ? 8 : 30); round++) {
            for (Contender contender : order.next()) {
                Stopwatch watch = new Stopwatch();
                Fork.run(rounds, AT_MOST, List.of(), Starts.class, List.of(contender.name()));
                milliseconds
                        .computeIfAbsent(contender, each -> new ArrayList<>())
                        .add(watch.spent().seconds() * 1_000);
            }
        }
        report.say("%nStart of an application with one entity, in milliseconds: medians");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "process", "its CPU time", "SessionFactory"));
        for (Contender contender : CONTENDERS) {
            rows.add(List.of(
                    contender.label,
                    number(median(milliseconds.get(contender))),
                    number(1_000 / rounds.cpuRate(contender.name())),
                    number(1_000 / rounds.rate(contender.name()))));
        }
        report.table(rows);
        for (Contender ours : OURS) {
            String name = "start_" + ours.name().toLowerCase(Locale.ROOT);
            double more = median(differences(milliseconds.get(ours), milliseconds.get(Contender.SEQUENCE50)));
            boolean isJudged = ours == Contender.SEQUENCE_TABLE;
            value(report, name + "_ms_above_sequence", more, isJudged, 80);
            value(report, name + "_classes", classes(ours, false), isJudged, 300);
            report.value(name + "_lambdas", classes(ours, true));
        }
    }

    private static void value(Report report, String name, double value, boolean isJudged, double most) {
        if (isJudged) {
            report.value(name, value, Bar.atMost(most));
        } else {
            report.value(name, value);
        }
    }

    private static List<Double> differences(List<Double> some, List<Double> others) {
        List<Double> differences = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            differences.add(some.get(i) - others.get(i));
        }
        return differences;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static String number(double milliseconds) {
        return String.format(Locale.ROOT, "%.0f", milliseconds);
    }

    /** How many classes of the library a start loads, of its source or for lambdas. */
    private static int classes(Contender contender, boolean ofLambdas) throws IOException, InterruptedException {
        AtomicInteger count = new AtomicInteger();
        Fork.lines(
                Path.of(System.getProperty("java.home")),
                AT_MOST,
                List.of("-Xlog:class+load=info:stdout:none"),
                Starts.class,
                List.of(contender.name()),
                line -> count.addAndGet(line.startsWith(CLASSES) && line.contains(LAMBDA) == ofLambdas ? 1 : 0));
        return count.get();
    }

    /** A new JVM: the name of a contender. */
    public static void main(String[] args) throws IOException {
        Logs.quiet();
        Contender contender = Contender.valueOf(args[0]);
        Stopwatch watch = new Stopwatch();
        try (Persister persister = new Persister(contender, Database.h2())) {
            double seconds = watch.spent().seconds();
            persister.persistOne();
            double cpuSeconds = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                            .getProcessCpuTime()
                    / 1e9;
            Fork.print(contender.name(), new Rate(1 / seconds, 1 / cpuSeconds));
        }
    }
}
