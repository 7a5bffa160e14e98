package io.distributedid.internal.counter;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The ids that a counter must lie above.
 *
 * @param raiseAbove a counter that would give this or a lower id is raised
 * @param existing ids that exist, the largest of each remainder: a counter that would give one of them is refused
 */
public record CounterMinimum(long raiseAbove, Map<Long, Long> existing) {

    public static final CounterMinimum NONE = new CounterMinimum(0, Map.of());

    public CounterMinimum {
        existing = Map.copyOf(existing);
    }

    /** The higher of this minimum and one that raises the counter above an id. */
    public CounterMinimum raisedAbove(long above) {
        return above > raiseAbove ? new CounterMinimum(above, existing) : this;
    }

    /**
     * This minimum, and an id that exists. Only the server that gives ids with its remainder by {@code step}, the
     * distance between two ids of one server, is compared with it.
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

    /** The largest id that exists of a server's numbers; 0 if none is known. */
    public long existingOf(Numbering numbering) {
        return existing.values().stream()
                .filter(numbering::holds)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
