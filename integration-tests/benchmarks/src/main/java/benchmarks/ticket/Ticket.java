package benchmarks.ticket;

import benchmarks.Bar;
import benchmarks.Budget;
import benchmarks.Chart;
import benchmarks.Group;
import benchmarks.Order;
import benchmarks.Ratio;
import benchmarks.Report;
import benchmarks.Rounds;
import benchmarks.TripsPerBlock;
import io.distributedid.BlockStatistics;
import io.distributedid.SequenceStatistics;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Ids from a durable MySQL server: ours in blocks beside Flickr's statement and others that take a round trip, or two,
 * and a commit for each id. Callers do nothing but take ids and note that none comes twice. All numbers of threads and
 * all contenders take their turns within each round.
 */
public final class Ticket implements Group {

    private static final List<Integer> THREADS = List.of(1, 8, 32);

    /** How many times Flickr's ids per second ours have to be; no bar for eight threads. */
    private static final Map<Integer, Double> BARS = Map.of(1, 300.0, 32, 500.0);

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Map<Integer, Rounds> rounds = new LinkedHashMap<>();
        Map<Integer, Map<Contender, Tally>> tallies = new LinkedHashMap<>();
        for (int threads : THREADS) {
            rounds.put(threads, new Rounds());
            tallies.put(threads, new EnumMap<>(Contender.class));
        }
        try (Turns turns = new Turns(Collections.max(THREADS), Duration.ofMillis(quick ? 750 : 1_500))) {
            Order<Contender> order = new Order<>(List.of(Contender.values()), 0);
            Budget budget =
                    quick ? new Budget(Duration.ofSeconds(110), 2, 5) : new Budget(Duration.ofMinutes(6), 3, 10);
            while (budget.begins()) {
                List<Contender> contenders = order.next();
                for (int threads : THREADS) {
                    for (Contender contender : contenders) {
                        Tally tally = tallies.get(threads).computeIfAbsent(contender, first -> new Tally());
                        rounds.get(threads).add(contender.name(), turns.take(contender, threads, tally));
                    }
                }
            }
            report.say("one durable MySQL for all, a second one for the pair; ids per second are medians of turns");
            report.table(table(rounds, tallies));
            fetches(report, "one server", turns.statistics(Contender.BLOCK));
            fetches(report, "a pair", turns.statistics(Contender.PAIR));
        }
        report.chart(chart(rounds));
        ratios(report, rounds);
        TripsPerBlock.ofTickets(report);
    }

    private static List<List<String>> table(Map<Integer, Rounds> rounds, Map<Integer, Map<Contender, Tally>> tallies) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "",
                "threads",
                "ids/s",
                "ids, none twice",
                "deadlocks: server",
                "told to callers",
                "round trips an id"));
        for (Contender contender : Contender.values()) {
            for (int threads : THREADS) {
                Tally tally = tallies.get(threads).get(contender);
                rows.add(List.of(
                        contender.label,
                        Integer.toString(threads),
                        number(rounds.get(threads).rate(contender.name())),
                        number(tally.ids()),
                        number(tally.deadlocks()),
                        number(tally.deadlocksTold()),
                        String.format(Locale.ROOT, "%.2g", tally.statementsPerId())));
            }
        }
        return rows;
    }

    private static void fetches(Report report, String name, SequenceStatistics statistics) {
        BlockStatistics blocks = statistics.blocks().orElseThrow();
        report.say(
                "ours, %s: %,d blocks of %,d ids on average, %d failed; %,d ids dropped; %,d calls waited for a block",
                name,
                blocks.fetched(),
                blocks.reserved() / blocks.fetched(),
                blocks.failedFetches(),
                blocks.dropped(),
                statistics.waits());
    }

    private static Chart chart(Map<Integer, Rounds> rounds) {
        Chart chart = new Chart(
                        "Ids per second from a durable MySQL 8.0 server (logarithmic)",
                        "Threads that do nothing else; ours come in blocks, the others one by one, from the same"
                                + " server. Medians of alternating",
                        "turns.")
                .logarithmic();
        rounds.forEach((threads, rates) -> {
            chart.panel(threads == 1 ? "1 thread" : threads + " threads");
            for (Contender contender : Contender.values()) {
                double rate = rates.rate(contender.name());
                chart.bar(contender.label, rate, number(rounded(rate)), contender.side());
            }
        });
        return chart;
    }

    private static void ratios(Report report, Map<Integer, Rounds> rounds) {
        for (Contender other : Contender.values()) {
            rounds.forEach((threads, rates) -> {
                Ratio ratio = rates.ratio(Contender.BLOCK.name(), other.name());
                String name = "ticket_block_vs_" + other.key() + "_" + threads;
                if (other == Contender.REPLACE && BARS.containsKey(threads)) {
                    report.ratio(name, ratio, Bar.ofWall(BARS.get(threads)));
                } else if (other != Contender.BLOCK) {
                    report.ratio(name, ratio);
                }
            });
        }
    }

    /** To two digits: the others differ from run to run. */
    private static double rounded(double rate) {
        return new BigDecimal(rate).round(new MathContext(2)).doubleValue();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
