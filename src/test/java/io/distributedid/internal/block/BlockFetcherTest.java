package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockFetcherTest {

    private static final Logger LOGGER = Logger.getLogger(BlockFetcher.class.getName());

    private final ManualScheduler scheduler = new ManualScheduler();

    private final List<ReservedIds> fetched = new ArrayList<>();

    private final List<Throwable> failures = new ArrayList<>();

    private final List<String> lines = new ArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @AfterEach
    void leave() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(null);
        Thread.interrupted();
    }

    private BlockFetcher fetcher(BlockSource source, long maxValue) {
        return new BlockFetcher(
                new Sequence("photos", maxValue, "Photo.id", Settings.of(Map.of())),
                source,
                new BlockPolicy(1, 100, Optional.empty(), Duration.ofSeconds(1)),
                scheduler,
                null,
                () -> 50);
    }

    private void fetch(BlockSource source, long maxValue) {
        fetcher(source, maxValue).start(4, 0, (ids, failure) -> {
            fetched.add(ids);
            failures.add(failure);
        });
        scheduler.runNext();
    }

    @Test
    void aFetchWithoutAQueueIsNotTakenBack() {
        BlockFetcher fetcher = fetcher(wanted -> new Block(90, 5, 4), 100);
        assertThat(fetcher.cancel()).isFalse();
        fetcher.start(4, 0, (ids, failure) -> fetched.add(ids));

        assertThat(fetcher.cancel()).isFalse();
    }

    @Test
    void aBlockIsCutToTheIdsThatFitTheType() {
        fetch(wanted -> new Block(90, 5, 4), 100);
        fetch(wanted -> new Block(90, 5, 4), 99);
        fetch(wanted -> new Block(90, 5, 4), 105);
        fetch(wanted -> new Block(90, 5, 4), 90);

        assertThat(fetched)
                .extracting(ReservedIds::retireRest)
                .containsExactly(
                        Optional.of(new Block(90, 5, 3)),
                        Optional.of(new Block(90, 5, 2)),
                        Optional.of(new Block(90, 5, 4)),
                        Optional.of(new Block(90, 5, 1)));
        fetch(wanted -> new Block(90, 5, 4), 89);
        assertThat(failures).last().isInstanceOf(IdsExhaustedException.class);
    }

    @Test
    void idsAreAsOldAsTheSourceSaysOrAsTheFetchTook() {
        fetch(
                new BlockSource() {
                    @Override
                    public Block reserve(long wanted) {
                        return new Block(1, 1, wanted);
                    }

                    @Override
                    public ReservedBlock reserveAged(long wanted) {
                        return new ReservedBlock(reserve(wanted), Duration.ofNanos(20));
                    }
                },
                Long.MAX_VALUE);

        assertThat(fetched.get(0).nanosSinceReserved(50)).isEqualTo(20);
        assertThat(fetched.get(0).nanosSinceSent(50)).isZero();
        assertThat(fetched.get(0).count()).as("as many as were wanted").isEqualTo(4);
    }

    @Test
    void anInterruptOfAFetchIsItsFailureAndStaysSet() {
        fetch(
                wanted -> {
                    throw new InterruptedException("stop");
                },
                Long.MAX_VALUE);

        assertThat(failures).singleElement().isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatBecameOfUnusedIdsIsLogged() {
        LOGGER.addHandler(handler);
        LOGGER.setLevel(Level.ALL);
        giveBack(true, null);
        giveBack(false, null);
        giveBack(true, new SQLException("down"));

        assertThat(lines)
                .containsExactly(
                        "Closed with 3 unused ids, given back: sequence 'photos' (Photo.id)",
                        "Closed with 3 unused ids, a gap: sequence 'photos' (Photo.id)",
                        "Unused ids could not be given back: sequence 'photos' (Photo.id)",
                        "Closed with 3 unused ids, a gap: sequence 'photos' (Photo.id)");
        giveBack(true, new InterruptedException());
        assertThat(Thread.interrupted()).isTrue();
    }

    private void giveBack(boolean takes, Exception failure) {
        fetcher(
                        new BlockSource() {
                            @Override
                            public Block reserve(long wanted) {
                                throw new AssertionError("Nobody asks it");
                            }

                            @Override
                            public boolean giveBack(Block rest) throws SQLException, InterruptedException {
                                assertThat(rest).isEqualTo(new Block(1, 1, 3));
                                if (failure instanceof SQLException down) {
                                    throw down;
                                }
                                if (failure instanceof InterruptedException interrupt) {
                                    throw interrupt;
                                }
                                return takes;
                            }
                        },
                        Long.MAX_VALUE)
                .giveBack(new Block(1, 1, 3));
    }
}
