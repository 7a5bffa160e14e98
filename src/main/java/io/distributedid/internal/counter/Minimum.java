package io.distributedid.internal.counter;

import java.util.HashMap;
import java.util.Map;

/**
 * The ids that a counter must lie above, as an application asks for.
 *
 * @param raiseAbove a counter that would give this or a lower id is raised; 0 if none is
 * @param existing ids that exist, the largest of each remainder: a counter that would give one of them is refused
 */
public record Minimum(long raiseAbove, Map<Long, Long> existing) {

    public static final Minimum NONE = new Minimum(0, Map.of());

    public Minimum {
        existing = Map.copyOf(existing);
    }

    /** The higher of this minimum and one that raises the counter above an id. */
    public Minimum raisedAbove(long above) {
        return above > raiseAbove ? new Minimum(above, existing) : this;
    }

    /**
     * This minimum, and an id that exists. Only the server that gives ids with its remainder is compared with it.
     *
     * @param increment the distance between two ids of one server
     */
    public Minimum withExisting(long id, long increment) {
        Map<Long, Long> more = new HashMap<>(existing);
        more.merge(Math.floorMod(id, increment), id, Math::max);
        return new Minimum(raiseAbove, more);
    }

    /** Whether a server whose last number is {@code last} gives none of the ids. */
    boolean isPassed(Numbering numbering, long last) {
        return !CounterRules.isNextUpTo(numbering, last, Math.max(raiseAbove, existingOf(numbering)));
    }

    /** The largest id that exists of a server's numbers; 0 if none is known. */
    long existingOf(Numbering numbering) {
        return existing.values().stream()
                .filter(numbering::holds)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
