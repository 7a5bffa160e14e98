package io.distributedid.backend.snowflake;

import io.distributedid.IdsExhaustedException;

/**
 * A number that the settings give to this process alone, for all times. What a process that had it before has used is
 * known if that was this one; else it may have run ahead of the clock until now.
 *
 * @param window from now on
 * @param isFresh whether the window begins above all that was used before
 */
record FixedWorker(Window window, boolean isFresh) implements Worker {

    static FixedWorker startingAt(long number, long from, boolean isFresh) {
        return new FixedWorker(new Window(number, from, Long.MAX_VALUE), isFresh);
    }

    @Override
    public Window await(Window spent, long time) {
        throw new IdsExhaustedException("No time is left: worker=" + spent.number());
    }

    @Override
    public void release(long unused) {
        // Nobody waits for it; NumbersInUse remembers it.
    }
}
