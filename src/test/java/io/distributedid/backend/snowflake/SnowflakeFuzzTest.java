package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DecodedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads take ids while the clock jumps back and forth and windows are renewed, lost, and replaced by ones with other
 * numbers. Whatever happens, no id is made twice, each lies in a window of its number, and none is farther ahead of the
 * clock than allowed.
 */
@Tag("slow")
class SnowflakeFuzzTest {

    private static final int THREADS = 3;

    private static final int STEPS = 2_000;

    private static final Duration AHEAD = Duration.ofMillis(20);

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    private final IdLayout layout =
            LayoutParser.parse("time:41, worker:6, sequence:3", Instant.parse("2024-01-01T00:00:00Z"));

    private final SettableClock clock = new SettableClock(START);

    private final List<Worker.Window> windows = new ArrayList<>();

    private final Map<Long, Long> reservedUntil = new HashMap<>();

    private volatile boolean closed;

    private volatile long highestClock = START.toEpochMilli();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyIdIsMadeOnceAndInsideItsWindow(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        SettableWorker worker = new SettableWorker(reserve(1, START.toEpochMilli(), 30));
        SnowflakeGenerator generator = new SnowflakeGenerator(
                Snowflakes.waits(),
                layout,
                worker,
                clock,
                AHEAD,
                Duration.ZERO,
                bound -> ThreadLocalRandom.current().nextLong(bound));
        List<Taker> takers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            takers.add(new Taker(generator, () -> closed));
        }
        takers.forEach(Thread::start);
        for (int step = 0; step < STEPS; step++) {
            change(random, worker);
            Thread.yield();
        }
        long unused = generator.close();
        closed = true;
        for (Taker taker : takers) {
            taker.join();
        }

        long[] ids = takers.stream().flatMapToLong(Taker::ids).sorted().toArray();
        assertThat(ids).isNotEmpty();
        assertThat(generator.statistics().issued()).as("counted").isEqualTo(ids.length);
        assertThat(LongStream.of(ids).distinct().count()).as("distinct ids").isEqualTo(ids.length);
        for (long id : ids) {
            DecodedId decoded = layout.decode(id);
            long time = layout.millis(layout.tick(layout.time().instant(id).toEpochMilli()));
            assertThat(windows)
                    .as(decoded.toString())
                    .anyMatch(window -> window.number() == decoded.field("worker")
                            && window.from() <= time
                            && time < window.until());
            assertThat(time).isLessThan(unused).isLessThanOrEqualTo(highestClock + AHEAD.toMillis());
        }
    }

    private void change(SplittableRandom random, SettableWorker worker) {
        Worker.Window now = worker.window();
        switch (random.nextInt(10)) {
            case 0 -> clock.move(Duration.ofMillis(-random.nextInt(100)));
            case 1 -> {
                highestClock = Math.max(highestClock, clock.millis() + 200);
                clock.move(Duration.ofMillis(random.nextInt(200)));
            }
            case 2 ->
                worker.set(reserve(random.nextInt(64), clock.millis() - random.nextInt(50), 1 + random.nextInt(60)));
            case 3, 4, 5 -> {
                long until = Math.max(now.until(), clock.millis() + random.nextInt(40));
                windows.add(new Worker.Window(now.number(), now.from(), until));
                reservedUntil.merge(now.number(), until, Math::max);
                worker.set(windows.get(windows.size() - 1));
            }
            default -> {
                highestClock = Math.max(highestClock, clock.millis() + 2);
                clock.move(Duration.ofMillis(random.nextInt(3)));
            }
        }
    }

    /** As a store does: above all that was ever reserved for the number. */
    private Worker.Window reserve(long number, long from, long millis) {
        long begin = Math.max(from, reservedUntil.getOrDefault(number, 0L));
        Worker.Window window = new Worker.Window(number, begin, begin + millis);
        reservedUntil.put(number, window.until());
        windows.add(window);
        return window;
    }

    private static final class Taker extends Thread {

        private final SnowflakeGenerator generator;

        private final BooleanSupplier isEnd;

        private final List<Long> ids = new ArrayList<>();

        Taker(SnowflakeGenerator generator, BooleanSupplier isEnd) {
            this.generator = generator;
            this.isEnd = isEnd;
        }

        @Override
        public void run() {
            while (!isEnd.getAsBoolean()) {
                try {
                    ids.add(generator.next(0));
                } catch (IdUnavailableException e) {
                    Thread.yield();
                }
            }
        }

        LongStream ids() {
            return ids.stream().mapToLong(Long::longValue);
        }
    }
}
