package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.BlockStatistics;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NextBlockTest {

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong(50);

    @AfterEach
    void leave() {
        Thread.interrupted();
    }

    private BlockBuffer buffer(BlockSource source, long maxValue) {
        scheduler.direct = 1;
        return LoneBuffer.of(
                new Sequence("photos", maxValue, "Photo.id", Settings.of(Map.of())),
                source,
                new BlockPolicy(4, 100, Optional.empty(), Duration.ofSeconds(1)),
                scheduler,
                nanos::get);
    }

    private Block fetched(long maxValue) {
        return buffer(wanted -> new Block(90, 5, 4), maxValue).nextBlock(4).block();
    }

    @Test
    void aBlockIsCutToTheIdsThatFitTheType() {
        assertThat(fetched(100)).isEqualTo(new Block(90, 5, 3));
        assertThat(fetched(99)).isEqualTo(new Block(90, 5, 2));
        assertThat(fetched(105)).isEqualTo(new Block(90, 5, 4));
        assertThat(fetched(90)).isEqualTo(new Block(90, 5, 1));
        assertThatThrownBy(() -> fetched(89)).isInstanceOf(IdsExhaustedException.class);
    }

    @Test
    void idsAreAsOldAsTheSourceSaysOrAsTheFetchTook() {
        BlockSource source = new BlockSource() {
            @Override
            public Block reserve(long wanted) {
                return new Block(1, 1, wanted);
            }

            @Override
            public ReservedBlock reserveAged(long wanted) {
                nanos.addAndGet(5);
                return new ReservedBlock(reserve(wanted), Duration.ofNanos(20));
            }
        };
        BlockBuffer buffer = buffer(source, Long.MAX_VALUE);

        assertThat(buffer.nextBlock(4)).isEqualTo(new ReservedBlock(new Block(1, 1, 4), Duration.ofNanos(20)));
        assertThat(buffer.statistics().blocks().map(BlockStatistics::fetchTime)).hasValue(Duration.ofNanos(5));
        BlockBuffer slow = buffer(
                wanted -> {
                    nanos.addAndGet(7);
                    return new Block(1, 1, wanted);
                },
                Long.MAX_VALUE);
        assertThat(slow.nextBlock(4).age()).isEqualTo(Duration.ofNanos(7));
    }

    @Test
    void anInterruptOfAFetchIsItsFailureAndStaysSet() {
        BlockBuffer buffer = buffer(
                wanted -> {
                    throw new InterruptedException("stop");
                },
                Long.MAX_VALUE);
        buffer.prefetch();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(buffer.statistics().blocks().flatMap(BlockStatistics::failure))
                .contains("stop");
        assertThat(scheduler.delayed).as("a retry").hasSize(1);
    }

    /** Otherwise the buffer would wait for an answer for ever. */
    @Test
    void anAnswerThatCannotBeUsedIsAFailure() {
        BlockBuffer buffer = buffer(
                new BlockSource() {
                    @Override
                    public Block reserve(long wanted) throws SQLException {
                        throw new SQLException("Nobody asks it");
                    }

                    @Override
                    public ReservedBlock reserveAged(long wanted) {
                        return new ReservedBlock(new Block(1, 1, wanted), Duration.ofSeconds(Long.MAX_VALUE));
                    }
                },
                Long.MAX_VALUE);
        buffer.prefetch();

        assertThat(buffer.statistics().blocks().flatMap(BlockStatistics::failure))
                .contains("long overflow");
    }
}
