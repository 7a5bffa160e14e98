package io.distributedid.internal.counter;

import io.distributedid.spi.Block;

/**
 * Unused ids for a server to take back.
 *
 * @param ids the end of the last block that was drawn from the counter
 * @param generation under which they were drawn
 */
public record Return(Block ids, long generation) {

    /** The work that lowers the counter, and returns whether it did: see {@link CounterChange#giveBack}. */
    public StoredCounter.Work<Boolean> to(StoredCounter counter) {
        return () -> CounterChange.giveBack(counter, ids, generation);
    }
}
