package benchmarks.persist;

import benchmarks.Chart;
import benchmarks.Group;
import benchmarks.Report;
import benchmarks.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How fast Hibernate persists entities with ids of each kind, in one transaction with JDBC batches. On H2 in memory in entities per
 * second of CPU time, which shows what a generator costs; on a durable MySQL per second, which shows what its round trips and
 * commits cost.
 */
public final class Persist implements Group {

    /** Enough for a transaction that is much longer than its beginning and its commit. */
    private static final int ENTITIES = 100_000;

    /** Transactions in a turn on H2: the JVM reads CPU time in steps of 10 ms. */
    private static final int CPU_TURN = 2;

    @Override
    public String name() {
        return "persist";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Chart chart = new Chart(
                "Persisting entities with Hibernate, thousand per second",
                "One transaction, JDBC batches of 50. Medians of alternating rounds on two cores shared with other machines.",
                "Drawn by a run of the benchmarks (group persist).");
        h2(report, chart, quick);
        mySql(report, chart, quick);
        report.chart(chart);
    }

    private static void h2(Report report, Chart chart, boolean quick) {
        List<Contender> all = List.of(Contender.values());
        try (Database database = Database.h2();
                Turns turns = new Turns(database, all, ENTITIES, CPU_TURN, Persister.Spent::cpuSeconds, report)) {
            Rounds others = turns.measure(all, 2, quick ? 4 : 15);
            Rounds rivals = turns.measure(List.of(Contender.ATOMIC, Contender.SEQUENCE_TABLE), 1, quick ? 14 : 40);
            show(report, chart, "H2 in memory, per second of CPU time", others);
            report.ratio("persist_h2_vs_atomic", ours(rivals, Contender.ATOMIC), 0.95);
            informative(report, "persist_h2", others);
        }
    }

    private static void mySql(Report report, Chart chart, boolean quick) throws Exception {
        List<Contender> all = Arrays.stream(Contender.values())
                .filter(contender -> contender != Contender.SEQUENCE50)
                .toList();
        List<Contender> rivals = List.of(Contender.SEQUENCE_TABLE, Contender.TABLE50, Contender.IDENTITY);
        try (Database database = Database.mySql();
                Turns turns = new Turns(
                        database, all, quick ? ENTITIES / 2 : ENTITIES, 1, Persister.Spent::seconds, report)) {
            Rounds others = turns.measure(all, 1, quick ? 2 : 7);
            Rounds measured = turns.measure(rivals, 0, quick ? 5 : 20);
            Rounds nearest = turns.measure(List.of(Contender.ATOMIC, Contender.SEQUENCE_TABLE), 0, quick ? 16 : 40);
            show(report, chart, "MySQL 8.0, durable, rewriteBatchedStatements=true for all", others);
            report.ratio("persist_mysql_vs_atomic", ours(nearest, Contender.ATOMIC), 0.95);
            report.ratio("persist_mysql_vs_table50", ours(measured, Contender.TABLE50), 1.7);
            report.ratio("persist_mysql_vs_identity", ours(measured, Contender.IDENTITY), 6);
            informative(report, "persist_mysql", others);
        }
    }

    private static double ours(Rounds rounds, Contender other) {
        return rounds.ratio(Contender.SEQUENCE_TABLE.name(), other.name());
    }

    private static void informative(Report report, String prefix, Rounds rounds) {
        for (Contender other : List.of(Contender.ASSIGNED, Contender.UUID7, Contender.TSID)) {
            if (rounds.has(other.name())) {
                report.ratio(prefix + "_vs_" + other.name().toLowerCase(Locale.ROOT), ours(rounds, other));
            }
        }
        report.ratio(prefix + "_ticket_vs_atomic", rounds.ratio(Contender.TICKET.name(), Contender.ATOMIC.name()));
        report.ratio(
                prefix + "_snowflake_vs_atomic", rounds.ratio(Contender.SNOWFLAKE.name(), Contender.ATOMIC.name()));
    }

    private static void show(Report report, Chart chart, String title, Rounds rounds) {
        report.say("%n%s: entities per second", title);
        chart.panel(title);
        List<List<String>> rows = new ArrayList<>();
        Map<Contender, Double> rates = new EnumMap<>(Contender.class);
        for (Contender contender : Contender.values()) {
            if (rounds.has(contender.name())) {
                rates.put(contender, rounds.rate(contender.name()));
            }
        }
        rates.forEach((contender, rate) -> {
            rows.add(List.of(contender.label, String.format(Locale.ROOT, "%,.0f", rate)));
            chart.bar(contender.label, rate, String.format(Locale.ROOT, "%.0f", rate / 1000), contender.side());
        });
        report.table(rows);
    }
}
