package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.SequenceStatistics;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads take ids from tiny blocks. Another thread moves the clock, drops blocks and reads statistics, and the source
 * fails now and then. Whatever the interleaving: no id twice, every thread's ids ascend, and every reserved id is
 * handed out or dropped, once.
 */
@Tag("slow")
@Tag("model")
class BlockBufferStressTest {

    private static final int THREADS = 4;

    private static final int IDS_EACH = 50_000;

    /** Reserves blocks of 1 to 16 ids, with gaps. */
    private static final class RandomSource implements BlockSource {

        final AtomicLong reserved = new AtomicLong();

        private long last;

        @Override
        public synchronized Block reserve(long wanted) throws SQLException {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            if (random.nextInt(50) == 0) {
                throw new SQLException("now and then");
            }
            long count = random.nextLong(1, 17);
            long step = random.nextLong(1, 4);
            Block block = new Block(last + random.nextLong(1, 4), step, count);
            last = block.last();
            reserved.addAndGet(count);
            return block;
        }
    }

    @RepeatedTest(5)
    void everyIdIsHandedOutOnceOrAccountedFor() throws Exception {
        RandomSource source = new RandomSource();
        AtomicLong nanos = new AtomicLong();
        ManualScheduler watch = new ManualScheduler();
        FetchThreads threads = new FetchThreads();
        BlockBuffer buffer = LoneBuffer.of(
                new Sequence("stress", Long.MAX_VALUE, "test", Settings.of(Map.of())),
                source,
                new BlockPolicy(1, 16, Optional.of(Duration.ofSeconds(10)), Duration.ofMinutes(100_000)),
                new Fetches(threads, watch),
                nanos::get);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
        AtomicBoolean done = new AtomicBoolean();
        Future<?> aggressor = pool.submit(() -> {
            while (!done.get()) {
                nanos.addAndGet(ThreadLocalRandom.current()
                        .nextLong(Duration.ofSeconds(3).toNanos()));
                watch.tick();
                if (ThreadLocalRandom.current().nextInt(100) == 0) {
                    buffer.discard();
                }
                assertThat(buffer.statistics().issued()).isNotNegative();
            }
        });
        List<Future<long[]>> takers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            takers.add(pool.submit(() -> takeInAllWays(buffer)));
        }
        List<long[]> taken = new ArrayList<>();
        for (Future<long[]> taker : takers) {
            taken.add(taker.get());
        }
        done.set(true);
        aggressor.get();
        buffer.close();
        threads.close();
        pool.shutdown();

        taken.forEach(ids -> assertThat(ids).isSorted());
        assertThat(taken.stream().flatMapToLong(LongStream::of).distinct().count())
                .isEqualTo((long) THREADS * IDS_EACH);
        SequenceStatistics end = buffer.statistics();
        assertThat(end.issued()).isEqualTo((long) THREADS * IDS_EACH);
        BlockStatistics blocks = end.blocks().orElseThrow();
        assertThat(blocks.reserved()).isEqualTo(source.reserved.get());
        assertThat(blocks.reserve()).isZero();
    }

    private static long[] takeInAllWays(BlockBuffer buffer) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        LongStream.Builder ids = LongStream.builder();
        for (long left = IDS_EACH; left > 0; ) {
            int way = random.nextInt(4);
            if (way % 2 == 0) {
                long wanted = Math.min(left, random.nextLong(1, 20));
                ReservedBlock taken = way == 0
                        ? buffer.nextBlock(wanted)
                        : buffer.tryNextBlock(wanted).orElse(null);
                if (taken != null) {
                    Block block = taken.block();
                    for (long id = block.first(); id <= block.last(); id += block.step()) {
                        ids.add(id);
                    }
                    left -= block.count();
                }
                continue;
            }
            long id = way == 1 ? buffer.tryNext() : buffer.next();
            if (id != 0) {
                ids.add(id);
                left--;
            }
        }
        return ids.build().toArray();
    }

    @Test
    void aThousandCallersThatWaitForOneIdAtATimeAllGetOne() throws Exception {
        RandomSource source = new RandomSource();
        FetchThreads threads = new FetchThreads();
        BlockBuffer buffer = LoneBuffer.of(
                new Sequence("crowd", Long.MAX_VALUE, "test", Settings.of(Map.of())),
                source,
                new BlockPolicy(1, 1, Optional.empty(), Duration.ofMinutes(1)),
                threads,
                System::nanoTime);
        ExecutorService pool = Executors.newFixedThreadPool(1_000);
        List<Future<Long>> takers = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            takers.add(pool.submit(buffer::next));
        }
        Set<Long> taken = new HashSet<>();
        for (Future<Long> taker : takers) {
            taken.add(taker.get());
        }
        buffer.close();
        threads.close();
        pool.shutdown();

        assertThat(taken).hasSize(3_000);
    }

    /** Fetches on real threads; the test runs the age checks. */
    private record Fetches(FetchThreads threads, ManualScheduler watch) implements Scheduler {

        @Override
        public void execute(Runnable task) {
            threads.execute(task);
        }

        @Override
        public void executeAfter(Duration delay, Runnable task) {
            threads.execute(task);
        }

        @Override
        public void every(Duration period, Runnable task) {
            watch.every(period, task);
        }

        @Override
        public void end(Runnable task) {
            watch.end(task);
        }
    }
}
