package io.distributedid.internal.counter;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Sequence;
import java.util.Collection;
import java.util.Collections;

/**
 * Checks how far a counter can be raised: each server must still have an id left. A counter at its end would never give
 * ids again, and arithmetic above 2^63-1 would overflow and repeat ids.
 */
public final class RaiseLimit {

    private RaiseLimit() {}

    /**
     * Checks existing ids before counters are compared with them or raised above them. A sequence that has reached the
     * end of a narrow type may still start; only a raise is refused there.
     *
     * @param raise whether counters will be raised above the ids
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
