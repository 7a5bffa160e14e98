package benchmarks.service;

import benchmarks.Bar;
import benchmarks.Chart;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.Ratio;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.http.Load;
import benchmarks.http.Server;
import benchmarks.persist.Persist;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The issuing service: what an id costs the server, beside the least that it can cost with the same library, and beside
 * Spring Boot; and what its client costs the application. Servers and the JVM that sends requests are processes of
 * their own, on the loopback address.
 */
public final class Service implements Group {

    private static final List<String> MEMORY = List.of("-Xmx1g");

    /** For clients that take millions of ids a second. Blocks live half as long as those of clients. */
    private static final List<String> LARGE_BLOCKS =
            List.of("distributedid.block.max=10000000", "distributedid.block.max_age=5s");

    @Override
    public String name() {
        return "service";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        requests(report, quick);
        remote(report, quick);
    }

    private static void requests(Report report, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        int forks = quick ? 1 : 4;
        int warmUp = quick ? 4 : 6;
        int time = quick ? 30 : 60;
        for (int fork = 0; fork < forks; fork++) {
            int schedule = fork < forks - 1 ? 0 : quick ? 3 : 8;
            List<String> arguments = new ArrayList<>(List.of(
                    Integer.toString(fork),
                    Integer.toString(warmUp),
                    Integer.toString(time),
                    quick ? "6" : "8",
                    Integer.toString(schedule)));
            Duration most = Duration.ofSeconds((long) Load.LONGEST_WARM_UP * warmUp * Contender.values().length
                    + time
                    + (long) schedule * Program.values().length);
            try (Servers servers = new Servers()) {
                servers.targets().forEach(target -> arguments.add(target.text()));
                Fork.run(rounds, most, MEMORY, Turns.class, arguments, line -> report.say("%s", line));
            }
        }
        table(report, rounds);
        report.chart(chart(rounds));
        report.ratio("service_single_vs_bare", ratio(rounds, Contender.SINGLE, Contender.BARE), Bar.ofCpu(0.8));
        report.ratio("service_single_vs_spring", ratio(rounds, Contender.SINGLE, Contender.SPRING), Bar.ofCpu(1.5));
        report.ratio(
                "service_single_vs_20k",
                rounds.ratio(Contender.SINGLE.name(), Turns.COURSE),
                Bar.notJudged(1, "the processor, and by the one that the course had in mind"));
        report.ratio("service_batch100_vs_single", ratio(rounds, Contender.BATCH100, Contender.SINGLE), Bar.ofCpu(30));
    }

    private static Ratio ratio(Rounds rounds, Contender contender, Contender other) {
        return rounds.ratio(contender.name(), other.name());
    }

    private static void table(Report report, Rounds rounds) {
        report.say("%nids per second, 32 connections, flat out");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "by the clock", "of the server's CPU time", "processors of the server"));
        for (Contender contender : Contender.values()) {
            double wall = rounds.rate(contender.name());
            double cpu = rounds.cpuRate(contender.name());
            rows.add(List.of(
                    contender.label,
                    String.format(Locale.ROOT, "%,.0f", wall),
                    String.format(Locale.ROOT, "%,.0f", cpu),
                    String.format(Locale.ROOT, "%.2f", wall / cpu)));
        }
        report.table(rows);
    }

    private static Chart chart(Rounds rounds) {
        Chart chart = new Chart(
                "Ids over HTTP, thousand per second of the server's CPU time",
                "32 connections on the loopback address, flat out. Medians of alternating turns.");
        chart.panel("One id a request");
        for (Contender contender : List.of(Contender.SPRING, Contender.SINGLE, Contender.BARE)) {
            bar(chart, rounds, contender);
        }
        chart.panel("A hundred ids a request");
        bar(chart, rounds, Contender.BATCH100);
        return chart;
    }

    private static void bar(Chart chart, Rounds rounds, Contender contender) {
        double rate = rounds.cpuRate(contender.name());
        chart.bar(contender.label, rate, String.format(Locale.ROOT, "%,.0f", rate / 1000), contender.side());
    }

    private static void remote(Report report, boolean quick) throws Exception {
        try (Server service = Server.start(Program.SERVICE.command(LARGE_BLOCKS))) {
            Rounds rounds = new Rounds();
            int time = 25;
            for (int fork = 0; fork < (quick ? 1 : 5); fork++) {
                List<String> arguments = List.of(Integer.toString(fork), Integer.toString(time), "12", service.url());
                Fork.run(rounds, Duration.ofSeconds(time), MEMORY, RemoteHandOut.class, arguments);
            }
            report.say(
                    "%nids per microsecond from the block buffer: %.1f over the service, %.1f with blocks of at most"
                            + " 100,000 ids, %.1f over a source in memory",
                    rounds.rate(RemoteHandOut.REMOTE) / 1e6,
                    rounds.rate(RemoteHandOut.REMOTE_DEFAULT) / 1e6,
                    rounds.rate(RemoteHandOut.LOCAL) / 1e6);
            report.ratio(
                    "remote_block_vs_local", rounds.ratio(RemoteHandOut.REMOTE, RemoteHandOut.LOCAL), Bar.ofWall(0.8));
            report.ratio(
                    "remote_default_block_vs_local", rounds.ratio(RemoteHandOut.REMOTE_DEFAULT, RemoteHandOut.LOCAL));
            report.ratio("persist_h2_remote_vs_atomic", Persist.remote(service.url(), quick), Bar.ofCpu(0.95));
        }
    }
}
