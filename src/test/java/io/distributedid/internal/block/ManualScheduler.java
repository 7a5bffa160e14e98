package io.distributedid.internal.block;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Runs tasks when a test says so, on the test's thread. */
final class ManualScheduler implements Scheduler {

    final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    final Queue<Runnable> delayed = new ConcurrentLinkedQueue<>();

    final List<Duration> delays = new ArrayList<>();

    final List<Runnable> periodic = new ArrayList<>();

    /** The number of the next tasks that run at once, on the calling thread. */
    int direct;

    /** Thrown instead of starting a thread. */
    Error fails;

    @Override
    public void execute(Runnable task) {
        requireThread();
        if (direct > 0) {
            direct--;
            task.run();
            return;
        }
        tasks.add(task);
    }

    @Override
    public void executeAfter(Duration delay, Runnable task) {
        requireThread();
        delays.add(delay);
        delayed.add(task);
    }

    @Override
    public void every(Duration period, Runnable task) {
        periodic.add(task);
    }

    @Override
    public void end(Runnable task) {
        periodic.remove(task);
    }

    private void requireThread() {
        if (fails != null) {
            throw fails;
        }
    }

    void runNext() {
        tasks.remove().run();
    }

    void runDelayed() {
        delayed.remove().run();
    }

    /** Also runs what that task starts at once. */
    void runRetry() {
        int before = direct;
        direct++;
        runDelayed();
        direct = Math.min(direct, before);
    }

    void tick() {
        periodic.forEach(Runnable::run);
    }
}
