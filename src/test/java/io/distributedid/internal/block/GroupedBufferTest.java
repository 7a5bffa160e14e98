package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.BlockStatistics;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers whose servers reserve for several of them at once. */
class GroupedBufferTest {

    private static final long MILLI = 1_000_000;

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong();

    private final Servers servers = new Servers();

    private final BlockQueue queue = new BlockQueue(servers, scheduler, nanos::get);

    private final FetchThreads threads = new FetchThreads();

    private static final class Servers implements BlockGroup {

        /** How many requests each call had. */
        private final List<Integer> calls = new ArrayList<>();

        private SQLException fails;

        @Override
        public int parallel() {
            return 1;
        }

        @Override
        public void reserve(List<BlockRequest> requests) {
            calls.add(requests.size());
            for (BlockRequest each : requests) {
                if (fails != null) {
                    each.fail(fails);
                } else {
                    each.answer(((Source) each.source()).block(each.wanted()));
                }
            }
        }
    }

    private static final class Source implements GroupedSource {

        private final Servers servers;

        private long next = 1;

        Source(Servers servers) {
            this.servers = servers;
        }

        @Override
        public BlockGroup group() {
            return servers;
        }

        @Override
        public Block reserve(long wanted) {
            throw new IllegalStateException("The group answers");
        }

        Block block(long count) {
            Block block = new Block(next, 1, count);
            next += count;
            return block;
        }
    }

    private final Source source = new Source(servers);

    @AfterEach
    void close() {
        threads.close();
        Thread.interrupted();
    }

    private BlockBuffer buffer(Source of) {
        return new BlockBuffer(
                new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of())),
                of,
                new BlockPolicy(8, 8, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1)),
                scheduler,
                queue,
                FetchHistory.outages(System::nanoTime),
                nanos::get,
                opened -> {});
    }

    private BlockBuffer filled() {
        BlockBuffer buffer = buffer(source);
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(1);
        return buffer;
    }

    @Test
    void theFirstBlocksOfAllSequencesAreReservedTogether() {
        BlockBuffer first = buffer(source);
        BlockBuffer second = buffer(new Source(servers));
        first.prefetch();
        second.prefetch();
        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(5 + 1));
        nanos.addAndGet(5 * MILLI);
        scheduler.runDelayed();
        scheduler.runNext();

        assertThat(servers.calls).containsExactly(2);
        assertThat(first.tryNextBlock(1)).isPresent();
        assertThat(second.tryNextBlock(1)).isPresent();
    }

    /** Three ids in 60 ms: the five that are left last for 100 ms. */
    @Test
    void aFetchAheadOfNeedMayWaitForATenthOfTheTimeThatIsLeft() {
        BlockBuffer buffer = filled();
        nanos.addAndGet(60 * MILLI);
        buffer.next();
        buffer.next();

        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(10 + 1));
    }

    @Test
    void aCallerThatWaitsHurriesTheFetch() {
        BlockBuffer buffer = filled();
        nanos.addAndGet(60 * MILLI);
        for (int i = 0; i < 7; i++) {
            buffer.next();
        }
        assertThat(scheduler.tasks).as("it waits for others").isEmpty();
        CompletableFuture<Long> caller = CompletableFuture.supplyAsync(buffer::next);
        Await.until("the fetch starts", () -> !scheduler.tasks.isEmpty());
        scheduler.runNext();

        assertThat(caller.join()).isEqualTo(9);
    }

    @Test
    void aFetchThatWaitsForOthersIsTakenBackAtTheEnd() {
        BlockBuffer buffer = filled();
        nanos.addAndGet(60 * MILLI);
        buffer.next();
        buffer.next();
        Thread closing = new Thread(buffer::close);
        closing.start();
        Await.until("it is closed", () -> {
            assertThat(closing.getState()).as("it waits for nothing").isNotEqualTo(Thread.State.TIMED_WAITING);
            return !closing.isAlive();
        });
        nanos.addAndGet(10 * MILLI);
        scheduler.runDelayed();

        assertThat(scheduler.tasks).isEmpty();
        assertThat(servers.calls).hasSize(1);
        assertThat(buffer.statistics().blocks().map(BlockStatistics::dropped)).hasValue(5L);
    }

    @Test
    void aRetryAsksTheGroup() {
        BlockBuffer buffer = filled();
        servers.fails = new SQLException("locked");
        buffer.next();
        buffer.next();
        scheduler.runNext();
        servers.fails = null;
        scheduler.runDelayed();
        scheduler.runNext();

        assertThat(servers.calls).containsExactly(1, 1, 1);
        assertThat(buffer.statistics().blocks().map(BlockStatistics::reserve)).hasValue(13L);
    }

    @Test
    void aRetryForWhichNoThreadCanBeStartedIsAFailureOfTheFetch() {
        BlockBuffer buffer = filled();
        servers.fails = new SQLException("locked");
        buffer.next();
        buffer.next();
        scheduler.runNext();
        scheduler.fails = new OutOfMemoryError("unable to create native thread");
        scheduler.delayed.remove().run();

        BlockStatistics blocks = buffer.statistics().blocks().orElseThrow();
        assertThat(blocks.failure()).contains("unable to create native thread");
        assertThat(blocks.failedFetches()).isEqualTo(2);
    }

    /** The age of ids begins when a server is asked, and not when the buffer wants them. */
    @Test
    void theWaitForOthersIsNoAge() {
        BlockBuffer buffer = buffer(source);
        buffer.prefetch();
        nanos.addAndGet(5 * MILLI);
        scheduler.runDelayed();
        nanos.addAndGet(3 * MILLI);
        scheduler.runNext();
        nanos.addAndGet(MILLI);

        assertThat(buffer.tryNextBlock(1).orElseThrow().age()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void buffersAreClosedTogether() throws Exception {
        BlockBuffer one = filled();
        BlockBuffer other = buffer(new Source(servers));
        other.prefetch();
        BlockBuffers.close(List.of(one, other));

        assertThatThrownBy(one::next).hasMessageContaining("closed");
        assertThatThrownBy(other::next).hasMessageContaining("closed");
        assertThat(one.statistics().blocks().map(BlockStatistics::dropped)).hasValue(7L);
    }

    @Test
    void outagesOfTheSameServersAreWarnedOfOnce() {
        assertThat(warningsOf(new Down("t1"), new Down("t1"))).hasSize(1);
        assertThat(warningsOf(new Down("t1"), new Down("t2"))).hasSize(2);
        assertThat(warningsOf(new Down(""), new Down(""))).as("unnamed").hasSize(2);
    }

    private List<String> warningsOf(Down... sources) {
        BlockBuffers buffers = new BlockBuffers(threads, opened -> {}, Platform.JVM);
        Settings impatient = Settings.of(Map.of("distributedid.block.timeout", "10ms"));
        try (LoggedWarnings warnings = LoggedWarnings.of(FetchHistory.class)) {
            for (int i = 0; i < sources.length; i++) {
                BlockBuffer buffer =
                        buffers.buffer(new Sequence("s" + i, Long.MAX_VALUE, "test", impatient), sources[i]);
                assertThatThrownBy(buffer::next).isInstanceOf(IdUnavailableException.class);
                Await.until(
                        "the fetch has failed",
                        () -> buffer.statistics()
                                .blocks()
                                .orElseThrow()
                                .failure()
                                .isPresent());
                buffer.close();
            }
            return warnings.messages();
        }
    }

    private record Down(String label) implements GroupedSource {

        @Override
        public BlockGroup group() {
            return new BlockGroup() {
                @Override
                public String label() {
                    return label;
                }

                @Override
                public int parallel() {
                    return 1;
                }

                @Override
                public void reserve(List<BlockRequest> requests) {
                    requests.forEach(each -> each.fail(new SQLException("down")));
                }
            };
        }

        @Override
        public Block reserve(long wanted) {
            throw new IllegalStateException("The group answers");
        }
    }
}
