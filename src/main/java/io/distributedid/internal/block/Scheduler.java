package io.distributedid.internal.block;

import java.time.Duration;

/** Runs tasks on other threads; tests run them by hand. A closed scheduler drops new tasks. */
public interface Scheduler {

    /** Runs {@code task}, which may block, as soon as a thread is free. */
    void execute(Runnable task);

    /** Runs {@code task}, which may block, after {@code delay}. */
    void executeAfter(Duration delay, Runnable task);

    /** Runs {@code task}, which must not block, in each {@code period} until {@link #end}. */
    void every(Duration period, Runnable task);

    /** Ends a task of {@link #every}. It may be running. */
    void end(Runnable task);
}
