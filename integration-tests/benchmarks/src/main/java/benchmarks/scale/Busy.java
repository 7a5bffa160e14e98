package benchmarks.scale;

import benchmarks.Counters;
import benchmarks.Logs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A JVM in which a thousand sequences give 20 ids a second each. Beside them one caller takes numbers from an
 * {@code AtomicLong} on the same schedule: its late calls are those that the machine makes late.
 */
final class Busy {

    static final int SEQUENCES = 1_000;

    private static final int PER_SECOND = 20 * SEQUENCES;

    /** More would find no processor. */
    private static final int CALLERS = 4;

    private static final long LIMIT = 1_000_000;

    private Busy() {}

    /** Store, seconds of warm-up, seconds, URLs of servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Store store = Store.valueOf(args[0]);
        Schedule schedule = Schedule.of(
                SEQUENCES,
                PER_SECOND,
                Duration.ofSeconds(Long.parseLong(args[1])),
                Duration.ofSeconds(Long.parseLong(args[2])));
        List<Distant> servers = Distant.all(List.of(args).subList(3, args.length));
        Store.Sequences sequences =
                store.open(servers.stream().map(Distant::url).toList());
        run(store, sequences, servers, schedule);
        System.exit(0);
    }

    private static void run(Store store, Store.Sequences sequences, List<Distant> servers, Schedule schedule)
            throws Exception {
        long start = System.nanoTime();
        List<LongSupplier> sources = new ArrayList<>(sequences.open(Counters.names(SEQUENCES)));
        double opened = seconds(start);
        long openingTrips = Distant.trips(servers);
        // Sequences that are called one after another were not opened one after another.
        Collections.shuffle(sources, new Random(0));

        ExecutorService beside = Executors.newFixedThreadPool(2);
        Future<Double> trips = beside.submit(tripsPerSecond(servers, schedule));
        Future<ScheduledCallers.Outcome> machine = beside.submit(() -> machine(schedule));
        ScheduledCallers.Outcome outcome = new ScheduledCallers(sources, schedule, LIMIT).run(CALLERS);
        start = System.nanoTime();
        sequences.close();
        Results.say(
                "  %-20s  opened in %.1f s, %d trips; %,d calls, %,d late, of them %,d waited, %,d failed;"
                        + " machine alone: %.0f late in a million; closed in %.1f s",
                store.label,
                opened,
                openingTrips,
                outcome.calls(),
                outcome.late(),
                outcome.waited(),
                outcome.failed(),
                machine.get().perMillion(machine.get().late()),
                seconds(start));
        Results.print("waited", outcome.perMillion(outcome.waited()));
        Results.print("late", outcome.perMillion(outcome.late()));
        Results.print("machine", machine.get().perMillion(machine.get().late()));
        Results.print("trips", trips.get());
        Results.print("longest", outcome.longest());
        Results.print("answered", outcome.answered());
        beside.shutdown();
    }

    private static Callable<Double> tripsPerSecond(List<Distant> servers, Schedule schedule) {
        return () -> {
            Thread.sleep(schedule.warmUp().toMillis());
            long before = Distant.trips(servers);
            long start = System.nanoTime();
            Thread.sleep(schedule.time().toMillis());
            return (Distant.trips(servers) - before) / seconds(start);
        };
    }

    private static ScheduledCallers.Outcome machine(Schedule schedule) throws Exception {
        Schedule share = Schedule.of(1, PER_SECOND / CALLERS, schedule.warmUp(), schedule.time());
        return new ScheduledCallers(List.of(new AtomicLong()::incrementAndGet), share, LIMIT).run(1);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
