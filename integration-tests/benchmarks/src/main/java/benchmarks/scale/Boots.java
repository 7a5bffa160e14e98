package benchmarks.scale;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.Rounds.Rate;
import benchmarks.Stopwatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;

/**
 * A JVM that starts a SessionFactory of five hundred entities again and again, from each {@link Start} in turn. Tables
 * are there before the first start, and counters before the second one: the rounds after the first are those of an
 * application that is deployed anew. A rate is starts per second, or series of first rows per second.
 */
final class Boots implements AutoCloseable {

    static final int ENTITIES = 500;

    /** Longer than the blocks of the start live. */
    private static final Duration REST = Duration.ofSeconds(15);

    /** Of what Hibernate and the JVM do better after a few starts. */
    private static final int WARM_UP = 2;

    private static final int LEAST_ROUNDS = 2;

    private final Map<Start, Unit> units = new EnumMap<>(Start.class);

    private final List<Distant> servers;

    private final Entities entities = Entities.compile(ENTITIES);

    private Boots(String rows, List<String> tickets) throws IOException {
        servers = new ArrayList<>();
        List<Distant> ticketServers = Distant.all(tickets);
        servers.addAll(ticketServers);
        List<String> ticketUrls = ticketServers.stream().map(Distant::url).toList();
        for (Start start : Start.values()) {
            String near = rows.replace("/rows?", "/" + start.schema() + "?");
            new Unit(start.settings(near, tickets), start.entities(entities)).export();
            Distant distant = new Distant(near);
            servers.add(distant);
            units.put(start, new Unit(start.settings(distant.url(), ticketUrls), start.entities(entities)));
        }
    }

    static String boot(Start start) {
        return "boot_" + start;
    }

    static String first(Start start) {
        return "first_" + start;
    }

    /** Seconds for rounds, most rounds, URL of the schema {@code rows}, URLs of ticket servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Budget budget = new Budget(
                Duration.ofSeconds(Long.parseLong(args[0])),
                WARM_UP + LEAST_ROUNDS,
                WARM_UP + Integer.parseInt(args[1]));
        try (Boots boots = new Boots(args[2], List.of(args).subList(3, args.length))) {
            boots.measure(budget);
            boots.afterRest();
        }
        System.exit(0);
    }

    private void measure(Budget budget) {
        Order<Start> order = new Order<>(List.of(Start.values()), 0);
        for (int round = 0; budget.begins(); round++) {
            for (Start start : order.next()) {
                turn(start, round);
            }
        }
    }

    private void turn(Start start, int round) {
        Unit unit = units.get(start);
        System.gc();
        long before = Distant.trips(servers);
        Stopwatch boot = new Stopwatch();
        SessionFactory factory = unit.start();
        Rate starts = boot.spent().rate(1);
        long started = Distant.trips(servers);
        // Hibernate's table takes trips for each: it is no rival here, and slow.
        Rate firsts = start == Start.TABLE && round > 0 ? new Rate(1, 1) : persistEach(unit, factory);
        long persisted = Distant.trips(servers);
        Stopwatch close = new Stopwatch();
        factory.close();
        Results.say(
                "  round %d  %-28s  start %5.2f s, %5d trips, %5.2f s CPU;  first rows %5.2f s, %5d trips;"
                        + "  close %5.2f s, %5d trips",
                round,
                start.label,
                1 / starts.wall(),
                started - before,
                1 / starts.cpu(),
                1 / firsts.wall(),
                persisted - started,
                close.spent().seconds(),
                Distant.trips(servers) - persisted);
        if (round >= WARM_UP) {
            Fork.print(boot(start), starts);
            Fork.print(first(start), firsts);
        }
    }

    private static Rate persistEach(Unit unit, SessionFactory factory) {
        Stopwatch watch = new Stopwatch();
        unit.persistEach(factory);
        return watch.spent().rate(1);
    }

    /** Blocks of the start are too old then, and have to be fetched again. */
    private void afterRest() throws InterruptedException {
        Map<Start, SessionFactory> factories = new EnumMap<>(Start.class);
        for (Start start : List.of(Start.SNOWFLAKE, Start.SEQUENCE_TABLE, Start.TICKET)) {
            factories.put(start, units.get(start).start());
        }
        Thread.sleep(REST.toMillis());
        for (Start start : factories.keySet()) {
            Results.print(
                    "rested_" + start,
                    1 / persistEach(units.get(start), factories.get(start)).wall());
        }
        factories.values().forEach(SessionFactory::close);
    }

    @Override
    public void close() throws IOException {
        for (Distant server : servers) {
            server.close();
        }
        entities.close();
    }
}
