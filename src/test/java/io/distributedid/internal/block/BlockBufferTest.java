package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.BlockStatistics;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockBufferTest {

    private static final long BLOCK = 8;

    private static final Sequence SEQUENCE = new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of()));

    private final ScriptedSource source = new ScriptedSource();

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void theFirstCallerWaitsForTheFirstBlock() {
        BlockBuffer buffer = filled();

        assertThat(buffer.next()).isEqualTo(1);
        assertThat(source.wanted).containsExactly(BLOCK);
    }

    @Test
    void theNextBlockIsReservedWhenAQuarterIsUsedAndNobodyWaitsForIt() {
        BlockBuffer buffer = filled();
        take(buffer, 2);
        assertThat(scheduler.tasks).isEmpty();

        take(buffer, 1);
        assertThat(scheduler.tasks).hasSize(1);
        take(buffer, 5);
        scheduler.runNext();

        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void idsAreHandedOutInTheOrderOfTheirReservation() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        scheduler.runNext();

        for (long expected = 4; expected <= 2 * BLOCK; expected++) {
            assertThat(buffer.next()).isEqualTo(expected);
        }
    }

    @Test
    void tryNextNeverWaits() {
        BlockBuffer buffer = filled();
        assertThat(buffer.tryNext()).as("nothing is reserved").isZero();
        buffer.next();

        for (long expected = 2; expected <= BLOCK; expected++) {
            assertThat(buffer.tryNext()).isEqualTo(expected);
        }
        assertThat(scheduler.tasks).as("the next block").hasSize(1);
        assertThat(buffer.tryNext()).as("the block is used up").isZero();
        scheduler.runNext();
        assertThat(buffer.next()).isEqualTo(BLOCK + 1);
        assertThat(buffer.statistics().issued()).isEqualTo(BLOCK + 1);
    }

    @Test
    void aBlockIsTakenOutOfTheReserveWithItsAge() {
        BlockBuffer buffer = filled();
        buffer.next();
        nanos.addAndGet(5_000);

        assertThat(buffer.nextBlock(3)).isEqualTo(new ReservedBlock(new Block(2, 1, 3), Duration.ofNanos(5_000)));
        assertThat(scheduler.tasks).as("the next block").hasSize(1);
        assertThat(buffer.nextBlock(100).block()).as("the rest").isEqualTo(new Block(5, 1, 4));
        scheduler.runNext();
        assertThat(buffer.nextBlock(1)).isEqualTo(new ReservedBlock(new Block(9, 1, 1), Duration.ZERO));
        assertThat(buffer.statistics().issued()).isEqualTo(BLOCK + 1);
    }

    @Test
    void aBatchThatFindsNothingGetsOneBlockForAllOfIt() {
        scheduler.direct = 1;
        BlockBuffer buffer =
                buffer(new BlockPolicy(BLOCK, 1_000, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1)));

        assertThat(buffer.nextBlock(500).block()).isEqualTo(new Block(1, 1, 500));
        assertThat(source.wanted).containsExactly(500L);
        assertThat(scheduler.tasks).as("the next block").hasSize(1);
    }

    @Test
    void aBatchGetsNoLargerBlockThanIsAllowed() {
        BlockBuffer buffer = filled();

        assertThat(buffer.nextBlock(500).block()).isEqualTo(new Block(1, 1, BLOCK));
        assertThat(source.wanted).containsExactly(BLOCK);
    }

    @Test
    void tryNextBlockNeverWaits() {
        BlockBuffer buffer = filled();
        assertThat(buffer.tryNextBlock(3)).as("nothing is reserved").isEmpty();
        buffer.next();
        nanos.addAndGet(5_000);

        assertThat(buffer.tryNextBlock(3)).hasValue(new ReservedBlock(new Block(2, 1, 3), Duration.ofNanos(5_000)));
        assertThat(scheduler.tasks).as("the next block").hasSize(1);
        assertThat(buffer.tryNextBlock(100).map(ReservedBlock::block))
                .as("the rest")
                .hasValue(new Block(5, 1, 4));
        assertThat(buffer.tryNextBlock(1)).as("the block is used up").isEmpty();
        scheduler.runNext();
        assertThat(buffer.tryNextBlock(2)).hasValue(new ReservedBlock(new Block(9, 1, 2), Duration.ZERO));
        assertThat(buffer.next()).isEqualTo(11);
        assertThat(buffer.statistics().issued()).isEqualTo(11);

        buffer.close();
        assertThat(buffer.tryNextBlock(1)).as("closed").isEmpty();
    }

    @Test
    void aBlockOfNoIdsIsRefused() {
        BlockBuffer buffer = filled();

        assertThatThrownBy(() -> buffer.nextBlock(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of ids must be at least 1: count=0");
        assertThatThrownBy(() -> buffer.tryNextBlock(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of ids must be at least 1: count=0");
    }

    @Test
    void aStoppedBufferHandsNothingOut() {
        BlockBuffer buffer = filled();
        take(buffer, 3);

        buffer.stop();
        scheduler.runNext();
        buffer.close();

        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed");
        assertThat(buffer.tryNext()).isZero();
        assertThatThrownBy(() -> buffer.nextBlock(1)).isInstanceOf(IdUnavailableException.class);
        assertThat(buffer.tryNextBlock(1)).isEmpty();
        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 13L);
    }

    @Test
    void aCallerThatFindsNothingGetsATimelyErrorThatSaysWhatTheServerSaid() {
        source.fails = new SQLException("connection refused");
        scheduler.direct = 1;
        BlockBuffer buffer = inRealTime(Duration.ofMillis(30));

        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id within 30 ms: sequence 'photos' (Photo.id): connection refused"
                        + Pages.onCall("no-server"))
                .hasCause(source.fails);
    }

    @Test
    void aServerThatHangsIsSaidToHangAndIsServedFromWhenItRecovers() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofMillis(20)));

        assertThatThrownBy(() -> waitInVain(buffer, Duration.ofMillis(20)))
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id within 20 ms: sequence 'photos' (Photo.id): the server has not answered"
                        + Pages.onCall("no-server"));
        scheduler.runNext();
        assertThat(buffer.next()).isEqualTo(1);
        assertThat(buffer.statistics().waits()).isEqualTo(1);
    }

    @Test
    void aFailedFetchIsRepeatedWithGrowingPausesUntilItSucceeds() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        scheduler.runRetry();
        scheduler.runRetry();
        source.fails = null;
        scheduler.runRetry();
        take(buffer, 5);

        assertThat(buffer.next()).isEqualTo(9);
        assertThat(scheduler.delays)
                .containsExactly(Duration.ofMillis(20), Duration.ofMillis(40), Duration.ofMillis(80));
    }

    /** The retries run without callers, so that the first caller after the outage gets an id at once. */
    @Test
    void anOutageIsWatchedInTheBackgroundWithoutCallers() {
        source.fails = new SQLException("down");
        scheduler.direct = 1;
        BlockBuffer buffer = inRealTime(Duration.ofMillis(1));
        assertThatThrownBy(buffer::next).isInstanceOf(IdUnavailableException.class);
        scheduler.runRetry();
        source.fails = null;
        scheduler.runRetry();

        assertThat(scheduler.delayed).isEmpty();
        assertThat(buffer.next()).isEqualTo(1);
    }

    @Test
    void whoAsksLongAfterAnOutageBeganIsToldAtOnce() {
        BlockBuffer buffer = inOutage(Duration.ofSeconds(10));

        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id could be reserved for 10000 ms, so callers no longer wait"
                        + " (distributedid.block.timeout=10000ms): sequence 'photos' (Photo.id): down. Retrying in the"
                        + " background" + Pages.onCall("no-server"))
                .hasCause(source.fails);
        assertThat(buffer.statistics().waits()).as("callers that waited").isZero();
        source.fails = null;
        scheduler.runRetry();
        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void whoAsksAfterARepairWaitsAgain() {
        BlockBuffer buffer = inOutage(Duration.ofHours(1));
        assertThatThrownBy(buffer::next).isInstanceOf(IdUnavailableException.class);

        buffer.restartOutageTimeout();
        source.fails = null;
        CompletableFuture<Long> caller = CompletableFuture.supplyAsync(buffer::next);
        Await.until("the caller waits", () -> buffer.statistics().waits() > 0);
        scheduler.runRetry();
        assertThat(caller.join()).isEqualTo(9);
    }

    /** A refusal ends the outage: in the next outage callers wait for the full timeout again. */
    @Test
    void aRefusalEndsAnOutage() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        nanos.addAndGet(Duration.ofHours(2).toNanos());
        source.refuses = new IdConfigurationException("wrong table");
        scheduler.runRetry();
        take(buffer, 5);
        scheduler.direct = 1;
        assertThatThrownBy(buffer::next).hasMessageContaining("wrong table");

        source.fails = null;
        source.refuses = null;
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void aSequenceThatIsUsedNowAndThenHasFreshIdsEveryTime() {
        BlockBuffer buffer = filled();
        take(buffer, 1);
        for (int call = 0; call < 12; call++) {
            for (int second = 0; second < 5; second++) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                scheduler.direct = 1;
                scheduler.tick();
            }
            scheduler.direct = 0;
            assertThat(blocks(buffer).reserve()).as("before call %d", call).isPositive();
            take(buffer, 1);
        }
    }

    @Test
    void ifNoThreadCanBeStartedTheNextCallerTriesAgain() {
        BlockBuffer buffer = filled();
        take(buffer, 2);
        scheduler.fails = new OutOfMemoryError("unable to create native thread");
        take(buffer, 6);
        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id can be reserved: sequence 'photos' (Photo.id): unable to create native thread");
        assertThat(blocks(buffer).failure()).contains("unable to create native thread");

        scheduler.fails = null;
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void aRefusalReachesTheCallerAtOnceAndTheNextCallerTriesAgain() {
        source.refuses = new IdConfigurationException("not like this");
        scheduler.direct = 2;
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));

        assertThatThrownBy(buffer::next).isSameAs(source.refuses);
        source.refuses = null;
        assertThat(buffer.next()).isEqualTo(1);
    }

    @Test
    void aRefusalReachesAllCallersThatWaitedForTheFetchAndALaterOneFetches() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        List<CompletableFuture<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            callers.add(CompletableFuture.supplyAsync(buffer::next, task -> new Thread(task).start()));
        }
        Await.until("all wait", () -> buffer.statistics().waits() == 5);
        IdConfigurationException refusal = new IdConfigurationException("retired");
        source.refuses = refusal;
        scheduler.runNext();

        for (CompletableFuture<Long> each : callers) {
            assertThat(each).failsWithin(Await.PATIENCE).withThrowableThat().withCause(refusal);
        }
        assertThat(scheduler.tasks).as("fetches").isEmpty();
        source.refuses = null;
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(1);
    }

    /** The operator has repaired the cause meanwhile. */
    @Test
    void aRefusalOfTheTimeBeforeACallerCameIsNotItsOwn() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.refuses = new IdConfigurationException("the counter must be repaired");
        scheduler.runNext();
        assertThat(blocks(buffer).failure()).contains("the counter must be repaired");
        source.refuses = null;
        take(buffer, 5);
        scheduler.direct = 1;

        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void aServerThatHangsAfterItRefusedIsSaidToHaveRefused() {
        scheduler.direct = 1;
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofMillis(20)));
        source.refuses = new IdConfigurationException("retired");
        assertThatThrownBy(buffer::next).isSameAs(source.refuses);

        assertThatThrownBy(() -> waitInVain(buffer, Duration.ofMillis(20)))
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id within 20 ms: sequence 'photos' (Photo.id): the server has not answered; before"
                        + " that, it refused: retired" + Pages.onCall("no-server"))
                .hasCause(source.refuses);
    }

    @Test
    void idsThatWillSoonBeTooOldAreReplacedWhileThereIsDemand() {
        BlockBuffer buffer = filled();
        take(buffer, 1);
        nanos.addAndGet(Duration.ofSeconds(7).toNanos() + 1);
        scheduler.tick();
        scheduler.runNext();
        assertThat(buffer.next()).as("not too old yet").isEqualTo(2);

        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        scheduler.tick();

        assertThat(buffer.next()).as("the first of a new block").isEqualTo(BLOCK + 1);
        assertThat(blocks(buffer).dropped()).isEqualTo(BLOCK - 2);
    }

    @Test
    void theAgeOfABlockOutOfAReserveCounts() {
        source.age = Duration.ofSeconds(6);
        BlockBuffer buffer = filled();
        take(buffer, 1);
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        scheduler.tick();
        assertThat(scheduler.tasks).as("fetches of a younger block").hasSize(1);
        source.age = Duration.ZERO;
        scheduler.runNext();
        assertThat(buffer.next()).as("not too old yet").isEqualTo(2);

        nanos.addAndGet(1);
        scheduler.tick();
        assertThat(buffer.next()).as("the first of a new block").isEqualTo(BLOCK + 1);
    }

    @Test
    void anAgeShorterThanTheFetchIsNotTheWholeAge() {
        source.age = Duration.ofSeconds(1);
        source.takes = () -> nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        BlockBuffer buffer = filled();
        take(buffer, 1);
        nanos.addAndGet(Duration.ofSeconds(4).toNanos() + 1);
        scheduler.tick();
        assertThat(blocks(buffer).dropped())
                .as("a younger block is fetched first")
                .isZero();
        source.takes = () -> {};
        scheduler.runNext();
        scheduler.tick();

        assertThat(blocks(buffer).dropped()).isEqualTo(BLOCK - 1);
    }

    /** The size of blocks follows the duration of fetches. */
    @Test
    void theAgeOfABlockIsNotTheDurationOfItsFetch() {
        source.age = Duration.ofSeconds(5);
        source.takes = () -> nanos.addAndGet(Duration.ofMillis(3).toNanos());
        BlockBuffer buffer = filled();
        take(buffer, 1);

        assertThat(blocks(buffer).fetchTime()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void oldIdsAreDroppedAndNotReplacedWithoutDemand() {
        BlockBuffer buffer = filled();
        take(buffer, 1);
        scheduler.tick();
        nanos.addAndGet(Duration.ofSeconds(7).toNanos() + 1);
        scheduler.tick();
        assertThat(scheduler.tasks)
                .as("the last was taken within block.max_age")
                .hasSize(1);
        scheduler.runNext();
        nanos.addAndGet(Duration.ofSeconds(9).toNanos() + 1);
        scheduler.tick();

        assertThat(scheduler.tasks).isEmpty();
        assertThat(blocks(buffer).reserve()).isZero();
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(2 * BLOCK + 1);
    }

    @Test
    void oldIdsAreUsedAllTheSameWhileNoServerAnswers() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        scheduler.tick();

        assertThat(buffer.next()).isEqualTo(4);
        assertThat(blocks(buffer).overdue()).isEqualTo(1);
    }

    @Test
    void aBlockIsCutWhereTheTypeEndsAndTheNextIsRefused() {
        Sequence narrow = new Sequence("photos", 3, "Photo.id", Settings.of(Map.of()));
        scheduler.direct = 3;
        BlockBuffer buffer = LoneBuffer.of(narrow, source, policy(BLOCK, Duration.ofHours(1)), scheduler, nanos::get);
        take(buffer, 3);

        // Nobody waited when the second fetch was refused.
        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessage("The next id does not fit its type: sequence 'photos' (Photo.id) id=17, allowed: up to 3."
                        + " Map the property to a wider type" + Pages.onCall("counter-no-room"));
    }

    @Test
    void theStrictModeReservesOneIdAtATimeAndNoneAhead() {
        scheduler.direct = 3;
        BlockBuffer buffer = buffer(policy(1, Duration.ofHours(1)));
        take(buffer, 3);

        assertThat(source.wanted).containsExactly(1L, 1L, 1L);
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        Thread.currentThread().interrupt();

        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for an id: sequence 'photos' (Photo.id)");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aClosedBufferRefusesEvenWhatItHadReserved() {
        BlockBuffer buffer = filled();
        take(buffer, 1);
        buffer.close();
        buffer.close();

        assertThatThrownBy(buffer::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: sequence 'photos' (Photo.id)");
    }

    @Test
    void aClosedBufferIsWatchedNoMore() {
        BlockBuffer buffer = filled();
        assertThat(scheduler.periodic).hasSize(1);

        buffer.close();
        assertThat(scheduler.periodic).isEmpty();
    }

    @Test
    void whatABufferDoesIsCounted() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        nanos.addAndGet(7);
        source.fails = new SQLException("down");
        scheduler.runNext();

        SequenceStatistics failing = buffer.statistics();
        assertThat(failing.issued()).isEqualTo(3);
        assertThat(failing.blocks())
                .contains(new BlockStatistics(8, 5, 0, 0, 1, 1, Duration.ZERO, Optional.of("down")));
        source.fails = null;
        source.takes = () -> nanos.addAndGet(1_000);
        scheduler.runRetry();
        assertThat(blocks(buffer))
                .isEqualTo(new BlockStatistics(16, 13, 0, 0, 2, 1, Duration.ofNanos(1_000), Optional.empty()));
        buffer.close();
        assertThat(blocks(buffer))
                .isEqualTo(new BlockStatistics(16, 0, 13, 0, 2, 1, Duration.ofNanos(1_000), Optional.empty()));
        assertThat(buffer.statistics().issued()).isEqualTo(3);
    }

    @Test
    void aWaitIsCountedOnceAndTimed() {
        source.takes = () -> nanos.addAndGet(40);
        source.fails = new SQLException("down");
        scheduler.direct = 1;
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofNanos(30)));

        assertThatThrownBy(buffer::next).hasMessageStartingWith("No id within 0 ms");
        assertThat(buffer.statistics().waits()).isZero();
        source.takes = () -> {};
        BlockBuffer waiting = buffer(policy(BLOCK, Duration.ofMillis(5)));
        assertThatThrownBy(() -> waitInVain(waiting, Duration.ofMillis(5)))
                .cause()
                .hasMessageStartingWith("No id within 5 ms");
        assertThat(waiting.statistics().waits()).isEqualTo(1);
        assertThat(waiting.statistics().waitTime()).isEqualTo(Duration.ofMillis(5));
    }

    /** Otherwise health would stay bad as long as there are no callers. */
    @Test
    void anEmptyReserveWhoseFetchWasRefusedIsTriedAgainOnDemand() {
        source.refuses = new IdConfigurationException("wrong table");
        scheduler.direct = 1;
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        assertThatThrownBy(buffer::next).hasMessage("wrong table");
        assertThat(scheduler.tasks).isEmpty();
        assertThat(scheduler.delayed).isEmpty();

        buffer.recover();
        buffer.recover();
        assertThat(scheduler.tasks).hasSize(1);
        source.refuses = null;
        scheduler.runNext();
        assertThat(blocks(buffer).failure()).isEmpty();
        buffer.recover();
        assertThat(scheduler.tasks).isEmpty();
        assertThat(buffer.next()).isEqualTo(1);
    }

    @Test
    void aDiscardDropsTheBlocksInUseAndTheOneThatIsBeingFetched() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        buffer.discard();
        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 5L);
        assertThat(buffer.tryNext()).isZero();

        scheduler.runNext();
        assertThat(blocks(buffer)).extracting("reserve", "dropped", "fetched").containsExactly(0L, 13L, 2L);
        assertThat(scheduler.tasks).as("nobody waits").isEmpty();
        scheduler.direct = 1;
        assertThat(buffer.next()).as("the first of a block reserved after it").isEqualTo(2 * BLOCK + 1);
        assertThat(buffer.statistics().issued()).isEqualTo(4);
    }

    @Test
    void aDiscardDropsTheNextBlockToo() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        scheduler.runNext();
        buffer.discard();

        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 13L);
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(2 * BLOCK + 1);
    }

    @Test
    void aCallerThatWaitsForADiscardedBlockGetsTheOneAfterIt() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        CompletableFuture<Long> caller = CompletableFuture.supplyAsync(buffer::next);
        Await.until("the caller waits", () -> buffer.statistics().waits() == 1);
        buffer.discard();
        scheduler.runNext();
        assertThat(scheduler.tasks).as("fetches for the caller").hasSize(1);
        scheduler.runNext();

        assertThat(caller.join()).isEqualTo(BLOCK + 1);
    }

    @Test
    void theFirstBlockIsReservedAheadOnce() {
        BlockBuffer buffer =
                buffer(new BlockPolicy(2, BLOCK, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1)));
        buffer.prefetch();
        buffer.prefetch();
        assertThat(scheduler.tasks).hasSize(1);
        scheduler.runNext();
        buffer.prefetch();
        assertThat(scheduler.tasks).as("there is a block").isEmpty();
        assertThat(source.wanted).as("the smallest block").containsExactly(2L);
        assertThat(buffer.tryNextBlock(1).map(ReservedBlock::block)).hasValue(new Block(1, 1, 1));

        BlockBuffer used = filled();
        take(used, 1);
        scheduler.tasks.clear();
        used.prefetch();
        assertThat(scheduler.tasks).as("a block is in use").isEmpty();
    }

    @Test
    void nothingIsReservedAheadInStrictModeOrAfterTheEnd() {
        buffer(policy(1, Duration.ofHours(1))).prefetch();
        BlockBuffer closed = buffer(policy(BLOCK, Duration.ofHours(1)));
        closed.stop();
        closed.prefetch();

        assertThat(scheduler.tasks).isEmpty();
    }

    @Test
    void aCloseDropsUnusedIds() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        scheduler.runNext();
        buffer.close();

        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 13L);
    }

    @Test
    void aCloseWaitsForAFetchThatRuns() throws Exception {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        buffer.stop();
        // However long this machine takes, the second is not over.
        nanos.addAndGet(-Duration.ofDays(1).toNanos());
        Thread closing = new Thread(buffer::close);
        closing.start();
        Await.until(
                "it waits",
                () -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive(),
                closing::getState);
        scheduler.runNext();
        closing.join();

        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 13L);
    }

    @Test
    void aCloseWaitsNoLongerThanASecondAfterTheEndBegan() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        buffer.stop();
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        buffer.close();

        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 5L);
    }

    @Test
    void anInterruptEndsTheWaitOfACloseAndStaysSet() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        Thread.currentThread().interrupt();
        buffer.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(0L, 5L);
    }

    @Test
    void aCloseEndsTheWaitOfCallers() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        CompletableFuture<Long> caller = CompletableFuture.supplyAsync(buffer::next);
        Await.until("the caller waits", () -> buffer.statistics().waits() == 1);
        buffer.stop();

        assertThatThrownBy(caller::join).hasMessageContaining("The source of ids is closed: sequence 'photos'");
        assertThat(scheduler.periodic).isEmpty();
    }

    @Test
    void afterTheEndAFailedFetchIsNotRepeated() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        buffer.stop();
        scheduler.runNext();

        assertThat(scheduler.delayed).isEmpty();
        buffer.close();
    }

    @Test
    void aRetryThatIsDueAfterTheEndReservesNothingAndIsNotWaitedFor() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        buffer.close();
        scheduler.runRetry();

        assertThat(source.wanted).hasSize(2);
        assertThat(scheduler.tasks).isEmpty();
    }

    @Test
    void ifNoRetryCanBeScheduledTheNextCallerFetches() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.fails = new OutOfMemoryError("unable to create native thread");
        scheduler.runNext();
        source.fails = null;
        scheduler.fails = null;
        take(buffer, 5);
        scheduler.direct = 1;

        assertThat(buffer.next()).isEqualTo(9);
    }

    @Test
    void asManyCallersAreWokenAsThereAreIds() throws Exception {
        BlockBuffer buffer = buffer(policy(2, Duration.ofHours(1)));
        List<CompletableFuture<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            callers.add(CompletableFuture.supplyAsync(buffer::next, task -> new Thread(task).start()));
        }
        Await.until("all wait", () -> buffer.statistics().waits() == 5);
        Set<Long> ids = new TreeSet<>();
        while (ids.size() < 5) {
            Await.until("a fetch for those who wait", () -> !scheduler.tasks.isEmpty());
            scheduler.runNext();
            int expected = Math.min(5, source.wanted.size() * 2);
            Await.until(
                    "as many have an id",
                    () -> callers.stream().filter(CompletableFuture::isDone).count() >= expected);
            callers.stream().filter(CompletableFuture::isDone).forEach(each -> ids.add(each.join()));
        }

        assertThat(ids).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aCallerThatIsInterruptedLeavesItsFetchToTheNextOne() throws Exception {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        CompletableFuture<Long> caller = new CompletableFuture<>();
        Thread waiting = new Thread(() -> caller.completeAsync(buffer::next, Runnable::run));
        waiting.start();
        Await.until("it waits", () -> buffer.statistics().waits() == 1);
        waiting.interrupt();
        waiting.join();
        assertThatThrownBy(caller::join)
                .hasMessageContaining("Interrupted while waiting for an id: sequence 'photos' (Photo.id)");
        scheduler.runNext();

        assertThat(buffer.next()).isEqualTo(1);
    }

    @Test
    void tryNextStartsTheNextFetchWithTheIdAtAQuarterAlone() {
        BlockBuffer buffer = filled();
        buffer.next();
        buffer.tryNext();
        assertThat(scheduler.tasks).isEmpty();

        buffer.tryNext();
        assertThat(scheduler.tasks).hasSize(1);
    }

    @Test
    void theFirstIdOfASmallBlockStartsTheNextFetch() {
        scheduler.direct = 1;
        BlockBuffer buffer = buffer(policy(2, Duration.ofHours(1)));

        assertThat(buffer.next()).isEqualTo(1);
        assertThat(scheduler.tasks).hasSize(1);
    }

    @Test
    void theNextBlockHasWhatABatchStillLacks() {
        scheduler.direct = 1;
        BlockBuffer buffer =
                buffer(new BlockPolicy(BLOCK, 1_000, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1)));
        buffer.next();

        assertThat(buffer.nextBlock(500).block()).isEqualTo(new Block(2, 1, 7));
        scheduler.runNext();
        assertThat(source.wanted).containsExactly(BLOCK, 493L);
    }

    /** Otherwise callers that find a block used up would count its ids on until they come round. */
    @Test
    void callersInALongOutageBringNoIdBack() {
        AtomicLong reserved = new AtomicLong();
        BlockBuffer buffer = LoneBuffer.of(
                SEQUENCE,
                wanted -> {
                    if (reserved.getAndIncrement() > 0) {
                        throw new SQLException("down");
                    }
                    return new Block(1, 1L << 61, 3);
                },
                policy(3, Duration.ZERO),
                scheduler,
                nanos::get);
        scheduler.direct = 2;
        take(buffer, 3);

        for (int call = 0; call < 20; call++) {
            assertThatThrownBy(buffer::next).isInstanceOf(IdUnavailableException.class);
        }
        assertThat(buffer.statistics().issued()).isEqualTo(3);
    }

    /** One of two that wait gets the only id; the other one fetches. */
    @Test
    void aCallerThatLeavesWakesTheNextOne() {
        BlockBuffer buffer = buffer(policy(1, Duration.ofHours(1)));
        // The common pool may have one thread only.
        CompletableFuture<Long> first = CompletableFuture.supplyAsync(buffer::next, task -> new Thread(task).start());
        CompletableFuture<Long> second = CompletableFuture.supplyAsync(buffer::next, task -> new Thread(task).start());
        Await.until("both wait", () -> buffer.statistics().waits() == 2);
        scheduler.runNext();
        Await.until("the other one fetches", () -> !scheduler.tasks.isEmpty());
        scheduler.runNext();

        assertThat(first.join() + second.join()).isEqualTo(1 + 2);
    }

    @Test
    void afterACallerHasWaitedADiscardedBlockIsNotReplacedForNobody() {
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofHours(1)));
        CompletableFuture<Long> caller = CompletableFuture.supplyAsync(buffer::next);
        Await.until("the caller waits", () -> buffer.statistics().waits() == 1);
        scheduler.runNext();
        assertThat(caller.join()).isEqualTo(1);
        take(buffer, 2);
        buffer.discard();
        scheduler.runNext();

        assertThat(scheduler.tasks).isEmpty();
    }

    @Test
    void aFresherBlockTakesThePlaceOfTheNextOne() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        scheduler.runNext();
        nanos.addAndGet(Duration.ofSeconds(7).toNanos() + 1);
        scheduler.tick();
        scheduler.runNext();

        assertThat(blocks(buffer)).extracting("reserve", "dropped").containsExactly(5L + BLOCK, BLOCK);
        assertThat(buffer.statistics().issued()).isEqualTo(3);
        take(buffer, 5);
        assertThat(buffer.next()).isEqualTo(2 * BLOCK + 1);
    }

    @Test
    void nothingElseIsFetchedDuringARetry() {
        BlockBuffer buffer = filled();
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        take(buffer, 5);
        source.fails = null;
        source.takes = buffer::recover;
        scheduler.runRetry();

        assertThat(scheduler.tasks).isEmpty();
        assertThat(source.wanted).hasSize(3);
    }

    @Test
    void aStoppedBufferIsClosedAndWatchedNoMore() {
        BlockBuffer buffer = filled();
        take(buffer, 1);
        buffer.stop();

        assertThat(scheduler.periodic).isEmpty();
        assertThatThrownBy(buffer::next).hasMessageStartingWith("The source of ids is closed");
    }

    @Test
    void afterEachOperationOthersCanUseTheBuffer() {
        List<Consumer<BlockBuffer>> operations = List.of(
                buffer -> buffer.tryNextBlock(1),
                buffer -> scheduler.tick(),
                BlockBuffer::prefetch,
                BlockBuffer::recover,
                BlockBuffer::discard,
                BlockBuffer::restartOutageTimeout,
                BlockBuffer::statistics,
                BlockBuffer::stop);
        for (Consumer<BlockBuffer> operation : operations) {
            BlockBuffer buffer = filled();
            take(buffer, 1);
            operation.accept(buffer);

            assertThat(CompletableFuture.supplyAsync(buffer::statistics)).succeedsWithin(Await.PATIENCE);
        }
    }

    private static BlockStatistics blocks(BlockBuffer buffer) {
        return buffer.statistics().blocks().orElseThrow();
    }

    /** Fetches the first block at once; the test runs later fetches by hand. */
    private BlockBuffer filled() {
        scheduler.direct = 1;
        return buffer(policy(BLOCK, Duration.ofHours(1)));
    }

    private BlockBuffer buffer(BlockPolicy policy) {
        return LoneBuffer.of(SEQUENCE, source, policy, scheduler, nanos::get);
    }

    /** The buffer is used up, and fetches have failed for {@code since}. Callers wait for ten seconds. */
    private BlockBuffer inOutage(Duration since) {
        scheduler.direct = 1;
        BlockBuffer buffer = buffer(policy(BLOCK, Duration.ofSeconds(10)));
        take(buffer, 3);
        source.fails = new SQLException("down");
        scheduler.runNext();
        nanos.addAndGet(since.toNanos());
        take(buffer, 5);
        return buffer;
    }

    /** The clock stands still until the caller waits. */
    private void waitInVain(BlockBuffer buffer, Duration timeout) {
        CompletableFuture<Long> caller = new CompletableFuture<>();
        Thread waiting = new Thread(() -> caller.completeAsync(buffer::next, Runnable::run));
        waiting.start();
        Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING, waiting::getState);
        nanos.addAndGet(timeout.toNanos());
        long unused = caller.join();
    }

    private BlockBuffer inRealTime(Duration timeout) {
        return LoneBuffer.of(SEQUENCE, source, policy(BLOCK, timeout), scheduler, System::nanoTime);
    }

    private static BlockPolicy policy(long block, Duration timeout) {
        return new BlockPolicy(block, block, Optional.of(Duration.ofSeconds(10)), timeout);
    }

    private static void take(BlockBuffer buffer, int count) {
        for (int i = 0; i < count; i++) {
            buffer.next();
        }
    }
}
