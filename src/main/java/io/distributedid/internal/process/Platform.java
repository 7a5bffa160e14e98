package io.distributedid.internal.process;

import io.distributedid.internal.process.LibraryThread.Work;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Everything by which one run can differ from another: time, threads, waits, and random numbers. The classes that keep
 * ids unique get it passed and use nothing else of this kind, so that a simulation can run them by a seed. Apart from
 * the time, the methods do what the JVM does. Thread-safe.
 */
@FunctionalInterface
public interface Platform {

    /** That of the JVM. */
    Platform JVM = System::nanoTime;

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** A lock that a thread may hold while it waits. */
    default ReentrantLock lock() {
        return new ReentrantLock();
    }

    /** Starts a {@link LibraryThread}. The name must begin with {@code distributedid-}. */
    default Thread start(String name, Runnable task) {
        Thread thread = LibraryThread.named(name, task);
        thread.start();
        return thread;
    }

    /** See {@link LibraryThread#call}. */
    default <T extends @Nullable Object> T call(Work<T> work) throws SQLException, InterruptedException {
        return LibraryThread.call(work);
    }

    /** See {@link LibraryThread#callAll}. */
    default <T> List<T> callAll(List<Work<T>> all) throws SQLException, InterruptedException {
        return LibraryThread.callAll(all);
    }

    /** See {@link LibraryThread#finish}. */
    default void finish(Runnable task) {
        LibraryThread.finish(task);
    }

    /** Waits for a result that another thread sets. */
    default <T> T await(Future<T> result, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(nanos, TimeUnit.NANOSECONDS);
    }

    /** Waits for a time. */
    default void pause(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    /** A random number from {@code least} to below {@code bound}. */
    default long random(long least, long bound) {
        return ThreadLocalRandom.current().nextLong(least, bound);
    }

    /** A random text that is used nowhere else. */
    default String token() {
        return UUID.randomUUID().toString();
    }
}
