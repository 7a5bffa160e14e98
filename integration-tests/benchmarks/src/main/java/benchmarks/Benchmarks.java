package benchmarks;

import benchmarks.blocks.Blocks;
import benchmarks.keys.Keys;
import benchmarks.persist.Persist;
import benchmarks.snowflake.Snowflake;
import benchmarks.ticket.Ticket;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.LogManager;

/**
 * Runs the group named by the system property {@code bench}, or all. With {@code bench.quick} each ends within three minutes; charts go
 * to the folder {@code bench.charts}.
 */
public final class Benchmarks {

    private static final List<Group> GROUPS =
            List.of(new Blocks(), new Persist(), new Keys(), new Ticket(), new Snowflake());

    private Benchmarks() {}

    /** Fails if there is no such group. */
    public static void main(String[] args) throws Exception {
        try (InputStream logging = Benchmarks.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(logging);
        }
        String wanted = System.getProperty("bench", "all");
        boolean quick = Boolean.getBoolean("bench.quick");
        Path charts = Path.of(System.getProperty("bench.charts", "charts"));
        List<Group> chosen = GROUPS.stream()
                .filter(group -> wanted.equals("all") || wanted.equals(group.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("No such group: bench=" + wanted + ", allowed: all, "
                    + String.join(", ", GROUPS.stream().map(Group::name).toList()));
        }
        for (Group group : chosen) {
            run(group, new Report(group.name(), charts), quick);
        }
        // CosId and Hibernate's pool leave threads behind.
        System.exit(0);
    }

    private static void run(Group group, Report report, boolean quick) throws Exception {
        long start = System.nanoTime();
        report.say(
                "%n== %s%s, on %d processors, Java %s ==", group.name(), quick ? " (quick)" : "", processors(), java());
        group.run(report, quick);
        report.ratios();
        report.say("%s took %d s", group.name(), (System.nanoTime() - start) / 1_000_000_000);
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static String java() {
        return System.getProperty("java.version");
    }
}
