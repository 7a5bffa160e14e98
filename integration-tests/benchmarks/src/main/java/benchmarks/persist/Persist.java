package benchmarks.persist;

import benchmarks.Bar;
import benchmarks.Budget;
import benchmarks.Chart;
import benchmarks.Fork;
import benchmarks.Group;
import benchmarks.Logs;
import benchmarks.Ratio;
import benchmarks.Report;
import benchmarks.Rounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How fast Hibernate persists entities with ids of each kind, in one transaction with JDBC batches. On H2 in memory in
 * entities per second of CPU time, which shows what a generator costs; on a durable MySQL per second, which shows what
 * its round trips and commits cost.
 */
public final class Persist implements Group {

    /** Enough for a transaction that is much longer than its beginning and its commit. */
    private static final int ENTITIES = 100_000;

    /** Transactions in a turn on H2: the JVM reads CPU time in steps of 10 ms. */
    private static final int CPU_TURN = 2;

    /** The backends beside the cheapest generators that there can be, without and with the time. */
    private static final List<Contender> BACKENDS =
            List.of(Contender.ATOMIC, Contender.CLOCK, Contender.SEQUENCE_TABLE, Contender.TICKET, Contender.SNOWFLAKE);

    /** Of a forked JVM. What it compiles well by luck makes one percent: there are several, with few rounds each. */
    private static final Duration ROUNDS = Duration.ofSeconds(90);

    /** With its start, and on a busy machine. */
    private static final Duration FORK = Duration.ofMinutes(6);

    private static final int WARM_UP = 2;

    private static final List<Contender> REMOTE = List.of(Contender.ATOMIC, Contender.REMOTE);

    @Override
    public String name() {
        return "persist";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Persisting entities with Hibernate, thousand per second",
                "One transaction, JDBC batches of 50. Medians of alternating rounds.");
        h2(report, chart, quick);
        mySql(report, chart, quick);
        report.chart(chart);
    }

    private static void h2(Report report, Chart chart, boolean quick) throws Exception {
        List<Contender> all = Arrays.stream(Contender.values())
                .filter(contender -> contender != Contender.REMOTE)
                .toList();
        try (Database database = Database.h2();
                Turns turns = new Turns(database, all, ENTITIES, CPU_TURN, line -> report.say("%s", line))) {
            Rounds others = turns.measure(all, 1, quick ? 2 : 15);
            show(report, chart, "H2 in memory, per second of CPU time", others, others::cpuRate);
            informative(report, "persist_h2", others);
        }
        Rounds backends = forks(quick ? 3 : 8, quick ? 3 : 6, "");
        report.ratio("persist_h2_vs_atomic", ours(backends, Contender.ATOMIC), Bar.ofCpu(0.95));
        report.ratio("persist_h2_ticket_vs_atomic", ratio(backends, Contender.TICKET, Contender.ATOMIC));
        report.ratio(
                "persist_h2_snowflake_vs_atomic",
                ratio(backends, Contender.SNOWFLAKE, Contender.ATOMIC),
                Bar.ofCpu(0.95));
        report.ratio(
                "persist_h2_snowflake_vs_clock",
                ratio(backends, Contender.SNOWFLAKE, Contender.CLOCK),
                Bar.ofCpu(0.98));
    }

    /**
     * Entities on H2 with ids of an issuing service, beside those with the cheapest generator.
     *
     * @param service its address; it gives ids of the sequence {@value Rows#TABLE}
     */
    public static Ratio remote(String service, boolean quick) throws IOException, InterruptedException {
        return ratio(forks(quick ? 3 : 10, quick ? 3 : 6, service), Contender.REMOTE, Contender.ATOMIC);
    }

    private static Rounds forks(int count, int rounds, String service) throws IOException, InterruptedException {
        Rounds measured = new Rounds();
        for (int fork = 0; fork < count; fork++) {
            List<String> arguments = List.of(Integer.toString(fork), Integer.toString(rounds), service);
            Fork.run(measured, FORK, List.of(), Persist.class, arguments);
        }
        return measured;
    }

    /** A forked JVM: number of the fork, rounds, address of an issuing service or empty. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        List<Contender> contenders = args[2].isEmpty() ? BACKENDS : REMOTE;
        try (Database database = Database.h2(args[2]);
                Turns turns = new Turns(database, contenders, ENTITIES, CPU_TURN, System.err::println)) {
            turns.measure(
                    contenders,
                    WARM_UP,
                    new Budget(ROUNDS, WARM_UP + 2, WARM_UP + Integer.parseInt(args[1])),
                    Long.parseLong(args[0]),
                    (contender, rate) -> Fork.print(contender.name(), rate));
        }
        System.exit(0);
    }

    private static void mySql(Report report, Chart chart, boolean quick) throws Exception {
        List<Contender> all = Arrays.stream(Contender.values())
                .filter(contender -> contender != Contender.SEQUENCE50
                        && contender != Contender.CLOCK
                        && contender != Contender.REMOTE)
                .toList();
        List<Contender> rivals = List.of(Contender.SEQUENCE_TABLE, Contender.TABLE50, Contender.IDENTITY);
        try (Database database = Database.mySql();
                Turns turns =
                        new Turns(database, all, quick ? ENTITIES / 2 : ENTITIES, 1, line -> report.say("%s", line))) {
            Rounds others = turns.measure(all, 1, quick ? 2 : 7);
            Rounds measured = turns.measure(rivals, 0, quick ? 5 : 20);
            Rounds nearest = turns.measure(List.of(Contender.ATOMIC, Contender.SEQUENCE_TABLE), 0, quick ? 16 : 40);
            show(report, chart, "MySQL 8.0, durable, rewriteBatchedStatements=true for all", others, others::rate);
            report.ratio("persist_mysql_vs_atomic", ours(nearest, Contender.ATOMIC), Bar.ofWall(0.95));
            report.ratio("persist_mysql_vs_table50", ours(measured, Contender.TABLE50), Bar.ofWall(1.7));
            report.ratio(
                    "persist_mysql_vs_identity",
                    ours(measured, Contender.IDENTITY),
                    Bar.notJudged(6, "the disk: IDENTITY has a round trip for each row"));
            informative(report, "persist_mysql", others);
            report.ratio("persist_mysql_ticket_vs_atomic", ratio(others, Contender.TICKET, Contender.ATOMIC));
            report.ratio("persist_mysql_snowflake_vs_atomic", ratio(others, Contender.SNOWFLAKE, Contender.ATOMIC));
        }
    }

    private static Ratio ours(Rounds rounds, Contender other) {
        return ratio(rounds, Contender.SEQUENCE_TABLE, other);
    }

    private static Ratio ratio(Rounds rounds, Contender contender, Contender other) {
        return rounds.ratio(contender.name(), other.name());
    }

    private static void informative(Report report, String prefix, Rounds rounds) {
        for (Contender other : List.of(Contender.ASSIGNED, Contender.UUID7, Contender.TSID)) {
            if (rounds.has(other.name())) {
                report.ratio(prefix + "_vs_" + other.name().toLowerCase(Locale.ROOT), ours(rounds, other));
            }
        }
    }

    private static void show(Report report, Chart chart, String title, Rounds rounds, ToDoubleFunction<String> rateOf) {
        report.say("%n%s: entities per second", title);
        chart.panel(title);
        List<List<String>> rows = new ArrayList<>();
        Map<Contender, Double> rates = new EnumMap<>(Contender.class);
        for (Contender contender : Contender.values()) {
            if (rounds.has(contender.name())) {
                rates.put(contender, rateOf.applyAsDouble(contender.name()));
            }
        }
        rates.forEach((contender, rate) -> {
            rows.add(List.of(contender.label, String.format(Locale.ROOT, "%,.0f", rate)));
            chart.bar(contender.label, rate, String.format(Locale.ROOT, "%.0f", rate / 1000), contender.side());
        });
        report.table(rows);
    }
}
