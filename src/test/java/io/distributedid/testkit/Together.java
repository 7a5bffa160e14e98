package io.distributedid.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads that begin together. The first that fails ends the wait: its error is thrown, and the others are interrupted.
 */
public final class Together {

    /**
     * What each thread does.
     *
     * @param <T> what comes of it
     */
    @FunctionalInterface
    public interface Work<T> {

        /** Does it; {@code number} counts from 0. */
        T run(int number) throws Exception;
    }

    /**
     * What each thread does, first before all are ready and then after.
     *
     * @param <T> what comes of it
     */
    @FunctionalInterface
    public interface PreparedWork<T> {

        /** Does it; {@code number} counts from 0. */
        T run(int number, Start start) throws Exception;
    }

    /** Where each thread waits until all are ready. */
    @FunctionalInterface
    public interface Start {

        void await() throws Exception;
    }

    private Together() {}

    /** Returns what came of each, in the order of their numbers. */
    public static <T> List<T> run(int threads, Work<T> work) throws Exception {
        return runPrepared(threads, (number, start) -> {
            start.await();
            return work.run(number);
        });
    }

    /** As above; the work itself waits for the others, once. */
    public static <T> List<T> runPrepared(int threads, PreparedWork<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            CompletionService<T> running = new ExecutorCompletionService<>(pool);
            List<Future<T>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                all.add(running.submit(() -> work.run(number, barrier::await)));
            }
            for (int ended = 0; ended < threads; ended++) {
                Future<T> next = running.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                if (next == null) {
                    throw new AssertionError("Waited " + Await.PATIENCE.toSeconds() + " s for " + (threads - ended)
                            + " of " + threads + " threads");
                }
                unwrap(next);
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : all) {
                results.add(unwrap(each));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** The error of the thread itself, so that its message is what the test fails with. */
    private static <T> T unwrap(Future<T> ended) throws Exception {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            cause.addSuppressed(new IllegalStateException("Thrown in another thread, for which this one waited"));
            if (cause instanceof Exception exception) {
                throw exception;
            }
            throw (Error) cause;
        }
    }
}
