package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.util.Optional;

/**
 * Unused ids for a server to take back.
 *
 * @param ids the end of the last block that was drawn from the counter
 * @param generation under which they were drawn
 * @param token of the id space that they were drawn from. Tables that were emptied begin with the same generations
 */
public record Return(Block ids, long generation, String token) {

    /** Whether the ids belong to the id space of a claim. */
    public boolean isFor(Optional<NumberingRecord> claim) {
        return claim.filter(found -> found.token().equals(token)).isPresent();
    }

    /** The work that lowers the counter, and returns whether it did: see {@link CounterChange#giveBack}. */
    public StoredCounter.Work<Boolean> to(StoredCounter counter) {
        return () -> CounterChange.giveBack(counter, this);
    }
}
