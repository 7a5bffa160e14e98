package io.distributedid.backend.snowflake;

import io.distributedid.IdsExhaustedException;
import java.util.OptionalLong;

/**
 * A worker number that the settings assign to this process, with a window that never ends.
 *
 * @param takenAt when this process took the number. An earlier process may have run ahead of the clock until then
 */
record FixedWorker(Window window, long takenAt) implements Worker {

    /** @param from the first id time that this JVM has not used with the number */
    static FixedWorker startingAt(long number, long from, long takenAt) {
        return new FixedWorker(new Window(number, from, Long.MAX_VALUE), takenAt);
    }

    @Override
    public OptionalLong unrecordedUse() {
        return OptionalLong.of(takenAt);
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
