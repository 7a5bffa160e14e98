package io.distributedid.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Visits every state that a model can reach, the nearest first, and stops at the first violation: its trace is a
 * shortest one.
 *
 * @param <S> the states
 */
public final class Explorer<S> {

    /**
     * One thing that can happen.
     *
     * @param label says what happened
     * @param violation what is wrong after it, or null
     */
    public record Step<S>(Supplier<String> label, S state, String violation) {}

    /**
     * The end of a search.
     *
     * @param states how many were visited
     * @param trace the labels of the steps that lead to a violation, and the violation; empty if there is none
     */
    public record Result(int states, List<String> trace) {}

    private record Visit<S>(S state, int number) {}

    private final Function<S, List<Step<S>>> next;

    private final Function<S, String> key;

    private final Fingerprints seen = new Fingerprints();

    /** By the number of a state: the number of the state before, and which of its steps led here. */
    private final List<int[]> origins = new ArrayList<>();

    private final Queue<Visit<S>> frontier = new ArrayDeque<>();

    /**
     * @param next all that can happen in a state
     * @param key equal for states that need not be told apart
     */
    public Explorer(Function<S, List<Step<S>>> next, Function<S, String> key) {
        this.next = next;
        this.key = key;
    }

    /** Visits all states that can be reached from {@code initial}. */
    public Result explore(S initial) {
        visit(initial, -1, 0);
        for (Visit<S> from = frontier.poll(); from != null; from = frontier.poll()) {
            List<Step<S>> steps = next.apply(from.state);
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i).violation != null) {
                    List<String> trace = trace(initial, from.number);
                    trace.add(steps.get(i).label.get());
                    trace.add(steps.get(i).violation);
                    return new Result(origins.size(), trace);
                }
                visit(steps.get(i).state, from.number, i);
            }
        }
        return new Result(origins.size(), List.of());
    }

    private void visit(S state, int from, int step) {
        if (seen.add(key.apply(state))) {
            frontier.add(new Visit<>(state, origins.size()));
            origins.add(new int[] {from, step});
        }
    }

    /** Repeats the steps of a trace, since keeping every state would take too much memory. */
    private List<String> trace(S initial, int end) {
        List<Integer> way = new ArrayList<>();
        for (int[] origin = origins.get(end); origin[0] >= 0; origin = origins.get(origin[0])) {
            way.add(origin[1]);
        }
        Collections.reverse(way);
        List<String> trace = new ArrayList<>();
        S state = initial;
        for (int number : way) {
            Step<S> step = next.apply(state).get(number);
            trace.add(step.label.get());
            state = step.state;
        }
        return trace;
    }
}
