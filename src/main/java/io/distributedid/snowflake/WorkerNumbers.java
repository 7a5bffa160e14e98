package io.distributedid.snowflake;

import io.distributedid.IdConfigurationException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The worker numbers in use in this process: no two generators may have the same one in the same layout. A number that was given
 * back remembers its last tick, above which its next holder begins. Thread-safe.
 */
final class WorkerNumbers {

    private record Key(SnowflakeLayout layout, long worker) {}

    /** @param held false once it was given back */
    private record Holder(boolean held, long lastTick) {}

    private static final WorkerNumbers OF_PROCESS = new WorkerNumbers();

    private final Map<Key, Holder> holders = new ConcurrentHashMap<>();

    static WorkerNumbers ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Takes a number.
     *
     * @return the last tick of its former holder in this process, -1 if there was none
     * @throws IdConfigurationException if somebody has it
     */
    long take(SnowflakeLayout layout, long worker) {
        Holder holder = holders.compute(new Key(layout, worker), (key, former) -> {
            if (former != null && former.held) {
                throw new IdConfigurationException("Two generators in one process must not have the same worker number:"
                        + " distributedid.snowflake.worker=" + worker + ". Give each persistence unit its own number");
            }
            return new Holder(true, former == null ? -1 : former.lastTick);
        });
        return holder.lastTick;
    }

    void giveBack(SnowflakeLayout layout, long worker, long lastTick) {
        holders.put(new Key(layout, worker), new Holder(false, lastTick));
    }
}
