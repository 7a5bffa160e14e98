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
import java.util.Locale;
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

    private static final int LEAST_ROUNDS = 2;

    /** Every so many-th round persists rows, too. */
    private static final int EVERY = 3;

    private final Map<Start, Unit> units = new EnumMap<>(Start.class);

    private final List<Distant> servers;

    private final Entities entities;

    /** Rounds that do not count: Hibernate and the JVM do better after a few starts. */
    private final int warmUp;

    private Boots(int count, int warmUp, String rows, List<String> tickets) throws IOException {
        this.warmUp = warmUp;
        entities = Entities.compile(count);
        entities.use();
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

    static String rested(Start start) {
        return "rested_" + start;
    }

    /** Entities, seconds, rounds of warm-up, most rounds, whether to rest, URL of a schema, those of ticket servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        int warmUp = Integer.parseInt(args[2]);
        Budget budget = new Budget(
                Duration.ofSeconds(Long.parseLong(args[1])), warmUp + LEAST_ROUNDS, warmUp + Integer.parseInt(args[3]));
        List<String> tickets = List.of(args).subList(6, args.length);
        try (Boots boots = new Boots(Integer.parseInt(args[0]), warmUp, args[5], tickets)) {
            boots.measure(budget);
            if (Boolean.parseBoolean(args[4])) {
                boots.afterRest();
            }
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
        boolean persists = persists(start, round);
        Rate firsts = persists ? persistEach(unit, factory) : new Rate(1, 1);
        long persisted = Distant.trips(servers);
        Stopwatch close = new Stopwatch();
        factory.close();
        Results.say(
                "  round %2d  %-28s  start %5.2f s, %5d trips, %5.2f s CPU;  first rows %s;  close %.2f s, %d trips",
                round,
                start.label,
                1 / starts.wall(),
                started - before,
                1 / starts.cpu(),
                persists ? text(1 / firsts.wall(), persisted - started) : "not again",
                close.spent().seconds(),
                Distant.trips(servers) - persisted);
        if (round >= warmUp) {
            Fork.print(boot(start), starts);
            if (persists) {
                Fork.print(first(start), firsts);
            }
        }
    }

    /**
     * First rows take seven times as long as a start. Hibernate's table takes trips for each, and is no rival there.
     */
    private boolean persists(Start start, int round) {
        return round == 0 || start != Start.TABLE && (round - warmUp) % EVERY == 0;
    }

    private static String text(double seconds, long trips) {
        return String.format(Locale.ROOT, "%5.2f s, %5d trips", seconds, trips);
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
                    rested(start),
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
