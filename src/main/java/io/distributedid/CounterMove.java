package io.distributedid;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The parameters of {@link IdAdmin#move}. Immutable.
 *
 * @param kind where the ids come from afterwards
 * @param from the settings of the places that the ids come from now, by their full names: at least one if they move to
 *     another place, else none
 * @param above the largest id in use, if the servers may not know it; else 0
 * @param tokens the tokens that the databases of the entities remember: each belongs to one of those places
 * @param isDryRun whether to stop before the first change
 * @param confirm called before any change. If it throws, nothing is changed
 * @param remember called with the token of the new place, before that place may give ids, to store the token in the
 *     databases of the entities; not called if the ids end. If it throws, repeat the move
 */
public record CounterMove(
        Kind kind,
        List<Map<String, ?>> from,
        long above,
        Set<String> tokens,
        boolean isDryRun,
        Consumer<Jump> confirm,
        Consumer<String> remember) {

    /** Where the ids come from afterwards. */
    public enum Kind {
        /** From the place that the settings name. If they come from several places now, their counters are merged. */
        PLACE,
        /** From the same place, whose servers are brought into line. */
        REPAIR,
        /** From the same place, one of whose servers is lost for good: no client draws from that server any more. */
        LOST,
        /** From the same place, which is a copy of another place, and counts independently from now on. */
        NEW_SPACE,
        /** From nowhere: the place that the settings name ends. */
        END
    }

    /**
     * What was found, and how far counters may be raised.
     *
     * @param lastIds the last id of the sequence on each server that it comes from now, by the server's label; 0 if
     *     there is none
     * @param tokens the tokens of these servers; empty if they keep no counter yet, or lost what they knew
     * @param above the highest id above which a counter may be raised
     */
    public record Jump(Map<String, Long> lastIds, Set<String> tokens, long above) {

        public Jump {
            lastIds = Map.copyOf(lastIds);
            tokens = Set.copyOf(tokens);
        }
    }

    public CounterMove {
        from = List.copyOf(from);
        tokens = Set.copyOf(tokens);
    }

    /**
     * Creates a move that asks for no confirmation, for databases that remember no place.
     *
     * @param from the settings of the place that the ids come from now
     * @return without {@code above} and {@code tokens}
     */
    public static CounterMove from(Map<String, ?> from) {
        return new CounterMove(Kind.PLACE, List.of(from), 0, Set.of(), false, jump -> {}, token -> {});
    }

    /**
     * Creates a repair that is made without asking an operator.
     *
     * @param above the largest id in use, if the servers may not know it; else 0
     */
    public static CounterMove repair(long above) {
        return new CounterMove(Kind.REPAIR, List.of(), above, Set.of(), false, jump -> {}, token -> {});
    }

    /** Omits the settings, which may hold secrets. */
    @Override
    public String toString() {
        return kind + " above=" + above + " tokens=" + tokens;
    }
}
