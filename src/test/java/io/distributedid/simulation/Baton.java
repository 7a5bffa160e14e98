package io.distributedid.simulation;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The right of one thread to run. Handing it over costs most of a run. */
final class Baton {

    /** Threads are kept for later worlds, since their start costs more than a run. */
    private static final ExecutorService WORKERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulation");
        thread.setDaemon(true);
        return thread;
    });

    private volatile boolean isHere;

    /** Null before it begins. */
    private @Nullable Thread thread;

    boolean hasBegun() {
        return thread != null;
    }

    /** The current thread is the one. */
    void begin() {
        thread = Thread.currentThread();
    }

    /** The thread goes on; one that has not begun does this. */
    void give(Runnable beginning) {
        if (thread == null) {
            WORKERS.execute(beginning);
        } else {
            isHere = true;
            LockSupport.unpark(thread);
        }
    }

    /** Waits for it. An interrupt is kept for later. */
    void await() {
        boolean wasInterrupted = false;
        while (!isHere) {
            LockSupport.park(this);
            wasInterrupted |= Thread.interrupted();
        }
        isHere = false;
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
