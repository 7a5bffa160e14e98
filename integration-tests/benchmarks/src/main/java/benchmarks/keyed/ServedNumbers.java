package benchmarks.keyed;

import benchmarks.Bar;
import benchmarks.Chart;
import benchmarks.Chart.Side;
import benchmarks.Fork;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.http.Load;
import benchmarks.http.Server;
import benchmarks.http.ServerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Numbers per key from the memory of the issuing service: what one costs, and how long its moves take. */
final class ServedNumbers {

    private static final List<String> HEAP = List.of("-Xmx1g");

    /** How long keys may have no numbers: after a start or a stop, and after the lease of a server that was killed. */
    private static final double MOST_MILLIS = 1_000;

    /** The default of the setting. */
    private static final double LEASE_MILLIS = 5_000;

    private ServedNumbers() {}

    static void requests(Report report, Chart chart, boolean quick) throws Exception {
        Rounds rounds = new Rounds();
        int warmUp = quick ? 3 : 6;
        int time = quick ? 15 : 25;
        for (int fork = 0; fork < (quick ? 1 : 4); fork++) {
            try (Server single = Server.start(ServerCommand.ids(List.of(ServedTurns.SEQUENCE), List.of()));
                    Server keyed = Server.start(KeyedServer.alone())) {
                List<String> arguments = List.of(
                        Integer.toString(fork),
                        Integer.toString(warmUp),
                        Integer.toString(time),
                        quick ? "6" : "8",
                        single.target().text(),
                        keyed.target().text());
                Duration most = Duration.ofSeconds(2L * Load.LONGEST_WARM_UP * warmUp + time);
                Fork.run(rounds, most, HEAP, ServedTurns.class, arguments, line -> report.say("%s", line));
            }
        }
        report.say("%nanswers per second of the issuing service, 32 connections, flat out");
        report.table(List.of(
                List.of("", "by the clock", "of the server's CPU time"),
                row(rounds, "number of a key", ServedTurns.NUMBER),
                row(rounds, "single id", ServedTurns.SINGLE)));
        report.ratio("keyed_served_vs_single", rounds.ratio(ServedTurns.NUMBER, ServedTurns.SINGLE), Bar.ofCpu(0.8));
        chart.panel("Answers over HTTP, thousand per second of the server's CPU time");
        bar(chart, rounds, "issuing service, number of a key", ServedTurns.NUMBER, Side.OURS);
        bar(chart, rounds, "issuing service, single id", ServedTurns.SINGLE, Side.OTHER);
    }

    private static List<String> row(Rounds rounds, String label, String contender) {
        return List.of(label, number(rounds.rate(contender)), number(rounds.cpuRate(contender)));
    }

    private static String number(double rate) {
        return String.format(Locale.ROOT, "%,.0f", rate);
    }

    private static void bar(Chart chart, Rounds rounds, String label, String contender, Side side) {
        double rate = rounds.cpuRate(contender);
        chart.bar(label, rate, number(rate / 1000), side);
    }

    static void moves(Report report, boolean quick) throws Exception {
        List<SectionMoves.Times> all = SectionMoves.measure(quick ? 1 : 3);
        report.say(
                "%nmilliseconds until all of %,d sections give numbers, store on a durable MySQL",
                SectionMoves.SECTIONS);
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "least", "most"));
        rows.add(row(all, "stopped and started again, from when it listens", SectionMoves.Times::restart));
        rows.add(row(all, "the same, from SIGTERM", SectionMoves.Times::whole));
        rows.add(row(all, "another server, from SIGTERM to the owner", SectionMoves.Times::afterTerm));
        rows.add(row(all, "the same, from when the owner has stopped", SectionMoves.Times::afterStop));
        rows.add(row(all, "another server, from SIGKILL to the owner", SectionMoves.Times::afterKill));
        report.table(rows);
        judge(report, "keyed_restart_1000_sections_ms", most(all, SectionMoves.Times::restart));
        judge(report, "keyed_takeover_after_stop_ms", most(all, SectionMoves.Times::afterStop));
        judge(
                report,
                "keyed_takeover_after_kill_ms_minus_lease",
                most(all, SectionMoves.Times::afterKill) - LEASE_MILLIS);
    }

    private static List<String> row(
            List<SectionMoves.Times> all, String label, ToDoubleFunction<SectionMoves.Times> time) {
        return List.of(label, number(all.stream().mapToDouble(time).min().orElseThrow()), number(most(all, time)));
    }

    private static double most(List<SectionMoves.Times> all, ToDoubleFunction<SectionMoves.Times> time) {
        return all.stream().mapToDouble(time).max().orElseThrow();
    }

    private static void judge(Report report, String name, double millis) {
        report.value(name, millis, Bar.atMost(MOST_MILLIS));
    }
}
