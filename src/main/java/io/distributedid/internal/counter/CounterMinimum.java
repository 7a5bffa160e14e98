package io.distributedid.internal.counter;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What the ids of a counter have to lie above.
 *
 * @param raiseAbove a server's counter that would give a lower or equal id is raised
 * @param existing ids that exist, the largest of each remainder: a counter that would give one of them again is refused
 */
public record CounterMinimum(long raiseAbove, Map<Long, Long> existing) {

    /** Every counter lies above it. */
    public static final CounterMinimum NONE = new CounterMinimum(0, Map.of());

    /** Keeps a copy of the map. */
    public CounterMinimum {
        existing = Map.copyOf(existing);
    }

    /**
     * The minimum of a counter that is raised.
     *
     * @param above no id is to be given up to this one
     * @return this, or a higher one
     */
    public CounterMinimum raisedAbove(long above) {
        return above > raiseAbove ? new CounterMinimum(above, existing) : this;
    }

    /**
     * The minimum once an id is known to exist.
     *
     * @param id it exists
     * @param step the distance between two ids of one server: only that server is judged which gives such ids
     * @return this, or a higher one
     */
    public CounterMinimum withExisting(long id, long step) {
        Map<Long, Long> more = new HashMap<>(existing);
        more.merge(Math.floorMod(id, step), id, Math::max);
        return new CounterMinimum(raiseAbove, more);
    }

    CounterMinimum above(Collection<Long> ids, long step, boolean raise) {
        CounterMinimum minimum = this;
        for (long id : ids) {
            minimum = raise ? minimum.raisedAbove(id) : minimum.withExisting(id, step);
        }
        return minimum;
    }

    /**
     * The largest id that exists of a server's numbers.
     *
     * @param numbering of the server
     * @return 0 if none is known
     */
    public long existingOf(Numbering numbering) {
        return existing.values().stream()
                .filter(numbering::holds)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
