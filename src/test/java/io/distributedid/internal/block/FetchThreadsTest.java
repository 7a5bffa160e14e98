package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.testkit.LoggedWarnings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FetchThreadsTest {

    private static final Duration SOON = Duration.ofMillis(1);

    private static final long PATIENCE_SECONDS = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);

    private final AtomicInteger refused = new AtomicInteger();

    private FetchThreads threads = new FetchThreads();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void whatIsDueIsDoneThoughNoThreadCouldBeStartedForIt() throws Exception {
        threads = new FetchThreads(this::refusedTwice);
        CountDownLatch done = new CountDownLatch(1);
        try (LoggedWarnings warnings = LoggedWarnings.of(FetchThreads.class)) {
            threads.executeAfter(SOON, done::countDown);

            assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("done")
                    .isTrue();
            assertThat(warnings.messages())
                    .hasSize(2)
                    .containsOnly("No thread can be started for a fetch; retrying in 200 ms");
        }
        assertThat(refused).hasValue(2);
    }

    @Test
    void whatIsDoneAgainAndAgainGoesOnAfterAnError() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        threads.every(SOON, () -> {
            rounds.countDown();
            throw new OutOfMemoryError("unable to create native thread");
        });

        assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("goes on")
                .isTrue();
    }

    @Test
    void tasksRunOnThreadsOfTheLibraryAtOnceOrLater() throws Exception {
        CompletableFuture<Thread> atOnce = new CompletableFuture<>();
        CompletableFuture<Thread> later = new CompletableFuture<>();
        threads.execute(() -> atOnce.complete(Thread.currentThread()));
        threads.executeAfter(SOON, () -> later.complete(Thread.currentThread()));

        for (Thread thread : List.of(result(atOnce), result(later))) {
            assertThat(thread).isInstanceOf(LibraryThread.class);
            assertThat(thread.getName()).startsWith("distributedid-fetch-");
        }
        assertThat(result(atOnce).getName()).isEqualTo("distributedid-fetch-1");
    }

    @Test
    void eightTasksRunAtOnce() throws Exception {
        CyclicBarrier together = new CyclicBarrier(8);
        CountDownLatch done = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            threads.execute(() -> {
                try {
                    together.await();
                    done.countDown();
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aPeriodicTaskEndsWhenItIsTold() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch twice = new CountDownLatch(2);
        Runnable task = () -> {
            runs.incrementAndGet();
            twice.countDown();
        };
        threads.every(SOON, task);
        assertThat(twice.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        threads.end(task);
        // One that was under way has ended when a later one of the same period has run.
        awaitRuns();
        int before = runs.get();
        awaitRuns();

        assertThat(runs).hasValue(before);
    }

    private void awaitRuns() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Runnable task = twice::countDown;
        threads.every(SOON, task);
        assertThat(twice.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        threads.end(task);
    }

    @Test
    void afterTheEndNothingBegins() {
        AtomicInteger runs = new AtomicInteger();
        threads.executeAfter(Duration.ofMillis(200), runs::incrementAndGet);
        threads.close();
        threads.execute(runs::incrementAndGet);
        threads.executeAfter(Duration.ZERO, runs::incrementAndGet);
        threads.every(SOON, runs::incrementAndGet);

        assertThat(threads.awaitEnd(PATIENCE)).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    void theEndInterruptsWhatRunsAndCanBeWaitedFor() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ends = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        threads.execute(() -> {
            begun.countDown();
            boolean was = false;
            while (ends.getCount() > 0) {
                try {
                    ends.await();
                } catch (InterruptedException e) {
                    was = true;
                }
            }
            interrupted.complete(was);
        });
        begun.await();
        assertThat(threads.awaitEnd(SOON)).as("not told to end").isFalse();
        threads.close();

        assertThat(threads.awaitEnd(SOON)).as("it goes on").isFalse();
        Thread.currentThread().interrupt();
        assertThat(threads.awaitEnd(PATIENCE)).as("the wait is interrupted").isFalse();
        assertThat(Thread.interrupted()).isTrue();
        ends.countDown();
        assertThat(threads.awaitEnd(PATIENCE)).isTrue();
        Thread.currentThread().interrupt();
        assertThat(threads.awaitEnd(PATIENCE))
                .as("it has ended before the interrupt")
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result(interrupted)).isTrue();
    }

    @Test
    void whatGoesWrongOnATimerIsLoggedWithItsTrace() {
        OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
        try (LoggedWarnings warnings = LoggedWarnings.of(FetchThreads.class)) {
            FetchThreads.warn("A task has failed", error);

            // Threads of other tests may warn too.
            assertThat(warnings.messages()).contains("A task has failed");
            assertThat(warnings.thrown()).contains(error);
        }
    }

    @Test
    void ifNothingCanBeLoggedThatIsNoError() {
        OutOfMemoryError error = new OutOfMemoryError("unable to create native thread");
        IllegalStateException full = new IllegalStateException("disk full");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                throw full;
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(FetchThreads.class.getName());
        logger.addHandler(handler);
        try {
            FetchThreads.warn("A task has failed", error);
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(error).hasSuppressedException(full);
    }

    private static <T> T result(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private Thread refusedTwice(String name, Runnable task) {
        if (name.startsWith("distributedid-timer") || refused.get() == 2) {
            return LibraryThread.named(name, task);
        }
        refused.incrementAndGet();
        throw new OutOfMemoryError("unable to create native thread");
    }
}
