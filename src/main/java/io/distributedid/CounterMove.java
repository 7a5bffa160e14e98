package io.distributedid;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What {@link DistributedIds#move} has to know. Immutable.
 *
 * @param from the settings of the place that the ids come from now, by their full names
 * @param above the largest id in use, if the servers may not know it; else 0
 * @param isLost whether the ids come from the same place, one of whose servers is lost for good: nobody draws from it
 *     any more, and all ids in use lie at or below {@code above}
 * @param token of that place, which the databases of the entities remember; empty if none does
 * @param isDryRun whether to end before the first change
 * @param confirm called before any change, with the highest id above which a counter may be raised. If it throws,
 *     nothing is changed
 * @param remember called with the token of the new place before that may give ids, so that the databases of the
 *     entities remember it. If it throws, repeat the move
 */
public record CounterMove(
        Map<String, ?> from,
        long above,
        boolean isLost,
        String token,
        boolean isDryRun,
        LongConsumer confirm,
        Consumer<String> remember) {

    public CounterMove {
        from = Map.copyOf(from);
    }

    /**
     * Creates a move that asks nobody, for databases that remember no place.
     *
     * @param from the settings of the place that the ids come from now
     * @return without {@code above} and {@code token}
     */
    public static CounterMove from(Map<String, ?> from) {
        return new CounterMove(from, 0, false, "", false, highest -> {}, token -> {});
    }

    /** Omits the settings, which may hold secrets. */
    @Override
    public String toString() {
        return "above=" + above + " isLost=" + isLost + " token=" + token;
    }
}
