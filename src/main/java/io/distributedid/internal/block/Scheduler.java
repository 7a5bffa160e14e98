package io.distributedid.internal.block;

import java.time.Duration;
import java.util.concurrent.Future;

/** Runs tasks on other threads: {@link FetchThreads}, or a test by hand. */
interface Scheduler {

    /** Runs {@code task}, which may block, as soon as a thread is free; dropped once closed. */
    void execute(Runnable task);

    /** Runs {@code task}, which may block, after {@code delay}; dropped once closed. */
    void executeAfter(Duration delay, Runnable task);

    /** Runs {@code task}, which must not block, again and again until it is cancelled. */
    Future<?> every(Duration period, Runnable task);
}
