package io.distributedid.backend.snowflake;

import io.distributedid.IdsExhaustedException;

/**
 * A worker number that the settings assign to this process, with a window that never ends. This process knows its own
 * former use of the number. An earlier process with the number may have run ahead of the clock until now.
 */
record FixedWorker(Window window, boolean startsAboveFormerUse) implements Worker {

    static FixedWorker startingAt(long number, long from, boolean startsAboveFormerUse) {
        return new FixedWorker(new Window(number, from, Long.MAX_VALUE), startsAboveFormerUse);
    }

    @Override
    public Window await(Window spent, long time) {
        throw new IdsExhaustedException("No time is left: worker=" + spent.number());
    }

    @Override
    public void release(long unused) {
        // There is no store; NumbersInUse remembers what was used.
    }
}
