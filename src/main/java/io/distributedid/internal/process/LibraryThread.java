package io.distributedid.internal.process;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread of the library. Connections for ids are borrowed, used and given back on such threads only. So they
 * take no part in the application's transaction, even if a sequence is opened or closed during one.
 *
 * <p>A JTA transaction is bound to its thread. It is not enough to borrow the connection on another thread: the pools
 * of application servers enlist a connection when it is borrowed, Narayana's driver when it is used, and Agroal forbids
 * its use in a transaction in which it is not enlisted. A rollback of the transaction would undo the reservation, and
 * the ids would be given again. Suspending the transaction instead needs its manager, which is not available without
 * Hibernate.
 *
 * <p>Every thread of the library is one of these. It inherits nothing from the thread that starts it: no
 * InheritableThreadLocal, which may hold a transaction or a security context, and no context class loader, which may
 * belong to an application that stops before the thread ends. Drivers and pools find their classes with the library's
 * class loader.
 */
public final class LibraryThread extends Thread {

    /** Work for a library thread. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        T run() throws SQLException, InterruptedException;
    }

    /** Makes a thread and does not start it. The name must begin with {@code distributedid-}. */
    public static Thread named(String name, Runnable task) {
        return new LibraryThread(task, name);
    }

    private LibraryThread(Runnable task, String name) {
        super(null, task, name, 0, false);
        setDaemon(true);
        setContextClassLoader(LibraryThread.class.getClassLoader());
    }

    /**
     * Runs {@code work} on a library thread, which may be the current one, and waits for its result. The work must have
     * a timeout of its own.
     *
     * @throws InterruptedException if the caller was interrupted before the work or during the wait; the work then runs
     *     to its end without the caller
     */
    public static <T extends @Nullable Object> T call(Work<T> work) throws SQLException, InterruptedException {
        if (Thread.currentThread() instanceof LibraryThread) {
            return work.run();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread thread = named("distributedid-call", task);
        thread.start();
        // This comes first: join() waits in a monitor, which pins the carrier of a virtual thread before Java 24.
        T result = result(task);
        thread.join();
        return result;
    }

    /**
     * Runs work on a library thread, and {@code meanwhile} on the current one; waits for the end of both. If both fail,
     * throws the failure of {@code meanwhile}.
     */
    public static <T extends @Nullable Object> T callWhile(Runnable meanwhile, Work<T> work)
            throws SQLException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread thread = named("distributedid-call", task);
        thread.start();
        try {
            meanwhile.run();
        } catch (Throwable e) {
            finish(thread);
            throw e;
        }
        return result(task);
    }

    private static <T extends @Nullable Object> T result(FutureTask<T> task) throws SQLException, InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /**
     * Runs each work on a library thread of its own, and waits for the end of all. Otherwise as {@link #call}. If
     * several fail, throws the first failure.
     */
    public static <T> List<T> callAll(List<Work<T>> all) throws SQLException, InterruptedException {
        if (all.size() == 1) {
            return List.of(call(all.get(0)));
        }
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (Work<T> work : all) {
            FutureTask<T> task = new FutureTask<>(work::run);
            tasks.add(task);
            named("distributedid-call", task).start();
        }
        List<T> results = new ArrayList<>();
        ExecutionException failure = null;
        for (FutureTask<T> task : tasks) {
            try {
                results.add(task.get());
            } catch (ExecutionException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw unwrapped(failure);
        }
        return results;
    }

    private static RuntimeException unwrapped(ExecutionException e) throws SQLException, InterruptedException {
        Throwable cause = e.getCause();
        if (cause instanceof SQLException failure) {
            throw failure;
        }
        if (cause instanceof InterruptedException interrupt) {
            throw interrupt;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }

    /** Runs a task on a library thread, which may be the current one, and waits for its end, even if interrupted. */
    public static void finish(Runnable task) {
        if (Thread.currentThread() instanceof LibraryThread) {
            task.run();
            return;
        }
        Thread thread = named("distributedid-call", task);
        thread.start();
        finish(thread);
    }

    private static void finish(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
