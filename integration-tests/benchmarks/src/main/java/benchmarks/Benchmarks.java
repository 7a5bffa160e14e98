package benchmarks;

import benchmarks.blocks.Blocks;
import benchmarks.capacity.Capacity;
import benchmarks.integrations.Integrations;
import benchmarks.keyed.Keyed;
import benchmarks.keys.Keys;
import benchmarks.persist.Persist;
import benchmarks.persist.Starts;
import benchmarks.redis.Redis;
import benchmarks.scale.ManySequences;
import benchmarks.service.Service;
import benchmarks.snowflake.Snowflake;
import benchmarks.ticket.Ticket;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the group named by the system property {@code bench}, or all. With {@code bench.quick} each ends within three
 * minutes; charts go to the folder {@code bench.charts}. Ends with status 1 if a judged bar was missed.
 */
public final class Benchmarks {

    private static final List<Group> GROUPS = List.of(
            new Blocks(),
            new Persist(),
            new Starts(),
            new Keys(),
            new Ticket(),
            new Redis(),
            new Snowflake(),
            new ManySequences(),
            new Capacity(),
            new Service(),
            new Keyed(),
            new Integrations());

    private Benchmarks() {}

    /** Fails if there is no such group. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
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
        // CosId and Hibernate's pool leave threads behind.
        System.exit(run(chosen, charts, quick, System.out));
    }

    /** Runs all of them, whatever one misses, and returns the status of the process. */
    static int run(List<Group> groups, Path charts, boolean quick, PrintStream out) throws Exception {
        String machine = Machine.text();
        List<String> missed = new ArrayList<>();
        for (Group group : groups) {
            String origin = "Group " + group.name() + (quick ? ", quick run: " : ", full run: ") + machine + ".";
            Report report = new Report(group.name(), charts, origin, out);
            long start = System.nanoTime();
            report.say("%n== %s%s: %s ==", group.name(), quick ? " (quick)" : "", machine);
            group.run(report, quick);
            report.ratios();
            report.say("%s took %d s", group.name(), (System.nanoTime() - start) / 1_000_000_000);
            missed.addAll(report.missed());
        }
        missed.forEach(line -> out.println("MISSED " + line));
        return missed.isEmpty() ? 0 : 1;
    }
}
