package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.BlockStatistics;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The sizes of blocks if a caller takes ids at a constant rate and fetches take their time. The clock is simulated. */
class BlockSizeTest {

    private static final long MICRO = 1_000;

    private static final long MILLI = 1_000 * MICRO;

    private final ScriptedSource source = new ScriptedSource();

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong();

    /** How long a fetch takes. */
    private long trip;

    /** When the last fetch began. */
    private long requested;

    /** By block: when its fetch began. */
    private final List<Long> requests = new ArrayList<>();

    /** How often the caller had to wait for a fetch, the first included. */
    private int waits;

    /** The greatest age of an id. */
    private long oldest;

    @Test
    void theSizeFitsFromTheThirdBlockOn() {
        trip = 5 * MILLI;
        BlockBuffer buffer = buffer(Optional.of(Duration.ofSeconds(10)));
        take(buffer, 100_000, 100 * MICRO);

        assertThat(source.wanted).startsWith(16L, 64L, 426L, 1_704L);
        assertThat(waits).as("for the first three blocks").isEqualTo(3);
    }

    /** At a million ids a second, sizes that only grow fourfold would let the caller wait for six blocks. */
    @Test
    void aVeryHotSequenceWaitsForFewBlocks() {
        trip = 5 * MILLI;
        BlockBuffer buffer = buffer(Optional.of(Duration.ofSeconds(10)));
        take(buffer, 1_000_000, MICRO);

        assertThat(source.wanted).startsWith(16L, 64L, 64L * 64);
        assertThat(waits).isEqualTo(4);
    }

    @Test
    void oneBurstOfAFewIdsReservesFourfoldOnly() {
        trip = 5 * MILLI;
        BlockBuffer buffer = buffer(Optional.of(Duration.ofSeconds(10)));
        take(buffer, 20, MICRO);

        assertThat(source.wanted).containsExactly(16L, 64L);
    }

    /** Without a maximum age, a block lasts for 4 s or eight fetches: 4,000 ids, or 7,200 if the slow one counted. */
    @Test
    void oneSlowAnswerDoesNotMakeBlocksLarger() {
        trip = MILLI;
        BlockBuffer buffer = buffer(Optional.empty());
        take(buffer, 2_000, MILLI);
        List<Long> before = List.copyOf(source.wanted);
        trip = 900 * MILLI;
        while (source.wanted.size() == before.size()) {
            take(buffer, 1, MILLI);
        }
        trip = MILLI;
        take(buffer, 10_000, MILLI);

        assertThat(source.wanted.subList(before.size(), source.wanted.size())).allMatch(size -> size <= 4_100);
    }

    /** Eight fetches take 0.8 s; the maximum age is one second. */
    @Test
    void slowFetchesMakeNoIdTooOld() {
        trip = 100 * MILLI;
        BlockBuffer buffer = buffer(Optional.of(Duration.ofSeconds(1)));
        take(buffer, 2_000, MILLI);
        oldest = 0;
        waits = 0;
        take(buffer, 20_000, MILLI);

        assertThat(waits).isZero();
        assertThat(buffer.statistics().blocks().map(BlockStatistics::dropped)).hasValue(0L);
        assertThat(Duration.ofNanos(oldest)).isBetween(Duration.ofMillis(690), Duration.ofMillis(710));
    }

    private BlockBuffer buffer(Optional<Duration> maxAge) {
        source.takes = () -> {
            nanos.set(requested + trip);
            requests.add(requested);
        };
        return LoneBuffer.of(
                new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of())),
                source,
                new BlockPolicy(16, 100_000, maxAge, Duration.ofHours(1)),
                scheduler,
                nanos::get);
    }

    /** Takes ids at an interval. A fetch ends when its time has come; if no id is left, the caller waits for it. */
    private void take(BlockBuffer buffer, int count, long interval) {
        for (int i = 0; i < count; i++) {
            nanos.addAndGet(interval);
            scheduler.tick();
            boolean isEmpty = reserve(buffer) == 0;
            if (isEmpty && scheduler.tasks.isEmpty()) {
                requested = nanos.get();
                scheduler.direct = 1;
                waits++;
            } else if (isEmpty || nanos.get() - requested >= trip) {
                endFetch();
            }
            boolean wasIdle = scheduler.tasks.isEmpty();
            noteAge(buffer.next());
            if (wasIdle) {
                requested = nanos.get();
            }
        }
    }

    private void endFetch() {
        if (scheduler.tasks.isEmpty()) {
            return;
        }
        long now = nanos.get();
        if (now - requested < trip) {
            waits++;
        }
        nanos.set(requested);
        scheduler.runNext();
        nanos.set(Math.max(now, nanos.get()));
    }

    private void noteAge(long id) {
        long last = 0;
        for (int block = 0; block < requests.size(); block++) {
            last += source.wanted.get(block);
            if (id <= last) {
                oldest = Math.max(oldest, nanos.get() - requests.get(block));
                return;
            }
        }
    }

    private static long reserve(BlockBuffer buffer) {
        return buffer.statistics().blocks().orElseThrow().reserve();
    }
}
