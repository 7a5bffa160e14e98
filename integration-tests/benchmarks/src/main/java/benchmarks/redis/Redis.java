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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import me.ahoo.cosid.spring.redis.SpringRedisIdSegmentDistributor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Blocks of a thousand ids from one Redis that writes each change to its disk: ours, and CosId's by its distributor for
 * Redis. One thread takes the ids and does nothing else.
 */
public final class Redis implements Group {

    private static final int SIZE = 1_000;

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
            try (Reservations ours = new Reservations(settings(server.url()))) {
                SpringRedisIdSegmentDistributor theirs = new SpringRedisIdSegmentDistributor(
                        "benchmarks", "photos", 0, SIZE, new StringRedisTemplate(connections));
                Map<String, Blocks> contenders =
                        Map.of(OURS, () -> ours.reserve(SIZE), COSID, () -> theirs.nextMaxId(SIZE));
                Rounds rounds = new Rounds();
                Order<String> order = new Order<>(List.of(OURS, COSID), 0);
                Budget budget =
                        quick ? new Budget(Duration.ofSeconds(60), 4, 20) : new Budget(Duration.ofMinutes(3), 10, 60);
                Duration turn = Duration.ofMillis(quick ? 1_000 : 1_500);
                while (budget.begins()) {
                    for (String contender : order.next()) {
                        rounds.add(contender, LibraryThread.call(() -> rate(turn, contenders.get(contender))));
                    }
                }
                report.say("one Redis with appendfsync always; blocks of %,d ids, medians of turns", SIZE);
                report.table(List.of(
                        List.of("", "blocks/s"),
                        List.of(OURS, number(rounds.rate(OURS))),
                        List.of(COSID, number(rounds.rate(COSID)))));
                report.ratio("redis_block_vs_cosid", rounds.ratio(OURS, COSID), Bar.ofWall(1.0));
            } finally {
                connections.destroy();
            }
            report.value("redis_trips_per_block", tripsPerBlock(server), Bar.atMost(1.05));
        }
    }

    @FunctionalInterface
    private interface Blocks {

        Object next() throws Exception;
    }

    private static Rounds.Rate rate(Duration time, Blocks source) {
        long end = System.nanoTime() + time.toNanos();
        Stopwatch watch = new Stopwatch();
        long blocks = 0;
        try {
            while (System.nanoTime() < end) {
                source.next();
                blocks++;
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return watch.rate(blocks);
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
