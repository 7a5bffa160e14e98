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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the integrations cost: rows for each second of CPU time of a mapper whose ids come from the library, beside the
 * same mapper with ids that the application assigns. All on H2 in memory, with batches of 50 where the mapper has them.
 * Each mapper has JVMs of its own, with a class path that the other benchmarks don't see.
 */
public final class Integrations implements Group {

    private static final String CLASS_PATH =
            ServerCommand.HOME.resolve("mappers/target/mappers/*").toString();

    private static final String MAIN = "contender.Mappers";

    private static final List<String> HEAP = List.of("-Xmx1g");

    private static final double BAR = 0.95;

    /** Names in the lines, and in the charts. */
    private static final Map<String, String> MAPPERS = mappers();

    private static Map<String, String> mappers() {
        Map<String, String> mappers = new LinkedHashMap<>();
        mappers.put("jdbc", "JDBC, no mapper");
        mappers.put("eclipselink", "EclipseLink");
        mappers.put("springdata", "Spring Data JDBC");
        mappers.put("r2dbc", "Spring Data R2DBC, row by row");
        mappers.put("mybatis", "MyBatis");
        mappers.put("mybatisplus", "MyBatis-Plus");
        mappers.put("jooq", "jOOQ");
        return mappers;
    }

    @Override
    public String name() {
        return "integrations";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Storing rows with other mappers, thousand per second of CPU time",
                "One transaction on H2 in memory, batches of 50. Medians of alternating rounds.");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("thousand rows per second of CPU time", "ids of the library", "assigned ids"));
        for (Map.Entry<String, String> mapper : MAPPERS.entrySet()) {
            Rounds rounds = measure(mapper.getKey(), quick);
            double ours = rounds.cpuRate("OURS");
            double assigned = rounds.cpuRate("ASSIGNED");
            rows.add(List.of(mapper.getValue(), thousands(ours), thousands(assigned)));
            chart.panel(mapper.getValue());
            chart.bar("ids of the library", ours, thousands(ours), Side.OURS);
            chart.bar("assigned ids", assigned, thousands(assigned), Side.OTHER);
            report.ratio(
                    "persist_" + mapper.getKey() + "_vs_assigned", rounds.ratio("OURS", "ASSIGNED"), Bar.ofCpu(BAR));
        }
        report.table(rows);
        report.chart(chart);
    }

    private static Rounds measure(String mapper, boolean quick) throws IOException, InterruptedException {
        Rounds rounds = new Rounds();
        int seconds = quick ? 10 : 25;
        for (int fork = 0; fork < (quick ? 2 : 5); fork++) {
            List<String> arguments = List.of(mapper, Integer.toString(fork), Integer.toString(seconds), "12");
            Fork.run(rounds, Duration.ofSeconds(seconds), HEAP, CLASS_PATH, MAIN, arguments);
        }
        return rounds;
    }

    private static String thousands(double rate) {
        return String.format(Locale.ROOT, "%.0f", rate / 1_000);
    }
}
