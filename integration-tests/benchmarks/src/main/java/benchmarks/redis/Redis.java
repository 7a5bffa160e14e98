package benchmarks.redis;

import benchmarks.Bar;
import benchmarks.Budget;
import benchmarks.Group;
import benchmarks.Order;
import benchmarks.Report;
import benchmarks.RoundTrips;
import benchmarks.Rounds;
import benchmarks.Stopwatch;
import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.IdSource;
import io.distributedid.testkit.RedisServer;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import me.ahoo.cosid.spring.redis.SpringRedisIdSegmentDistributor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Blocks of a thousand ids from one Redis that writes each change to its disk: ours, and CosId's by its distributor for
 * Redis. First one after the other of one sequence, without a buffer: our script compares the record too, where CosId
 * only adds. Then blocks of 16 sequences, which we reserve together and ahead of the callers.
 */
public final class Redis implements Group {

    private static final int SIZE = 1_000;

    /** All are used up equally fast. */
    private static final int SEQUENCES = 16;

    /** As many as CosId's own prefetching has on two processors. */
    private static final int THREADS = 2;

    private static final int TRIP_BLOCKS = 640;

    private static final String OURS = "ours";

    private static final String COSID = "CosId";

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        try (RedisServer server = RedisServer.start(Files.createTempDirectory("benchmarks-redis"))) {
            LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", server.port());
            connections.start();
            StringRedisTemplate template = new StringRedisTemplate(connections);
            try (Reservations ours = new Reservations(settings(server.url()));
                    DistributedIds ids = DistributedIds.create(settings(server.url()))) {
                SpringRedisIdSegmentDistributor theirs = cosId(template, "photos");
                compare(
                        report,
                        quick,
                        "redis_single_block_vs_cosid",
                        Bar.notJudged(1.0, "the server's processor"),
                        time -> rate(time, () -> ours.reserve(SIZE)),
                        time -> rate(time, () -> theirs.nextMaxId(SIZE)));
                compare(
                        report,
                        quick,
                        "redis_block_vs_cosid",
                        Bar.ofWall(1.0),
                        time -> ofMany(time, i -> taken(ids.sequence("s" + i))),
                        time -> ofMany(time, i -> {
                            SpringRedisIdSegmentDistributor each = cosId(template, "s" + i);
                            return () -> each.nextMaxId(SIZE);
                        }));
            } finally {
                connections.destroy();
            }
            report.value("redis_trips_per_block", tripsPerBlock(server), Bar.atMost(1.05));
        }
    }

    @FunctionalInterface
    private interface Blocks {

        Object next() throws SQLException, InterruptedException;
    }

    @FunctionalInterface
    private interface Side {

        Rounds.Rate turn(Duration time) throws SQLException, InterruptedException;
    }

    private static SpringRedisIdSegmentDistributor cosId(StringRedisTemplate template, String name) {
        return new SpringRedisIdSegmentDistributor("benchmarks", name, 0, SIZE, template);
    }

    private static void compare(Report report, boolean quick, String name, Bar bar, Side ours, Side theirs)
            throws Exception {
        Rounds rounds = new Rounds();
        Order<String> order = new Order<>(List.of(OURS, COSID), 0);
        Budget budget = quick ? new Budget(Duration.ofSeconds(30), 4, 20) : new Budget(Duration.ofMinutes(2), 10, 60);
        Duration turn = Duration.ofMillis(quick ? 750 : 1_500);
        while (budget.begins()) {
            for (String contender : order.next()) {
                Side side = contender.equals(OURS) ? ours : theirs;
                rounds.add(contender, LibraryThread.call(() -> side.turn(turn)));
            }
        }
        report.table(List.of(
                List.of(name, "blocks/s"),
                List.of(OURS, number(rounds.rate(OURS))),
                List.of(COSID, number(rounds.rate(COSID)))));
        report.ratio(name, rounds.ratio(OURS, COSID), bar);
    }

    /** From the buffer, which has reserved it meanwhile. */
    private static Blocks taken(IdSource source) {
        return () -> {
            long last = 0;
            for (int i = 0; i < SIZE; i++) {
                last = source.next();
            }
            return last;
        };
    }

    /** Two threads take blocks of all sequences in turn. */
    private static Rounds.Rate ofMany(Duration time, IntFunction<Blocks> sequences) throws InterruptedException {
        List<Blocks> all = IntStream.range(0, SEQUENCES).mapToObj(sequences).toList();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            Stopwatch watch = new Stopwatch();
            List<Future<Long>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                List<Blocks> own = all.subList(thread * SEQUENCES / THREADS, (thread + 1) * SEQUENCES / THREADS);
                running.add(threads.submit(() -> count(time, own)));
            }
            long blocks = 0;
            for (Future<Long> each : running) {
                blocks += each.get();
            }
            return watch.rate(blocks);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdown();
        }
    }

    private static long count(Duration time, List<Blocks> sources) throws SQLException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long blocks = 0;
        while (System.nanoTime() < end) {
            Object unused = sources.get((int) (blocks % sources.size())).next();
            blocks++;
        }
        return blocks;
    }

    private static Rounds.Rate rate(Duration time, Blocks source) throws SQLException, InterruptedException {
        Stopwatch watch = new Stopwatch();
        return watch.rate(count(time, List.of(source)));
    }

    private static Map<String, Object> settings(String url) {
        return new HashMap<>(Map.of(
                DistributedIdSettings.BACKEND, "redis",
                DistributedIdSettings.REDIS_SERVERS, url,
                DistributedIdSettings.BLOCK_MIN, SIZE,
                DistributedIdSettings.BLOCK_MAX, SIZE,
                DistributedIdSettings.BLOCK_MAX_AGE, "off"));
    }

    private static double tripsPerBlock(RedisServer server) throws Exception {
        try (RoundTrips between = new RoundTrips(server.port());
                DistributedIds ids = DistributedIds.create(settings("redis://127.0.0.1:" + between.port()))) {
            IdSource source = ids.sequence("trips");
            take(source, 64);
            long trips = between.count();
            long blocks = fetched(ids);
            take(source, TRIP_BLOCKS);
            return (double) (between.count() - trips) / (fetched(ids) - blocks);
        }
    }

    private static void take(IdSource source, int blocks) {
        for (int i = 0; i < blocks * SIZE; i++) {
            source.next();
        }
    }

    private static long fetched(DistributedIds ids) {
        return ids.statistics("trips").orElseThrow().blocks().orElseThrow().fetched();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
