package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreScenario.Command;
import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What must go on in {@link StoreModel}. */
record StoreProgress(StoreModel model) {

    /** What an operator may try besides the scenario's commands. */
    static final List<Command> MORE = List.of(
            StoreScenario.MOVE,
            StoreScenario.BACK,
            StoreScenario.REPAIR,
            StoreScenario.REPAIR_TARGET,
            StoreScenario.INIT,
            StoreScenario.INIT_TARGET);

    private static final int MOST_STEPS = 60;

    /** All windows, and the wait after a loss, are over after so many ticks. */
    private static final int LONG = 30;

    /**
     * Why no process gets a right although nothing else happens, after the operator has run each command; null if one
     * does.
     */
    @Nullable
    String stuck(StoreState state) {
        StoreState world = new StoreLosses(model.scenario).back(state).copy();
        world.late = List.of();
        world.copy = null;
        int commands = model.scenario.commands().size() + MORE.size();
        StringBuilder tried = new StringBuilder();
        for (int command = -1; command < commands; command++) {
            if (command >= 0) {
                world = run(world, StoreScenario.operator(command, world.fresh()));
                tried.append("; ")
                        .append(model.name(world, 0))
                        .append(" leads to ")
                        .append(headers(world));
                world.now += LONG;
            }
            for (int place = 0; place < world.stores.size(); place++) {
                StoreState after = run(world, StoreScenario.process(place));
                if (after.actors.get(0).used != null) {
                    return null;
                }
            }
        }
        return "No right is granted for ever: " + headers(state) + tried;
    }

    private static String headers(StoreState state) {
        return state.stores.stream()
                .map(StoreState::header)
                .map(header -> header == null ? "none" : header.row().toString())
                .collect(Collectors.joining(", "));
    }

    /** Lets an actor go on alone. */
    private StoreState run(StoreState from, Actor alone) {
        StoreState now = from.copy();
        now.actors = new ArrayList<>(List.of(alone));
        for (int step = 0; step < MOST_STEPS && now.actors.get(0).used == null; step++) {
            List<Step<StoreState>> steps = new ArrayList<>();
            model.act(steps, now, 0);
            if (steps.isEmpty()) {
                return now;
            }
            now = steps.get(steps.size() - 1).state().copy();
            now.now += now.actors.get(0).writes.isEmpty() && alone.command < 0 ? 1 : 0;
        }
        return now;
    }
}
