package benchmarks.keyed;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.IdSet;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.http.Load;
import benchmarks.http.RequestPath;
import benchmarks.http.Target;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A JVM that sends requests to two issuing services in turns: one gives single ids, the other one a number of any of
 * {@value #KEYS} keys. A rate is for each second on the clock, and of the server's CPU time.
 */
final class ServedTurns {

    static final String SINGLE = "SINGLE";

    static final String NUMBER = "NUMBER";

    /** The sequence of the single ids. */
    static final String SEQUENCE = "photos";

    static final int KEYS = 100_000;

    private static final int LEAST_ROUNDS = 2;

    private ServedTurns() {}

    /**
     * Number of the fork, seconds of warm-up, seconds in which rounds begin, rounds, the servers of ids and numbers.
     */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        IdSet ids = new IdSet();
        TakenNumbers numbers = new TakenNumbers(KEYS);
        Map<String, Load> loads = Map.of(
                SINGLE,
                new Load(
                        Target.of(args[4]),
                        RequestPath.of("/v1/sequences/" + SEQUENCE + "/ids"),
                        answer -> answer.numbers(ids::add)),
                NUMBER,
                new Load(Target.of(args[5]), new RequestPath(KeyedServer.PATH, KEYS), numbers));
        Order<String> order = new Order<>(List.of(SINGLE, NUMBER), Long.parseLong(args[0]));
        for (String contender : List.of(SINGLE, NUMBER)) {
            loads.get(contender).warmUp(Duration.ofSeconds(Long.parseLong(args[1])));
        }
        Budget budget =
                new Budget(Duration.ofSeconds(Long.parseLong(args[2])), LEAST_ROUNDS, Integer.parseInt(args[3]));
        while (budget.begins()) {
            for (String contender : order.next()) {
                Fork.print(contender, loads.get(contender).turn(1));
            }
        }
        System.out.println(String.format(
                Locale.ROOT, "  %,d ids and %,d numbers over HTTP, none twice", ids.size(), numbers.count()));
        System.exit(0);
    }
}
