package benchmarks.integrations;

import benchmarks.Bar;
import benchmarks.Chart;
import benchmarks.Chart.Side;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.http.ServerCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the integrations cost: rows for each second of CPU time of a mapper whose ids come from the library, beside the
 * same mapper with ids that the application assigns. With batches of 50 where the mapper has them. Hibernate Reactive
 * stores its rows in PostgreSQL, the others in H2 in memory. Each mapper has JVMs of its own, with a class path that
 * the other benchmarks don't see.
 */
public final class Integrations implements Group {

    /**
     * Each turn begins with an empty heap of the same size, and one thread collects. G1 shrinks and grows the heap in
     * between, and its threads spin if they don't get their processors.
     */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g", "-Xmn640m", "-XX:+UseSerialGC");

    private static final double BAR = 0.95;

    private static final String ROUNDS = "12";

    private static final List<Contender> CONTENDERS = List.of(
            Contender.mapper("jdbc", "JDBC, no mapper"),
            Contender.mapper("eclipselink", "EclipseLink"),
            Contender.mapper("springdata", "Spring Data JDBC"),
            Contender.mapper("r2dbc", "Spring Data R2DBC, row by row"),
            Contender.mapper("mybatis", "MyBatis"),
            Contender.mapper("mybatisplus", "MyBatis-Plus"),
            Contender.mapper("jooq", "jOOQ"),
            new Contender("reactive", "Hibernate Reactive, PostgreSQL", "reactive", "contender.Reactive", List.of()));

    /**
     * A mapper.
     *
     * @param name in the lines
     * @param title in tables and charts
     * @param project where it was built
     * @param main takes seed, seconds and rounds
     * @param more what else it takes
     */
    private record Contender(String name, String title, String project, String main, List<String> more) {

        static Contender mapper(String name, String title) {
            return new Contender(name, title, "mappers", "contender.Mappers", List.of(name));
        }

        String classPath() {
            return ServerCommand.HOME
                    .resolve(project + "/target/" + project + "/*")
                    .toString();
        }

        List<String> arguments(int seed, int seconds) {
            List<String> arguments =
                    new ArrayList<>(List.of(Integer.toString(seed), Integer.toString(seconds), ROUNDS));
            arguments.addAll(more);
            return arguments;
        }
    }

    @Override
    public String name() {
        return "integrations";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Storing rows with other mappers, thousand per second of CPU time",
                "One transaction on H2 in memory or on PostgreSQL, batches of 50. Medians of alternating rounds.");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("thousand rows per second of CPU time", "ids of the library", "assigned ids"));
        for (Contender mapper : CONTENDERS) {
            Rounds rounds = measure(mapper, quick);
            double ours = rounds.cpuRate("OURS");
            double assigned = rounds.cpuRate("ASSIGNED");
            rows.add(List.of(mapper.title(), thousands(ours), thousands(assigned)));
            chart.panel(mapper.title());
            chart.bar("ids of the library", ours, thousands(ours), Side.OURS);
            chart.bar("assigned ids", assigned, thousands(assigned), Side.OTHER);
            report.ratio("persist_" + mapper.name() + "_vs_assigned", rounds.ratio("OURS", "ASSIGNED"), Bar.ofCpu(BAR));
        }
        report.table(rows);
        report.chart(chart);
    }

    private static Rounds measure(Contender mapper, boolean quick) throws IOException, InterruptedException {
        Rounds rounds = new Rounds();
        int seconds = quick ? 10 : 25;
        for (int fork = 0; fork < (quick ? 2 : 5); fork++) {
            Fork.run(
                    rounds,
                    Duration.ofSeconds(seconds),
                    HEAP,
                    mapper.classPath(),
                    mapper.main(),
                    mapper.arguments(fork, seconds));
        }
        return rounds;
    }

    private static String thousands(double rate) {
        return String.format(Locale.ROOT, "%.0f", rate / 1_000);
    }
}
