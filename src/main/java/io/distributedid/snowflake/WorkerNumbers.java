package io.distributedid.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.IdLayout;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fixed numbers in use in this process: no two generators may have the same ones in the same layout. Numbers that were given
 * back remember up to when they were used, above which their next holder begins. Thread-safe.
 */
final class WorkerNumbers {

    /**
     * What makes the ids of a process its own.
     *
     * @param layout of the ids
     * @param fields the fields that no other process has, placed
     */
    record Key(IdLayout layout, long fields) {}

    /**
     * A holder, or one that was.
     *
     * @param held false once it was given back
     * @param unused the first id time that no id of former holders has, empty if there was none
     */
    private record Holder(boolean held, OptionalLong unused) {}

    private static final WorkerNumbers OF_PROCESS = new WorkerNumbers();

    private final Map<Key, Holder> holders = new ConcurrentHashMap<>();

    static WorkerNumbers ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Takes numbers.
     *
     * @param said the numbers, for messages
     * @return the first id time that their former holder in this process did not use, empty if there was none
     * @throws IdConfigurationException if somebody has them
     */
    OptionalLong take(Key key, String said) {
        Holder former = holders.get(key);
        Holder holder = new Holder(true, former == null ? OptionalLong.empty() : former.unused);
        boolean taken = former == null
                ? holders.putIfAbsent(key, holder) == null
                : !former.held && holders.replace(key, former, holder);
        if (!taken) {
            throw new IdConfigurationException("Two generators in one process must not have the same worker number: "
                    + said + ". Give each persistence unit its own number");
        }
        return holder.unused;
    }

    /** Lets the next holder begin at {@code unused}; empty if none ever used them. */
    void giveBack(Key key, OptionalLong unused) {
        holders.put(key, new Holder(false, unused));
    }
}
