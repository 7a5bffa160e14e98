package io.distributedid.internal.process;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Ends several things, on one thread or many: a step that fails keeps no other from running. Thread-safe. */
public final class Ending {

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private @Nullable RuntimeException failure;

    /** Runs a step. Does not throw. */
    public void run(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            failed(e instanceof RuntimeException known ? known : new IllegalStateException("Could not end: " + e, e));
        }
    }

    private void failed(RuntimeException e) {
        lock.lock();
        try {
            if (failure == null) {
                failure = e;
            } else if (!failure.equals(e)) {
                failure.addSuppressed(e);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Throws the first failure, in which the others are suppressed; does nothing if there was none. */
    public void throwFirst() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }
}
