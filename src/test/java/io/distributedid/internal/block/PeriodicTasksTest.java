package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.testkit.LoggedWarnings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeriodicTasksTest {

    private static final Duration NEVER = Duration.ofDays(1);

    private static final Duration SOON = Duration.ofMillis(1);

    private static final long PATIENCE_SECONDS = 20;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, task -> LibraryThread.named("distributedid-timer", task));

    private final PeriodicTasks tasks = new PeriodicTasks(timer);

    PeriodicTasksTest() {
        timer.setRemoveOnCancelPolicy(true);
    }

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    @Test
    void allTasksWithTheSamePeriodShareOneEntryOfTheTimer() {
        List<Runnable> added = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            AtomicInteger runs = new AtomicInteger();
            added.add(runs::incrementAndGet);
            tasks.add(Duration.ofDays(1), added.get(i));
        }
        assertThat(timer.getQueue()).hasSize(1);
        Runnable other = () -> {};
        tasks.add(NEVER.plusMillis(1), other);
        assertThat(timer.getQueue()).hasSize(2);

        added.subList(1, added.size()).forEach(tasks::remove);
        tasks.remove(other);
        assertThat(timer.getQueue()).as("one task is left").hasSize(1);
        tasks.remove(added.get(0));
        tasks.remove(added.get(0));
        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void aTaskRunsAgainAfterItsPeriodHadNoTasks() throws Exception {
        Runnable first = () -> {};
        tasks.add(SOON, first);
        tasks.remove(first);

        assertRuns();
    }

    @Test
    void aTaskThatFailsDoesNotStopTheOthers() throws Exception {
        try (LoggedWarnings warnings = LoggedWarnings.of(FetchThreads.class)) {
            tasks.add(SOON, () -> {
                throw new OutOfMemoryError("unable to create native thread");
            });

            assertRuns();
            assertThat(warnings.messages())
                    .isNotEmpty()
                    .containsOnly("A periodic task has failed; it runs again at its next time");
        }
    }

    @Test
    void tasksAreAddedAndRemovedByManyThreads() {
        Runnable task = () -> {};
        tasks.add(NEVER, task);
        assertThat(CompletableFuture.runAsync(() -> tasks.add(NEVER, () -> {})))
                .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
        tasks.remove(task);
        assertThat(CompletableFuture.runAsync(() -> tasks.remove(task)))
                .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    @Test
    void aTaskThatIsRemovedRunsNoMore() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Runnable removed = runs::incrementAndGet;
        tasks.add(SOON, removed);
        assertRuns();
        tasks.remove(removed);
        assertRuns();
        int before = runs.get();
        assertRuns();

        assertThat(before).isPositive();
        assertThat(runs).hasValue(before);
    }

    @Test
    void afterTheEndOfTheTimerTasksAreDropped() {
        timer.shutdownNow();
        Runnable late = () -> {};
        tasks.add(NEVER, late);
        tasks.remove(late);

        assertThat(timer.getQueue()).isEmpty();
    }

    /** Adds a task, waits for two runs, and removes it: a run of the tasks that were there before has ended by then. */
    private void assertRuns() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Runnable task = twice::countDown;
        tasks.add(SOON, task);
        assertThat(twice.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("runs").isTrue();
        tasks.remove(task);
    }
}
