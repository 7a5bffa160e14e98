package io.distributedid.internal.process;

import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A thread of our own, a daemon. Connections for ids are borrowed, used and given back on such threads only, so that
 * they take no part in the application's transaction, even if a sequence is opened or closed in the middle of one.
 *
 * <p>A JTA transaction is bound to its thread. To borrow the connection elsewhere is not enough: some pools enlist a
 * connection when it is borrowed (those of application servers), some when it is used (Narayana's driver), and some
 * forbid its use in a transaction in which it is not enlisted (Agroal). What is enlisted is rolled back with the rest,
 * and its ids are given again. To suspend the transaction instead would take its manager, which is not known without
 * Hibernate.
 *
 * <p>Every thread of the library is one of these. It keeps nothing of the caller that happened to start it: no
 * InheritableThreadLocal, in which transactions and security contexts are kept, and not the caller's context class
 * loader, which may belong to an application that is stopped before the thread ends. Drivers and pools find their
 * classes by the library's own loader.
 */
public final class LibraryThread extends Thread {

    /**
     * What is done on a thread of our own.
     *
     * @param <T> the result's type
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        /**
         * Does it.
         *
         * @return its result
         * @throws SQLException if the server failed
         * @throws InterruptedException if the thread was told to stop
         */
        T run() throws SQLException, InterruptedException;
    }

    /**
     * A thread that is not started yet.
     *
     * @param name begins with {@code distributedid-}
     * @param task what it runs
     * @return a daemon that inherits nothing
     */
    public static Thread named(String name, Runnable task) {
        return new LibraryThread(task, name);
    }

    private LibraryThread(Runnable task, String name) {
        super(null, task, name, 0, false);
        setDaemon(true);
        setContextClassLoader(LibraryThread.class.getClassLoader());
    }

    /**
     * Works on a thread of our own, which may be this one, and waits for the end. A caller who is interrupted leaves,
     * and the work goes on to its end.
     *
     * @param <T> the result's type
     * @param work bounded in time
     * @return what the work returned
     * @throws SQLException as the work does
     * @throws InterruptedException if the caller was interrupted, before the work or while it waited
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
        try {
            // Before join(), which holds a monitor, and so the carrier of a virtual thread before Java 24.
            T result = task.get();
            thread.join();
            return result;
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
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

    /**
     * Runs a task that must be done on a thread of our own, which may be this one, and waits for its end even if
     * interrupted.
     */
    public static void finish(Runnable task) {
        if (Thread.currentThread() instanceof LibraryThread) {
            task.run();
            return;
        }
        Thread thread = named("distributedid-call", task);
        thread.start();
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
