package io.distributedid.internal.counter;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Sequence;
import java.util.Collection;
import java.util.Collections;

/**
 * How far a counter can be raised: above an id that exists each server must have one left. A counter at its end would
 * give nothing ever after, and arithmetic above 2^63-1 would give ids again.
 */
public final class RaiseLimit {

    private RaiseLimit() {}

    /**
     * Looks at ids before counters are compared with them or raised above them. A sequence that has come to the end of
     * a narrow type by itself may still start: only a raise is refused there.
     *
     * @param sequence that counts
     * @param existing ids that exist
     * @param raise whether counters are to be raised above them
     * @param step the distance between two ids of one server
     * @param largest the largest id that the counters hold
     * @throws IdsExhaustedException if a server has no id left above them
     */
    public static void check(Sequence sequence, Collection<Long> existing, boolean raise, long step, long largest) {
        long allowed = (raise ? Math.min(sequence.maxValue(), largest) : Long.MAX_VALUE) - step;
        long most = Collections.max(existing);
        if (most > allowed) {
            throw new IdsExhaustedException("No ids are left above one that exists: seq=" + sequence.name()
                    + " existing=" + most
                    + ", allowed: up to " + allowed + ". If that id is no real one (a test row, a placeholder), delete"
                    + " its row; else take ids of a wider type");
        }
    }
}
