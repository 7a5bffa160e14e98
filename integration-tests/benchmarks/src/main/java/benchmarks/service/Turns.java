package benchmarks.service;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.Rounds.Rate;
import benchmarks.http.Load;
import benchmarks.http.Requests;
import benchmarks.http.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A JVM that sends requests to running servers, one after the other in balanced {@linkplain Order orders}. A rate is in
 * ids, for each second on the clock and of the server's CPU time.
 */
final class Turns {

    /** What the course that describes such a service expects: so many ids a second, by the clock and of CPU time. */
    static final String COURSE = "COURSE";

    private static final Rate COURSE_RATE = new Rate(20_000, 20_000);

    private static final int LEAST_ROUNDS = 2;

    /** Not counted. */
    private static final int SCHEDULE_BEGIN_SECONDS = 1;

    private static final List<Contender> SINGLE_IDS = List.of(Contender.SINGLE, Contender.BARE, Contender.SPRING);

    private final Map<Program, Target> targets;

    private final TakenIds ids = new TakenIds();

    private final Map<Contender, List<Double>> reached = new EnumMap<>(Contender.class);

    private Turns(Map<Program, Target> targets) {
        this.targets = targets;
    }

    /**
     * Number of the fork, seconds of warm-up for each contender (up to {@value Load#LONGEST_WARM_UP} times as long on a
     * busy machine), seconds in which rounds begin, rounds, seconds on a schedule for each program, and the servers in
     * the order of {@link Program}.
     */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Map<Program, Target> targets = new EnumMap<>(Program.class);
        for (Program program : Program.values()) {
            targets.put(program, Target.of(args[5 + program.ordinal()]));
        }
        Turns turns = new Turns(targets);
        turns.warmUp(Duration.ofSeconds(Long.parseLong(args[1])));
        turns.measure(
                new Order<>(List.of(Contender.values()), Long.parseLong(args[0])),
                new Budget(Duration.ofSeconds(Long.parseLong(args[2])), LEAST_ROUNDS, Integer.parseInt(args[3])));
        int seconds = Integer.parseInt(args[4]);
        if (seconds > 0) {
            turns.schedules(seconds);
        }
        say(
                "  %,d ids of the issuing service and %,d of Spring Boot, none twice",
                turns.ids.count(Program.SERVICE), turns.ids.count(Program.SPRING));
        System.exit(0);
    }

    /** A line for the report. */
    private static void say(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    private void warmUp(Duration time) throws IOException {
        for (Contender contender : Contender.values()) {
            load(contender).warmUp(time);
        }
    }

    private Load load(Contender contender) {
        return new Load(targets.get(contender.program), contender.path(), ids.of(contender));
    }

    private void measure(Order<Contender> order, Budget budget) throws IOException {
        while (budget.begins()) {
            for (Contender contender : order.next()) {
                Rate rate = load(contender).turn(contender.ids);
                reached.computeIfAbsent(contender, first -> new ArrayList<>()).add(rate.wall());
                Fork.print(contender.name(), rate);
            }
            Fork.print(COURSE, COURSE_RATE);
        }
    }

    /** Single requests at half of the rate that was reached flat out. */
    private void schedules(int seconds) throws IOException {
        say("%nsingle requests on a schedule, at half of the rate reached; a time begins when a request is due");
        for (Contender contender : SINGLE_IDS) {
            double perSecond = Math.max(1, median(reached.get(contender)) / 2);
            int notCounted = (int) (perSecond * SCHEDULE_BEGIN_SECONDS);
            try (Requests requests = load(contender).requests()) {
                long[] times = requests.onSchedule(perSecond, notCounted + (int) Math.ceil(perSecond * seconds));
                Times counted = new Times(Arrays.copyOfRange(times, notCounted, times.length));
                say(
                        "  %-31s  %,.0f requests/s: p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.1f ms",
                        contender.label,
                        perSecond,
                        counted.millis(0.5),
                        counted.millis(0.99),
                        counted.millis(0.999),
                        counted.millis(1));
            }
        }
    }

    private static double median(List<Double> rates) {
        return rates.stream().sorted().skip(rates.size() / 2).findFirst().orElseThrow();
    }
}
