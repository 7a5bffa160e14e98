package io.distributedid.backend.snowflake;

import io.distributedid.IdUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A worker whose windows a test sets: the one it shows, and those that it gives to generators that ask for a better
 * one.
 */
final class SettableWorker implements Worker {

    private volatile Window window;

    private final Queue<Window> renewals = new ConcurrentLinkedQueue<>();

    private final List<Long> wanted = new ArrayList<>();

    private volatile long released = -1;

    SettableWorker(Window window) {
        this.window = window;
    }

    void set(Window newWindow) {
        window = newWindow;
    }

    void willRenewTo(Window newWindow) {
        renewals.add(newWindow);
    }

    /** The id times for which better windows were asked. */
    List<Long> wanted() {
        return wanted;
    }

    long released() {
        return released;
    }

    @Override
    public Window window() {
        return window;
    }

    @Override
    public synchronized Window await(Window spent, long time) {
        wanted.add(time);
        if (window == spent) {
            Window renewed = renewals.poll();
            if (renewed == null) {
                throw new IdUnavailableException("The store is away");
            }
            window = renewed;
        }
        return window;
    }

    @Override
    public void release(long unused) {
        released = unused;
    }
}
