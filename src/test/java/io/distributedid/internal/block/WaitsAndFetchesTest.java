package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.SequenceListener;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a listener hears of a buffer. */
class WaitsAndFetchesTest {

    private static final Sequence PHOTOS =
            new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of("distributedid.block.max", "1")));

    private final List<Duration> waits = new CopyOnWriteArrayList<>();

    private final List<Duration> fetches = new CopyOnWriteArrayList<>();

    private final AtomicReference<Supplier<SequenceStatistics>> statistics = new AtomicReference<>();

    private final AtomicLong last = new AtomicLong();

    private final FetchThreads threads = new FetchThreads();

    /** Asks for statistics on another thread, which needs the lock of the buffer. */
    private final SequenceListener listener = new SequenceListener() {
        @Override
        public void opened(String sequence) {
            throw new AssertionError("A buffer opens no sequence");
        }

        @Override
        public void waited(String sequence, Duration time) {
            assertUnlocked(sequence);
            waits.add(time);
        }

        @Override
        public void fetched(String sequence, Duration time) {
            assertUnlocked(sequence);
            fetches.add(time);
        }
    };

    @AfterEach
    void stop() {
        threads.close();
    }

    private void assertUnlocked(String sequence) {
        assertThat(sequence).isEqualTo("photos");
        assertThat(CompletableFuture.supplyAsync(statistics.get()).orTimeout(30, TimeUnit.SECONDS))
                .succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void everyWaitAndFetchIsReportedWithoutALock() {
        try (BlockBuffer buffer = new BlockBuffers(threads, listener, Platform.JVM)
                .buffer(PHOTOS, wanted -> new Block(last.incrementAndGet(), 1, 1))) {
            statistics.set(buffer::statistics);
            for (int i = 0; i < 3; i++) {
                assertThat(buffer.next()).isPositive();
            }
            Await.until("the fetches are reported", () -> fetches.size() == 3);

            assertThat(waits).hasSize(3).allMatch(time -> time.compareTo(Duration.ZERO) > 0);
            assertThat(fetches).allMatch(time -> time.compareTo(Duration.ZERO) > 0);
            SequenceStatistics counted = buffer.statistics();
            assertThat(waits.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(counted.waitTime());
            assertThat(fetches.stream().reduce(Duration.ZERO, Duration::plus))
                    .isEqualTo(counted.blocks().orElseThrow().fetchTime());
        }
    }
}
