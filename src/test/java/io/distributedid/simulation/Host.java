package io.distributedid.simulation;

import io.distributedid.internal.block.Scheduler;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A process of a {@link World}: its clock, its threads, its locks. It can stand still, and be killed. */
final class Host implements Platform, Scheduler {

    private static final long LONGEST_LOOK_AT_CLOCK = 2_000;

    private final World world;

    private final String name;

    private final Set<Runnable> periodic = new HashSet<>();

    private long pausedUntil;

    private long pausedFor;

    private boolean isKilled;

    /** How much its monotonic clock is too fast, in millionths. */
    private long rate;

    /** How long that clock has stood still. */
    private long slept;

    Host(World world, String name) {
        this.world = world;
        this.name = name;
    }

    World world() {
        return world;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    boolean isKilled() {
        return isKilled;
    }

    /** None of its threads runs for a time. */
    void pause(Duration time) {
        pausedUntil = Math.max(pausedUntil, world.now() + time.toNanos());
        pausedFor += time.toNanos();
    }

    /** The same, and its monotonic clock does not count that: a machine that is suspended. */
    void suspend(Duration time) {
        long before = Math.max(pausedUntil, world.now());
        pause(time);
        slept += pausedUntil - Math.min(before, pausedUntil);
    }

    void runsFastBy(long millionths) {
        rate = millionths;
    }

    /** Another process, whose monotonic clock shows the same. */
    Host copy(String other) {
        Host copy = new Host(world, other);
        copy.rate = rate;
        copy.slept = slept;
        return copy;
    }

    /** How long it has stood still in all. */
    long pausedFor() {
        return pausedFor;
    }

    /** None of its threads runs ever again. */
    void kill() {
        isKilled = true;
    }

    @Override
    public long nanoTime() {
        world.step(world.random(0, LONGEST_LOOK_AT_CLOCK));
        return world.now() + world.now() * rate / 1_000_000 - slept;
    }

    @Override
    public ReentrantLock lock() {
        return new SimulatedLock(world);
    }

    @Override
    public Thread start(String thread, Runnable task) {
        World.Task started = world.start(this, thread, task);
        return new Thread(thread) {
            @Override
            public void interrupt() {
                started.interrupt();
            }
        };
    }

    @Override
    public <T extends @Nullable Object> T call(LibraryThread.Work<T> work) throws SQLException, InterruptedException {
        return work.run();
    }

    @Override
    public <T> List<T> callAll(List<LibraryThread.Work<T>> all) throws SQLException, InterruptedException {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (LibraryThread.Work<T> work : all) {
            FutureTask<T> task = new FutureTask<>(work::run);
            tasks.add(task);
            World.Task unused = world.start(this, "distributedid-call", task);
        }
        List<T> results = new ArrayList<>();
        Throwable failure = null;
        for (Future<T> task : tasks) {
            try {
                results.add(await(task, Long.MAX_VALUE));
            } catch (ExecutionException e) {
                failure = failure == null ? e.getCause() : failure;
            } catch (TimeoutException e) {
                throw new IllegalStateException(e);
            }
        }
        if (failure instanceof SQLException e) {
            throw e;
        }
        if (failure instanceof InterruptedException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return results;
    }

    @Override
    public void finish(Runnable task) {
        task.run();
    }

    @Override
    public <T> T await(Future<T> result, long nanos) throws InterruptedException, ExecutionException, TimeoutException {
        boolean isDone = world.await(result::isDone, nanos, true);
        if (!isDone && world.current().wasInterrupted()) {
            throw new InterruptedException();
        }
        if (!isDone) {
            throw new TimeoutException();
        }
        return result.get(0, TimeUnit.NANOSECONDS);
    }

    @Override
    public void pause(long nanos) throws InterruptedException {
        boolean unused = world.await(() -> false, nanos, true);
        if (world.current().wasInterrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public long random(long least, long bound) {
        return world.random(least, bound);
    }

    @Override
    public String token() {
        return world.token();
    }

    @Override
    public void execute(Runnable task) {
        World.Task unused = world.start(this, "distributedid-fetch", task);
    }

    @Override
    public void executeAfter(Duration delay, Runnable task) {
        world.startAfter(delay.toNanos(), this, "distributedid-timer", task);
    }

    @Override
    public void every(Duration period, Runnable task) {
        periodic.add(task);
        repeat(period, task);
    }

    private void repeat(Duration period, Runnable task) {
        world.startAfter(period.toNanos(), this, "distributedid-timer", () -> {
            if (periodic.contains(task)) {
                task.run();
                repeat(period, task);
            }
        });
    }

    @Override
    public void end(Runnable task) {
        boolean unused = periodic.remove(Objects.requireNonNull(task));
    }

    @Override
    public String toString() {
        return name;
    }
}
