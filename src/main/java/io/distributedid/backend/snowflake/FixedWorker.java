package io.distributedid.backend.snowflake;

import io.distributedid.IdsExhaustedException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A worker number with a window that never ends: the settings assign it to this process, or it is for a single use.
 *
 * @param takenAt when this process took the number. An earlier process may have run ahead of the clock until then;
 *     empty if the number is new
 */
record FixedWorker(Window window, OptionalLong takenAt) implements Worker {

    /** @param from the first id time that this JVM has not used with the number */
    static FixedWorker startingAt(long number, long from, long takenAt) {
        return new FixedWorker(new Window(number, from, Long.MAX_VALUE), OptionalLong.of(takenAt));
    }

    static FixedWorker neverUsed(long number, long from) {
        return new FixedWorker(new Window(number, from, Long.MAX_VALUE), OptionalLong.empty());
    }

    @Override
    public OptionalLong unrecordedUse() {
        return takenAt;
    }

    @Override
    public Window await(Window spent, Duration limit) {
        throw new IdsExhaustedException("No time is left: worker=" + spent.number());
    }
}
