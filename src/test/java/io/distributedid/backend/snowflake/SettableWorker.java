package io.distributedid.backend.snowflake;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * A worker whose windows a test sets: the one it shows, and those that it gives to generators that ask for a better
 * one.
 */
final class SettableWorker implements Worker {

    private volatile Window window;

    private final Queue<Window> renewals = new ConcurrentLinkedQueue<>();

    private final boolean isStrict;

    private volatile BooleanSupplier check = () -> true;

    private int asked;

    SettableWorker(Window window) {
        this(window, false);
    }

    SettableWorker(Window window, boolean isStrict) {
        this.window = window;
        this.isStrict = isStrict;
    }

    /** In strict order, whether an id that was just taken may be returned. */
    void lastsIf(BooleanSupplier condition) {
        check = condition;
    }

    void set(Window newWindow) {
        window = newWindow;
    }

    void willRenewTo(Window newWindow) {
        renewals.add(newWindow);
    }

    /** How often better windows were asked for. */
    synchronized int asked() {
        return asked;
    }

    @Override
    public Window window() {
        return window;
    }

    @Override
    public boolean isStrict() {
        return isStrict;
    }

    @Override
    public boolean lasts(Window current) {
        return check.getAsBoolean();
    }

    @Override
    public synchronized Window await(Window spent, Duration limit) {
        asked++;
        if (window == spent) {
            Window renewed = renewals.poll();
            if (renewed == null) {
                throw new IdUnavailableException("The store is away");
            }
            window = renewed;
        }
        return window;
    }
}
