package benchmarks.redis;

import benchmarks.Bar;
import benchmarks.Budget;
import benchmarks.Group;
import benchmarks.Order;
import benchmarks.Report;
import benchmarks.RoundTrips;
import benchmarks.Rounds;
import benchmarks.Stopwatch;
import io.distributedid.DistributedIds;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.BlockSource;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import me.ahoo.cosid.spring.redis.SpringRedisIdSegmentDistributor;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Blocks of a thousand ids from one Redis that writes each change to its disk: ours, and CosId's by its distributor for
 * Redis. First one after the other, without a buffer: our script compares the row too, where CosId only adds. One
 * thread draws, then two at once, each of a sequence of its own. Then blocks of 16 sequences, which we reserve together
 * and ahead of the callers.
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
                    Reservations oursOfTwo = new Reservations(settingsOfTwo(server.url()));
                    DistributedIds ids = DistributedIds.create(settings(server.url()))) {
                compare(
                        report,
                        quick,
                        "redis_block_vs_cosid",
                        time -> rate(time, 1, i -> drawn(ours, i)),
                        time -> rate(time, 1, i -> drawn(template, i)));
                compare(
                        report,
                        quick,
                        "redis_two_blocks_vs_cosid",
                        time -> rate(time, 2, i -> drawn(oursOfTwo, i)),
                        time -> rate(time, 2, i -> drawn(template, i)));
                compare(
                        report,
                        quick,
                        "redis_buffered_blocks_vs_cosid",
                        time -> rate(time, SEQUENCES, i -> taken(ids.sequence("s" + i))),
                        time -> rate(time, SEQUENCES, i -> drawn(template, i)));
                sayServerTime(report, server, drawn(ours, 0), drawn(template, 0));
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

    private static Blocks drawn(StringRedisTemplate template, int sequence) {
        SpringRedisIdSegmentDistributor distributor =
                new SpringRedisIdSegmentDistributor("benchmarks", "s" + sequence, 0, SIZE, template);
        return () -> distributor.nextMaxId(SIZE);
    }

    private static Blocks drawn(Reservations ours, int sequence) {
        BlockSource source = ours.source("s" + sequence);
        return () -> source.reserve(SIZE);
    }

    private static void compare(Report report, boolean quick, String name, Side ours, Side theirs) throws Exception {
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
        report.ratio(name, rounds.ratio(OURS, COSID), Bar.ofWall(1.0));
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

    /** Up to two threads take blocks of their sequences in turn. They are such as the buffer has. */
    private static Rounds.Rate rate(Duration time, int sequences, IntFunction<Blocks> blocksOf)
            throws InterruptedException {
        List<Blocks> all = IntStream.range(0, sequences).mapToObj(blocksOf).toList();
        int count = Math.min(sequences, THREADS);
        ExecutorService threads =
                Executors.newFixedThreadPool(count, task -> LibraryThread.named("distributedid-benchmark", task));
        try {
            Stopwatch watch = new Stopwatch();
            List<Future<Long>> running = new ArrayList<>();
            for (int thread = 0; thread < count; thread++) {
                List<Blocks> own = all.subList(thread * sequences / count, (thread + 1) * sequences / count);
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

    /** How long Redis runs a command, without what it reads, writes and synchronises. */
    private static void sayServerTime(Report report, RedisServer server, Blocks ours, Blocks theirs) throws Exception {
        report.say(
                "Redis runs our script for %.1f us, and CosId's command for %.1f us.",
                serverMicros(server, "evalsha", ours), serverMicros(server, "incrby", theirs));
    }

    private static double serverMicros(RedisServer server, String command, Blocks blocks) throws Exception {
        LibraryThread.call(() -> count(Duration.ofSeconds(1), List.of(blocks)));
        server.command("CONFIG", "RESETSTAT");
        LibraryThread.call(() -> count(Duration.ofSeconds(2), List.of(blocks)));
        Matcher found = Pattern.compile("cmdstat_" + command + ":.*usec_per_call=([0-9.]+)")
                .matcher(server.command("INFO", "commandstats"));
        if (!found.find()) {
            throw new IllegalStateException("The command was not called: " + command);
        }
        return Double.parseDouble(found.group(1));
    }

    private static Map<String, Object> settings(String url) {
        return new HashMap<>(Map.of(
                "distributedid.backend",
                "redis",
                "distributedid.redis.servers",
                url,
                // The first connection loads Lettuce, on a machine that may be busy.
                "distributedid.timeout",
                "30s",
                "distributedid.block.min",
                SIZE,
                "distributedid.block.max",
                SIZE,
                "distributedid.block.max_age",
                "off"));
    }

    /** Each of the two sequences has a connection of its own, since their settings differ. */
    private static Map<String, Object> settingsOfTwo(String url) {
        Map<String, Object> settings = settings(url);
        settings.put("distributedid.seq.s1.timeout", "31s");
        return settings;
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
