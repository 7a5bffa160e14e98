package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SnowflakeCountTest {

    private static final int THREADS = 40;

    private static final int IDS_EACH = 40_000;

    /** More threads than there are slots, faster than the clock: runs are replaced while others take from them. */
    @Test
    void everyIdCountsOnceAndTheCountNeverGoesDown() throws Exception {
        long now = System.currentTimeMillis();
        SnowflakeGenerator generator =
                Snowflakes.generator(FixedWorker.startingAt(7, now, now), InstantSource.system());
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> takers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                takers.add(pool.submit(() -> {
                    for (int i = 0; i < IDS_EACH; i++) {
                        generator.next(0);
                    }
                }));
            }
            long most = 0;
            while (takers.stream().anyMatch(taker -> !taker.isDone())) {
                long issued = generator.statistics().issued();
                assertThat(issued).isGreaterThanOrEqualTo(most);
                most = issued;
            }
            for (Future<?> taker : takers) {
                taker.get();
            }

            assertThat(generator.statistics().issued()).isEqualTo((long) THREADS * IDS_EACH);
        } finally {
            pool.shutdownNow();
        }
    }
}
