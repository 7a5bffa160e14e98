package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Block;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** In strict mode an id is only for a caller that came before it was asked for. The test runs each fetch by hand. */
class StrictBufferTest {

    private static final Sequence SEQUENCE = new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of()));

    private final ScriptedSource source = new ScriptedSource();

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong();

    private final BlockBuffer buffer = LoneBuffer.of(
            SEQUENCE,
            source,
            new BlockPolicy(1, 1, Optional.of(Duration.ofSeconds(10)), Duration.ofHours(1)),
            scheduler,
            nanos::get);

    /** A call on a thread of its own, which waits for the buffer. */
    private record Caller(Thread thread, CompletableFuture<Long> id) {}

    @Test
    void noIdIsReservedBecauseTheLastOneIsOld() {
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(1);
        nanos.addAndGet(Duration.ofSeconds(7).toNanos() + 1);
        scheduler.tick();

        assertThat(scheduler.tasks).isEmpty();
    }

    @Test
    void whoCameBeforeTheRequestGetsTheIdAndALaterCallerTheNext() {
        Caller first = call();
        Caller later = call();
        scheduler.runNext();

        assertThat(first.id.join()).isEqualTo(1);
        Await.until("the later caller asks", () -> !scheduler.tasks.isEmpty(), scheduler.tasks::size);
        scheduler.runNext();
        assertThat(later.id.join()).isEqualTo(2);
    }

    @Test
    void anIdWhoseCallerHasGoneIsDropped() {
        Caller first = call();
        Caller later = call();
        interrupt(first);
        scheduler.runNext();

        assertThat(scheduler.tasks).as("the id of the later caller").hasSize(1);
        scheduler.runNext();
        assertThat(later.id.join()).isEqualTo(2);
        assertThat(buffer.statistics().blocks().orElseThrow())
                .extracting("reserved", "reserve", "dropped")
                .containsExactly(2L, 0L, 1L);
    }

    /** Also whoever came after the id was asked for: it has waited for that fetch. */
    @Test
    void aRefusalReachesAllWhoWaitAndALaterCallerAsksAgain() {
        IdConfigurationException refusal = new IdConfigurationException("retired");
        source.refuses = refusal;
        Caller first = call();
        Caller later = call();
        scheduler.runNext();

        assertThat(first.id).failsWithin(Await.PATIENCE).withThrowableThat().withCause(refusal);
        assertThat(later.id).failsWithin(Await.PATIENCE).withThrowableThat().withCause(refusal);
        assertThat(scheduler.tasks).isEmpty();
        source.refuses = null;
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(1);
    }

    @Test
    void theIdOfARetryThatNobodyWaitsForIsDropped() {
        source.fails = new SQLException("down");
        Caller first = call();
        scheduler.runNext();
        interrupt(first);
        source.fails = null;
        scheduler.runRetry();

        assertThat(source.wanted).containsExactly(1L, 1L);
        scheduler.direct = 1;
        assertThat(buffer.next()).isEqualTo(2);
    }

    @Test
    void whoComesDuringAnOutageMayHaveTheIdOfTheNextRetry() {
        source.fails = new SQLException("down");
        Caller first = call();
        scheduler.runNext();
        CompletableFuture<Void> all = CompletableFuture.allOf(first.id, call().id, call().id);
        source.fails = null;
        scheduler.runRetry();
        while (!all.isDone()) {
            Await.until(
                    "another asks, or all have an id",
                    () -> !scheduler.tasks.isEmpty() || all.isDone(),
                    scheduler.tasks::size);
            if (!scheduler.tasks.isEmpty()) {
                scheduler.runNext();
            }
        }

        assertThat(source.wanted).as("one that failed, and one for each caller").hasSize(4);
    }

    @Test
    void aLookAtHealthReservesNothingForLaterCallers() {
        source.fails = new SQLException("down");
        Caller first = call();
        scheduler.runNext();
        interrupt(first);
        scheduler.direct = 1;
        scheduler.runRetry();
        source.fails = null;
        buffer.recover();
        scheduler.runRetry();

        assertThat(buffer.statistics().blocks().orElseThrow().reserve()).isZero();
    }

    @Test
    void aBlockIsTakenInTheSameWay() {
        Caller first = call();
        assertThat(buffer.tryNext()).isZero();
        assertThat(buffer.tryNextBlock(5)).isEmpty();
        scheduler.runNext();
        assertThat(first.id.join()).isEqualTo(1);

        scheduler.direct = 1;
        assertThat(buffer.nextBlock(5).block()).isEqualTo(new Block(2, 1, 1));
    }

    @Test
    void anIdThatComesAfterTheEndIsDropped() {
        Caller first = call();
        buffer.stop();
        assertThat(first.id)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(IdUnavailableException.class);
        scheduler.runNext();
        buffer.close();

        assertThat(buffer.statistics().blocks().orElseThrow())
                .extracting("reserved", "reserve", "dropped")
                .containsExactly(1L, 0L, 1L);
    }

    private Caller call() {
        CompletableFuture<Long> id = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                id.complete(buffer.next());
            } catch (DistributedIdException e) {
                id.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Await.until("the caller waits", () -> thread.getState() == Thread.State.TIMED_WAITING, thread::getState);
        return new Caller(thread, id);
    }

    private static void interrupt(Caller caller) {
        caller.thread.interrupt();
        try {
            caller.id.join();
        } catch (CompletionException e) {
            assertThat(e).hasCauseInstanceOf(IdUnavailableException.class);
        }
    }
}
