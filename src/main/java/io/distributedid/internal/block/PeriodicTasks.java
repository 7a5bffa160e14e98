package io.distributedid.internal.block;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs tasks periodically. All tasks with the same period share one entry of the timer, so that a thousand buffers cost
 * one wake-up. A new task may run earlier than its period for the first time. Thread-safe.
 */
final class PeriodicTasks {

    private record Round(List<Runnable> tasks, Future<?> entry) {}

    private final ScheduledThreadPoolExecutor timer;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Map<Duration, Round> rounds = new HashMap<>();

    PeriodicTasks(ScheduledThreadPoolExecutor timer) {
        this.timer = timer;
    }

    /** Drops the task if the timer has ended. */
    void add(Duration period, Runnable task) {
        lock.lock();
        try {
            if (!timer.isShutdown()) {
                rounds.computeIfAbsent(period, this::start).tasks.add(task);
            }
        } finally {
            lock.unlock();
        }
    }

    private Round start(Duration period) {
        List<Runnable> tasks = new CopyOnWriteArrayList<>();
        Future<?> entry = timer.scheduleWithFixedDelay(
                () -> tasks.forEach(PeriodicTasks::survive),
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
        return new Round(tasks, entry);
    }

    /** The last task of a period takes the entry of the timer with it. */
    void remove(Runnable task) {
        lock.lock();
        try {
            rounds.values().removeIf(round -> round.tasks.remove(task) && round.tasks.isEmpty() && end(round));
        } finally {
            lock.unlock();
        }
    }

    private static boolean end(Round round) {
        round.entry.cancel(false);
        return true;
    }

    /** Catches everything: an executor silently ends a periodic task that throws, and the other tasks must run. */
    private static void survive(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            FetchThreads.warn("A periodic task has failed; it runs again at its next time", e);
        }
    }
}
